//! The files of a program on disk.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pcl_values::{Content, Contents, Entry};

/// The files of a program on disk, without remote content.
///
/// Only regular files are read. A path outside of the project is read too, as Pulumi does, and kept
/// for a warning: a program that was not written by its user should not be trusted with that.
#[derive(Debug)]
pub struct FileContents {
    working_directory: PathBuf,
    root: PathBuf,
    outside: Mutex<BTreeSet<String>>,
}

impl FileContents {
    /// The files that relative paths in a working directory lead to. Those outside of `root`, the
    /// directory of the project, are kept for [`FileContents::outside`].
    #[must_use]
    pub fn new(working_directory: impl Into<PathBuf>, root: impl Into<PathBuf>) -> Self {
        let (working_directory, root) = (working_directory.into(), root.into());
        Self {
            root: pcl_system::real_path(&root).unwrap_or(root),
            working_directory,
            outside: Mutex::default(),
        }
    }

    /// The paths outside of the project that were read, as they are written, sorted.
    #[must_use]
    pub fn outside(&self) -> Vec<String> {
        let outside = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        outside.iter().cloned().collect()
    }

    fn place(&self, written: &str) -> PathBuf {
        let place = self.working_directory.join(written);
        let real = pcl_system::real_path(&place).unwrap_or_else(|_| cleaned(&place));
        if !real.starts_with(&self.root) {
            let mut outside = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
            outside.insert(written.to_owned());
        }
        place
    }
}

/// A path without `.` and `..`, for one that does not exist.
fn cleaned(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = cleaned.pop(),
            Component::CurDir => {}
            other => cleaned.push(other),
        }
    }
    cleaned
}

impl Contents for FileContents {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        let file = pcl_system::open(&self.place(path))?;
        let size = file.metadata()?.len();
        Ok(Content {
            size,
            reader: Box::new(file),
        })
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        let place = self.place(path);
        if !place.is_dir() {
            // The caller tells files from what is missing.
            std::fs::metadata(&place)?;
            return Err(ErrorKind::NotADirectory.into());
        }
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(&place)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                let message = "a name in the directory is not UTF-8";
                return Err(io::Error::new(ErrorKind::InvalidData, message));
            };
            let kind = entry.file_type()?;
            let is_link_to_directory = kind.is_symlink() && entry.path().is_dir();
            if !is_link_to_directory {
                entries.push(Entry {
                    name,
                    is_directory: kind.is_dir(),
                });
            }
        }
        Ok(entries)
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        let message = "remote content is not fetched here";
        Err(io::Error::new(ErrorKind::Unsupported, message))
    }
}
