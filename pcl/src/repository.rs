//! The git repository that holds a directory.

use std::path::{Path, PathBuf};

/// Returns true if a directory is the root of a git repository or of one of its worktrees, which
/// have a file `.git`.
pub(crate) fn is_repository(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}

/// The nearest directory at or above `directory` that is the root of a git repository.
#[must_use]
pub fn repository_of(directory: &Path) -> Option<PathBuf> {
    let root = directory.ancestors().find(|place| is_repository(place));
    root.map(Path::to_path_buf)
}
