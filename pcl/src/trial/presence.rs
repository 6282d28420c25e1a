//! The existence of files. A trial does not read them.

use std::io;
use std::path::PathBuf;

use pcl_values::{Content, Contents, Entry, NOT_READ};

/// The files of a program, which exist or not and are never read. Without a directory, all of them
/// exist.
pub(super) struct Presence(pub Option<PathBuf>);

impl Presence {
    /// Looks for a file or directory. Paths of other machines are not followed: to look for these
    /// would connect to them.
    fn look(&self, path: &str) -> io::Result<()> {
        match &self.0 {
            Some(directory) if !pcl_system::is_remote(path) => {
                std::fs::metadata(directory.join(path)).map(drop)
            }
            _ => Ok(()),
        }
    }
}

impl Contents for Presence {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        self.look(path)?;
        Err(NOT_READ.into())
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        self.look(path)?;
        Err(NOT_READ.into())
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        Err(NOT_READ.into())
    }
}
