//! Programs as the caller names them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pcl::Target;
use pcl::binder::OpenFiles;
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
pub struct Program {
    pub target: Target,
    pub open: Arc<OpenFiles>,
}

impl From<Input> for Program {
    fn from(input: Input) -> Self {
        match input {
            Input::Path(path) => Self {
                target: Target::Path(path),
                open: Arc::default(),
            },
            Input::Files((directory, files)) => {
                let mut open = OpenFiles::default().without_disk();
                for (path, text) in files {
                    open.insert(path, Arc::new(pcl::syntax::parse_bytes(text)));
                }
                Self {
                    target: Target::Path(PathBuf::from(directory)),
                    open: Arc::new(open),
                }
            }
        }
    }
}
