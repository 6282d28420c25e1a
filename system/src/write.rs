//! Writing files: those of the user, those of `pcl`, and what runs leave behind that are ended
//! while they write.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::paths::real_path;
use crate::read::{is_same_state, open_with};

/// Replaces the content of a user's file: afterwards it holds `new`, or `old` if anything fails.
///
/// A link stays a link, and mode, ownership, extended attributes and other names of the file are
/// kept. Where the directory and these allow it, the new content is written beside the file and
/// renamed over it. Otherwise `old` is saved in a backup before the file is written, and the backup
/// is removed afterwards.
///
/// # Errors
/// Returns an error if the file cannot be written, or if it no longer holds `old`: another process
/// has changed it, and it is left alone. If the content cannot be restored after a failure either,
/// the backup is kept, and the error names it.
pub fn write(path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let path = real_path(path)?;
    // Renaming needs no permission to write the file itself; its owner may have refused it.
    let (mut file, _) = open_with(&path, OpenOptions::new().read(true).write(true))?;
    let state = file.metadata()?;
    if !holds(&mut file, old)? {
        return Err(changed());
    }
    let is_unchanged =
        || -> io::Result<bool> { Ok(is_same_file(&state, &path.metadata()?, &file.metadata()?)) };
    if let Some(mut draft) = twin(&path, &file) {
        draft.write_all(new)?;
        draft.as_file().sync_all()?;
        if !is_unchanged()? {
            return Err(changed());
        }
        if draft.persist(&path).is_ok() {
            // The name is durable once its directory is; there is nothing to do about a system that
            // cannot do that.
            let _ = File::open(directory_of(&path)).and_then(|directory| directory.sync_all());
            return Ok(());
        }
    }
    let backup = back_up(&path, old)?;
    if !is_unchanged()? {
        return Err(changed());
    }
    write_in_place(&mut file, old, new, backup)
}

fn changed() -> io::Error {
    io::Error::other("it was changed by another program after it was read, and is left as it is")
}

/// Compares a file with what it held when it was read.
fn holds(file: &mut File, old: &[u8]) -> io::Result<bool> {
    if file.metadata()?.len() != old.len() as u64 {
        return Ok(false);
    }
    let mut part = Vec::new();
    for expected in old.chunks(1 << 16) {
        part.resize(expected.len(), 0);
        file.read_exact(&mut part)?;
        if expected != part {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns true if a path still leads to an open file that has not changed since `before`.
fn is_same_file(
    before: &std::fs::Metadata,
    path: &std::fs::Metadata,
    open: &std::fs::Metadata,
) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if (path.dev(), path.ino()) != (open.dev(), open.ino()) {
            return false;
        }
    }
    is_same_state(before, path) && is_same_state(before, open)
}

/// An empty file that can take the place of another; `None` if renaming would lose something.
#[cfg(unix)]
pub(crate) fn twin(path: &Path, file: &File) -> Option<NamedTempFile> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let metadata = file.metadata().ok()?;
    if metadata.nlink() != 1 {
        return None;
    }
    let draft = draft_beside(path).ok()?;
    let own = draft.as_file().metadata().ok()?;
    if (metadata.uid(), metadata.gid()) != (own.uid(), own.gid()) {
        fchown(draft.as_file(), Some(metadata.uid()), Some(metadata.gid())).ok()?;
    }
    copy_attributes(file, draft.as_file()).ok()?;
    // Last, since a new owner and new access lists change the mode.
    let mode = std::fs::Permissions::from_mode(metadata.mode() & 0o7777);
    draft.as_file().set_permissions(mode).ok()?;
    Some(draft)
}

/// Elsewhere nothing says which access lists and other names a file has.
#[cfg(not(unix))]
pub(crate) fn twin(_: &Path, _: &File) -> Option<NamedTempFile> {
    None
}

/// Copies access lists, labels and other extended attributes.
#[cfg(unix)]
fn copy_attributes(from: &File, to: &File) -> io::Result<()> {
    use xattr::FileExt as _;
    let names = match from.list_xattr() {
        Ok(names) => names,
        // A file system without attributes loses none.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in names {
        let value = from.get_xattr(&name)?;
        // The system has set some of them already, and may refuse to have them set.
        if let Some(value) = value
            && to.get_xattr(&name)?.as_ref() != Some(&value)
        {
            to.set_xattr(&name, &value)?;
        }
    }
    Ok(())
}

/// Saves the content of a file beside it, or in the directory for temporary files where that is not
/// allowed.
fn back_up(path: &Path, old: &[u8]) -> io::Result<NamedTempFile> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    let mut builder = Builder::new();
    builder.prefix(&name).suffix(BACKUP);
    let beside = builder.tempfile_in(directory_of(path));
    let mut backup = beside.or_else(|_| builder.tempfile())?;
    backup.write_all(old)?;
    backup.as_file().sync_all()?;
    Ok(backup)
}

