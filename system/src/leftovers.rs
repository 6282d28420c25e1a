//! Files that a run has left behind because it was ended while it wrote.

use std::path::{Path, PathBuf};

/// The start and the end of the name of a draft.
pub(crate) const DRAFT: [&str; 2] = [".pcl-", ".tmp"];

/// The end of the name of a backup, which begins with that of its file.
pub(crate) const BACKUP: &str = ".backup";

/// A file that a run has left behind. It may also be one of a run that is going on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Leftover {
    /// The old content of a file that is written in place. The file may be written in part.
    Backup {
        /// The backup.
        path: PathBuf,
        /// The file.
        of: PathBuf,
    },
    /// The new content of a file that has its old one.
    Draft(PathBuf),
}

/// The files in a directory that runs have left behind, in order.
#[must_use]
pub fn leftovers(directory: &Path) -> Vec<Leftover> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let leftover = |entry: std::fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_str()?;
        let [start, end] = DRAFT;
        let inside = |start: &str, end: &str| name.strip_prefix(start)?.strip_suffix(end);
        if inside(start, end).is_some_and(is_random) {
            return Some(Leftover::Draft(entry.path()));
        }
        let (of, random) = inside("", BACKUP)?.rsplit_once('.')?;
        let of = directory.join(of);
        (is_random(random) && of.is_file()).then(|| Leftover::Backup { path: entry.path(), of })
    };
    let mut found: Vec<Leftover> = entries.flatten().filter_map(leftover).collect();
    found.sort();
    found
}

/// Returns true for the part of a name that the library `tempfile` chooses.
fn is_random(part: &str) -> bool {
    part.len() == 6 && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replace::{draft_beside, new_draft};
    use crate::write::back_up;

    #[test]
    fn what_is_written_under_another_name_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("main.pp");
        std::fs::write(&file, "a").unwrap();
        for name in ["a.backup", "main.pp.backup", "main.pp.old.backup", ".pcl-x.tmp", "x.tmp"] {
            std::fs::write(directory.path().join(name), "mine").unwrap();
        }
        assert_eq!(leftovers(directory.path()), []);
        let drafts = [draft_beside(&file).unwrap(), new_draft(&file).unwrap()];
        let drafts = drafts.map(|draft| Leftover::Draft(draft.keep().unwrap().1));
        let backup = back_up(&file, b"a").unwrap().keep().unwrap().1;
        let mut expected = vec![Leftover::Backup { path: backup, of: file }];
        expected.extend(drafts);
        expected.sort();
        assert_eq!(leftovers(directory.path()), expected);
        assert_eq!(leftovers(&directory.path().join("nowhere")), []);
    }
}
