//! Atomic replacement of files: drafts beside them, renamed over them.

use std::fs::DirBuilder;
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::leftovers::DRAFT;

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
#[must_use]
pub fn directory_of(place: &Path) -> &Path {
    match place.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
