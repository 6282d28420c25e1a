//! The globs of overrides, which need the feature `walk` as other globs do.

use std::path::Path;

#[cfg(feature = "walk")]
use crate::walk::Excludes;

/// The files that match some globs.
#[derive(Default, Debug)]
pub(super) struct Globs {
    #[cfg(feature = "walk")]
    matched: Excludes,
}

impl Globs {
    /// The files that match one of these globs, in the syntax of `.gitignore` and relative to a
    /// directory.
    ///
    /// # Errors
    /// Returns the reason why one of them cannot be used.
    #[cfg(feature = "walk")]
    pub fn new(directory: &Path, globs: &[impl AsRef<str>]) -> Result<Self, String> {
        let mut matched = Excludes::default();
        matched.add(directory, globs).map_err(|error| error.reason)?;
        Ok(Self { matched })
    }

    #[cfg(not(feature = "walk"))]
    pub fn new(_: &Path, _: &[impl AsRef<str>]) -> Result<Self, String> {
        Err("this build of pcl matches no globs".to_owned())
    }

    /// Returns true if a file or a directory above it matches.
    #[cfg(feature = "walk")]
    pub fn contain(&self, path: &Path) -> bool {
        self.matched.exclude_named(path)
    }

    #[cfg(not(feature = "walk"))]
    pub fn contain(&self, _: &Path) -> bool {
        false
    }
}
