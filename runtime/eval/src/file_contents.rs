//! The files of a program on disk.

use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use pcl_values::{Content, Contents, Entry};

use crate::expression::convert::MAX_TEXT;

/// The files of a program on disk, without remote content.
///
/// Only regular files are read. A path outside of the project is read too, as Pulumi does.
#[derive(Debug)]
pub struct FileContents {
    working_directory: PathBuf,
    root: Option<PathBuf>,
}

impl FileContents {
    /// The files that relative paths in a working directory lead to.
    pub fn new(working_directory: impl Into<PathBuf>) -> Self {
        Self { working_directory: working_directory.into(), root: None }
    }

    /// The same with the directory of the project: a run warns of files outside of it, as a program
    /// that was not written by its user should not be trusted with them.
    #[must_use]
    pub fn with_project(self, root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { root: Some(pcl_system::real_path(&root).unwrap_or(root)), ..self }
    }

    fn place(&self, written: &str) -> PathBuf {
        self.working_directory.join(written)
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
        match file.metadata()?.len() {
            // Files such as those of `/proc` have content all the same.
            0 => {
                let bytes = pcl_system::read_stream(file, MAX_TEXT as u64)?;
                Ok(Content { size: bytes.len() as u64, reader: Box::new(io::Cursor::new(bytes)) })
            }
            size => Ok(Content { size, reader: Box::new(file) }),
        }
    }

    fn is_outside(&self, path: &str) -> bool {
        let Some(root) = &self.root else { return false };
        let place = self.place(path);
        let real = pcl_system::real_path(&place).unwrap_or_else(|_| cleaned(&place));
        !real.starts_with(root)
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
                entries.push(Entry { name, is_directory: kind.is_dir() });
            }
        }
        Ok(entries)
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        let message = "remote content is not fetched here";
        Err(io::Error::new(ErrorKind::Unsupported, message))
    }
}
