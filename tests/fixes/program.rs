//! The programs that fixes change.

use std::path::PathBuf;

use pcl::Target;

/// A program in memory, with a directory for its components and schemas.
#[derive(Clone)]
pub struct Program {
    pub name: String,
    pub directory: PathBuf,
    pub files: Vec<(String, String)>,
}

impl Program {
    /// The program to check.
    pub fn target(&self) -> Target {
        let file = |(name, text): &(String, String)| (name.clone(), text.clone().into_bytes());
        Target::Memory {
            path: self.name.clone(),
            directory: Some(self.directory.clone()),
            files: self.files.iter().map(file).collect(),
        }
    }
}
