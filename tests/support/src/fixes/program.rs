//! The programs that fixes change.

use std::path::PathBuf;

use pcl::Target;
use pcl::diagnostics::Fix;

/// A program in memory, with a directory for its components and schemas.
#[derive(Clone)]
pub struct Program {
    pub name: String,
    pub directory: PathBuf,
    pub files: Vec<(String, String)>,
    /// Set if its tokens were changed at random. A guess about such a text may be wrong.
    pub is_mutant: bool,
}

impl Program {
    /// Returns whether all edits of a fix are in files of the program.
    pub fn holds(&self, fix: &Fix) -> bool {
        let mut files = fix.edits.iter().map(|edit| edit.span.file.0 as usize);
        files.all(|file| file < self.files.len())
    }

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