fn write_in_place(
    file: &mut File,
    old: &[u8],
    new: &[u8],
    backup: NamedTempFile,
) -> io::Result<()> {
    let Err(error) = put(file, new) else { return backup.close() };
    if put(file, old).is_ok() {
        return Err(error);
    }
    let backup = backup.keep().map_err(io::Error::from)?.1;
    let message =
        format!("{error}; the file is damaged, and its content is saved in `{}`", backup.display());
    Err(io::Error::new(error.kind(), message))
}

/// Writes over what a file holds. It is cut only in the end, so that the old content always finds
/// room where it was.
fn put(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Writes a file of `pcl` as a whole or not at all: whoever reads it sees its old content, or all
/// of `bytes`. Of two that write at once one wins. Missing directories are made, for nobody but the
/// user.
///
/// # Errors
/// Returns an error if the file cannot be written. Nothing is left behind then.
pub fn replace(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut directories = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut directories, 0o700);
    directories.recursive(true).create(directory_of(place))?;
    let mut draft = new_draft(place)?;
    draft.write_all(bytes)?;
    draft.persist(place)?;
    Ok(())
}

/// An empty file beside `place` with the permissions of a new file. It is removed when it is
/// dropped.
pub(crate) fn new_draft(place: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    name_draft(&mut builder);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory_of(place))
}

/// An empty file beside `place` that only the user can read. It is removed when it is dropped.
pub(crate) fn draft_beside(place: &Path) -> io::Result<NamedTempFile> {
    name_draft(&mut Builder::new()).tempfile_in(directory_of(place))
}

/// Gives drafts the names that `pcl` knows them by.
fn name_draft<'b>(builder: &'b mut Builder<'static, 'static>) -> &'b mut Builder<'static, 'static> {
    builder.prefix(DRAFT[0]).suffix(DRAFT[1])
}

/// The directory that contains a file; `.` for a bare name, whose parent is the empty path.
pub fn directory_of(place: &Path) -> &Path {
    match place.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The start and the end of the name of a draft.
const DRAFT: [&str; 2] = [".pcl-", ".tmp"];

/// The end of the name of a backup, which begins with that of its file.
const BACKUP: &str = ".backup";

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
    use std::fs;

    fn file(content: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("main.pp");
        fs::write(&file, content).unwrap();
        (directory, file)
    }

    fn count(directory: &tempfile::TempDir) -> usize {
        fs::read_dir(directory.path()).unwrap().count()
    }

    #[test]
    fn content_of_somebody_else_is_left_alone() {
        for theirs in ["a = 2", "", "a = 1\nb = 2", "a = "] {
            let (directory, file) = file(theirs);
            let error = write(&file, b"a = 1", b"a = 3").unwrap_err();
            assert!(error.to_string().contains("changed"), "{error}");
            assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
            assert_eq!(count(&directory), 1);
        }
    }

    #[test]
    fn a_file_that_is_gone_is_not_made_again() {
        let (directory, file) = file("a");
        fs::remove_file(&file).unwrap();
        assert!(write(&file, b"a", b"b").is_err());
        assert_eq!(count(&directory), 0);
    }

    #[test]
    fn content_in_place_may_grow_and_shrink() {
        let (directory, file) = file("12345");
        fs::hard_link(&file, directory.path().join("other")).unwrap();
        for (old, new) in [("12345", "1"), ("1", "123456789"), ("123456789", "")] {
            write(&file, old.as_bytes(), new.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(directory.path().join("other")).unwrap(), new);
        }
        assert_eq!(count(&directory), 2);
    }

    /// A file that is open for reading alone takes neither the new content nor the old one.
    #[test]
    fn a_backup_that_is_needed_is_kept_and_named() {
        let (directory, file) = file("old");
        let backup = back_up(&file, b"old").unwrap();
        let place = backup.path().to_owned();
        let mut open = File::open(&file).unwrap();
        let error = write_in_place(&mut open, b"old", b"new", backup).unwrap_err();
        assert!(error.to_string().contains(&place.display().to_string()), "{error}");
        assert_eq!(fs::read_to_string(place).unwrap(), "old");
        assert_eq!(count(&directory), 2);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let taken = directory.path().join("taken");
        std::fs::create_dir(&taken).unwrap();
        assert!(replace(&taken, b"new").is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);

        let place = directory.path().join("made/on/the/way");
        for content in ["one", "two"] {
            replace(&place, content.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&place).unwrap(), content);
        }
    }

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
