//! Sets of new files in a directory.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::write::{directory_of, draft_beside, new_draft};

/// A file that cannot be written.
#[derive(Debug)]
pub struct WriteFilesError {
    /// The file or directory.
    pub path: PathBuf,
    /// The reason; [`ErrorKind::AlreadyExists`] for a file that is there and may not be replaced.
    pub error: io::Error,
}

impl fmt::Display for WriteFilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteFilesError {}

/// Writes files into a directory: all of them or, if anything fails, none. Missing directories are
/// made. `files` are paths below the directory, with slashes, and contents. Nothing is ever written
/// outside of the directory: no path leads out of it, and links below it are not followed.
///
/// Files that exist are replaced if `replace` is set; otherwise they are errors. No file is seen
/// half-written.
///
/// # Errors
/// Returns an error if a path is not usable, if a file exists or if one cannot be written. All is
/// as before then.
pub fn write_files(
    directory: &Path,
    files: &[(&str, &[u8])],
    replace: bool,
) -> Result<(), WriteFilesError> {
    let mut writer = Writer { directory, replace, made: Vec::new(), done: Vec::new() };
    let result = writer.run(files);
    if result.is_err() {
        writer.undo();
    }
    result
}

struct Writer<'d> {
    directory: &'d Path,
    replace: bool,
    /// The directories that did not exist before, outer ones first.
    made: Vec<PathBuf>,
    /// The files that are in their places, with what was there before.
    done: Vec<(PathBuf, Option<TempPath>)>,
}

