//! Access to files and remote content, which the caller supplies.

use std::io::{self, ErrorKind, Read};

/// The kind of the error for content that is there and not read: what is made of it is unknown.
pub const NOT_READ: ErrorKind = ErrorKind::WouldBlock;

/// The files and the remote content that assets and archives refer to.
///
/// This crate opens nothing itself: an embedder may have no file system, a preview must not
/// download, and only the caller knows the directory of the program. An implementation opens
/// regular files only, so that no device or pipe blocks.
pub trait Contents {
    /// Opens a file. The path is as the program wrote it; a relative one belongs to the working
    /// directory of the run.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened or is no regular file, and one of the kind
    /// [`NOT_READ`] if it is there and not read.
    fn file(&self, path: &str) -> io::Result<Content<'_>>;

    /// Lists a directory, in any order. Links to directories are not listed; links to files are
    /// files.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotADirectory`] for anything but a directory, and other errors if it
    /// cannot be read.
    fn directory(&self, path: &str) -> io::Result<Vec<Entry>>;

    /// Opens the content of an `http` or `https` URI.
    ///
    /// # Errors
    /// Returns an error if it cannot be fetched.
    fn fetch(&self, uri: &str) -> io::Result<Content<'_>>;

    /// Returns true for a path outside of the project, which a run reports.
    fn is_outside(&self, _path: &str) -> bool {
        false
    }

    /// The most bytes that the content of an asset or archive may have, decompressed.
    fn limit(&self) -> u64 {
        4 << 30
    }
}

/// Content that is being read.
pub struct Content<'c> {
    /// The number of bytes.
    pub size: u64,
    /// The bytes: as many as `size` says.
    pub reader: Box<dyn Read + 'c>,
}

impl<'c> Content<'c> {
    /// Content in memory.
    #[must_use]
    pub fn of(bytes: &'c [u8]) -> Self {
        Self { size: bytes.len() as u64, reader: Box::new(bytes) }
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// True for a directory, false for a file.
    pub is_directory: bool,
}

/// No files and no remote content: only text has content.
#[derive(Clone, Copy, Debug)]
pub struct NoContents;

impl Contents for NoContents {
    fn file(&self, _: &str) -> io::Result<Content<'_>> {
        Err(refused("there are no files here"))
    }

    fn directory(&self, _: &str) -> io::Result<Vec<Entry>> {
        Err(refused("there are no files here"))
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        Err(refused("there is no remote content here"))
    }
}

fn refused(reason: &'static str) -> io::Error {
    io::Error::new(ErrorKind::Unsupported, reason)
}
