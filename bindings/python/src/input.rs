//! Programs as the caller names them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pcl::binder::OpenFiles;
use pcl::{MemoryFiles, Target};
use pyo3::prelude::*;

/// A program: a path, or files.
#[derive(FromPyObject)]
pub enum Input {
    /// The contents of files by path; the program is that of the directory.
    #[pyo3(transparent)]
    Files((String, BTreeMap<String, Vec<u8>>)),
    /// A directory, or a file.
    #[pyo3(transparent)]
    Path(PathBuf),
}

/// A program that can be read.
#[derive(Clone)]
pub enum Program {
    Disk(PathBuf),
    Memory(Memory),
}

/// A program in memory.
#[derive(Clone)]
pub struct Memory {
    pub directory: String,
    pub files: MemoryFiles,
}

impl Program {
    pub fn target(&self) -> Target {
        match self {
            Self::Disk(path) => Target::Path(path.clone()),
            Self::Memory(memory) => memory.files.target(&memory.directory),
        }
    }

    /// The files that count instead of those on disk.
    pub fn open(&self) -> Arc<OpenFiles> {
        match self {
            Self::Disk(_) => Arc::default(),
            Self::Memory(memory) => Arc::clone(memory.files.programs()),
        }
    }

    /// The directory whose configuration counts; `None` for a program that is not on a disk.
    pub fn directory(&self) -> Option<PathBuf> {
        match self {
            Self::Disk(path) if path.is_file() => {
                Some(pcl_system::directory_of(path).to_path_buf())
            }
            Self::Disk(path) => Some(path.clone()),
            Self::Memory(_) => None,
        }
    }
}

impl From<Input> for Program {
    fn from(input: Input) -> Self {
        match input {
            Input::Path(path) => Self::Disk(path),
            Input::Files((directory, contents)) => {
                let mut files = MemoryFiles::default();
                for (path, content) in contents {
                    files.insert(&path, content);
                }
                Self::Memory(Memory { directory, files })
            }
        }
    }
}