impl Writer<'_> {
    fn run(&mut self, files: &[(&str, &[u8])]) -> Result<(), WriteFilesError> {
        let mut known = HashSet::new();
        for (path, _) in files {
            // Some file systems do not tell capitals from small letters.
            if !is_portable(path) || !known.insert(path.to_lowercase()) {
                let error = ErrorKind::InvalidInput.into();
                return Err(failure(&self.directory.join(path), error));
            }
            self.look_at(path)?;
        }
        let mut drafts = Vec::new();
        for (path, content) in files {
            let place = self.directory.join(path);
            self.make_directories(directory_of(&place))?;
            let draft = || -> io::Result<NamedTempFile> {
                let mut draft = new_draft(&place)?;
                draft.write_all(content)?;
                Ok(draft)
            };
            drafts.push((place.clone(), draft().map_err(|error| failure(&place, error))?));
        }
        for (place, draft) in drafts {
            self.put(&place, draft).map_err(|error| failure(&place, error))?;
        }
        Ok(())
    }

    /// Refuses a path on which something is that may not be replaced.
    fn look_at(&self, path: &str) -> Result<(), WriteFilesError> {
        let mut place = self.directory.to_path_buf();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            place.push(part);
            let found = match place.symlink_metadata() {
                Ok(found) => found,
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
                Err(error) => return Err(failure(&place, error)),
            };
            let kind = match (parts.peek().is_some(), found.is_dir()) {
                (true, true) => continue,
                (true, false) => ErrorKind::NotADirectory,
                (false, true) => ErrorKind::IsADirectory,
                (false, false) if self.replace => continue,
                (false, false) => ErrorKind::AlreadyExists,
            };
            return Err(failure(&place, kind.into()));
        }
        Ok(())
    }

    fn make_directories(&mut self, directory: &Path) -> Result<(), WriteFilesError> {
        let is_missing = |place: &&Path| !place.as_os_str().is_empty() && !place.exists();
        let missing: Vec<&Path> = directory.ancestors().take_while(is_missing).collect();
        for place in missing.into_iter().rev() {
            fs::create_dir(place).map_err(|error| failure(place, error))?;
            self.made.push(place.to_path_buf());
        }
        Ok(())
    }

    fn put(&mut self, place: &Path, draft: NamedTempFile) -> io::Result<()> {
        if !self.replace {
            draft.persist_noclobber(place)?;
            self.done.push((place.to_path_buf(), None));
            return Ok(());
        }
        let mut old = None;
        if place.symlink_metadata().is_ok() {
            let beside = draft_beside(place)?.into_temp_path();
            fs::rename(place, &beside)?;
            old = Some(beside);
        }
        self.done.push((place.to_path_buf(), old));
        draft.persist(place)?;
        Ok(())
    }

    /// Puts everything back as it was.
    fn undo(&mut self) {
        for (place, old) in self.done.drain(..).rev() {
            let _ = match old {
                Some(old) => fs::rename(&old, &place),
                None => fs::remove_file(&place),
            };
        }
        for directory in self.made.drain(..).rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

fn failure(path: &Path, error: io::Error) -> WriteFilesError {
    WriteFilesError { path: path.to_path_buf(), error }
}

/// Returns whether a path stays below its directory, and names a file on every system.
fn is_portable(path: &str) -> bool {
    path.split('/').all(|part| {
        !matches!(part, "" | "." | "..")
            && !part.contains(|c: char| c.is_control() || "\\:*?\"<>|".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths below a directory, with the contents of files.
    fn below(directory: &Path) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut open = vec![directory.to_path_buf()];
        while let Some(next) = open.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(directory).unwrap().display().to_string();
                let content = fs::read_to_string(&path).unwrap_or_default();
                found.push((name.replace('\\', "/"), content));
                if path.is_dir() && !path.is_symlink() {
                    open.push(path);
                }
            }
        }
        found.sort();
        found
    }

    fn names(directory: &Path) -> Vec<String> {
        below(directory).into_iter().map(|(name, _)| name).collect()
    }

    const FILES: &[(&str, &[u8])] = &[("main.x", b"main"), ("parts/one/a.x", b"a"), ("b.x", b"")];

    #[test]
    fn all_files_or_none_are_written() {
        let scratch = tempfile::tempdir().unwrap();
        let place = scratch.path().join("deep/out");
        write_files(&place, FILES, false).unwrap();
        let all = ["b.x", "main.x", "parts", "parts/one", "parts/one/a.x"];
        assert_eq!(names(&place), all);

        // One file is in the way.
        let place = scratch.path().join("second");
        fs::create_dir_all(place.join("parts/one")).unwrap();
        fs::write(place.join("parts/one/a.x"), "mine").unwrap();
        let before = below(&place);
        let error = write_files(&place, FILES, false).unwrap_err();
        assert_eq!(error.error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(error.path, place.join("parts/one/a.x"));
        assert_eq!(below(&place), before);
        write_files(&place, FILES, true).unwrap();
        assert_eq!(names(&place), all);
        assert_eq!(fs::read_to_string(place.join("parts/one/a.x")).unwrap(), "a");
        write_files(&place, FILES, true).unwrap();

        // A directory is, which nothing replaces.
        let place = scratch.path().join("third");
        fs::create_dir_all(place.join("b.x")).unwrap();
        fs::write(place.join("main.x"), "mine").unwrap();
        let before = below(&place);
        for replace in [false, true] {
            assert!(write_files(&place, FILES, replace).is_err());
            assert_eq!(below(&place), before);
        }
        let place = scratch.path().join("fourth");
        fs::create_dir(&place).unwrap();
        fs::write(place.join("parts"), "mine").unwrap();
        let error = write_files(&place, FILES, true).unwrap_err();
        assert_eq!(error.error.kind(), ErrorKind::NotADirectory);
        assert_eq!(names(&place), ["parts"]);
    }

    /// A failure in the middle: what was replaced and made before it is put back.
    #[test]
    fn a_failure_puts_everything_back() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("old"), "old").unwrap();
        let mut writer =
            Writer { directory: scratch.path(), replace: true, made: Vec::new(), done: Vec::new() };
        writer.make_directories(&scratch.path().join("a/b")).unwrap();
        for (name, content) in [("old", "new"), ("a/b/c", "c")] {
            let place = scratch.path().join(name);
            let mut draft = new_draft(&place).unwrap();
            draft.write_all(content.as_bytes()).unwrap();
            writer.put(&place, draft).unwrap();
        }
        assert_eq!(fs::read_to_string(scratch.path().join("old")).unwrap(), "new");
        writer.undo();
        assert_eq!(below(scratch.path()), [("old".to_owned(), "old".to_owned())]);
    }

    #[test]
    fn nothing_is_written_outside() {
        let scratch = tempfile::tempdir().unwrap();
        let place = scratch.path().join("out");
        for path in ["../x", "/x", "a/../../x", "", "a//b", "./x", "a\\..\\x", "c:x", "x\n", "a/"] {
            let error = write_files(&place, &[("fine", b""), (path, b"")], true).unwrap_err();
            assert_eq!(error.error.kind(), ErrorKind::InvalidInput, "{path}");
        }
        let twice: &[(&str, &[u8])] = &[("a", b"1"), ("A", b"2")];
        assert!(write_files(&place, twice, true).is_err());
        assert_eq!(names(scratch.path()), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let scratch = tempfile::tempdir().unwrap();
        let [place, outside] = ["out", "outside"].map(|name| scratch.path().join(name));
        fs::create_dir(&place).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "mine").unwrap();
        std::os::unix::fs::symlink(&outside, place.join("parts")).unwrap();
        assert!(write_files(&place, &[("parts/file", b"x")], true).is_err());

        std::os::unix::fs::symlink(outside.join("file"), place.join("link")).unwrap();
        assert!(write_files(&place, &[("link", b"x")], false).is_err());
        write_files(&place, &[("link", b"x")], true).unwrap();
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(place.join("link")).unwrap(), "x");
        assert!(!place.join("link").is_symlink());
    }
}
