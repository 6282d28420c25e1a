//! The programs that fixes change.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::diagnostics::{Code, Diagnostic, Fix};
use pcl::{Checked, Target};

use crate::root;

/// A program in memory, with a directory for its components and schemas.
#[derive(Clone)]
pub struct Program {
    pub name: String,
    pub directory: PathBuf,
    pub files: Vec<(String, String)>,
    /// The program whose tokens were changed at random, if this is a mutant.
    pub original: Option<Arc<Original>>,
}

/// The diagnostics of a program before its tokens are changed at random. A mutant may hide them,
/// and so a fix of it may reveal them.
#[derive(Default)]
pub struct Original(HashSet<(Code, String)>);

impl Original {
    pub fn new(checked: &Checked) -> Self {
        Self(checked.diagnostics.iter().map(kind).collect())
    }

    pub(super) fn has(&self, diagnostic: &Diagnostic) -> bool {
        self.0.contains(&kind(diagnostic))
    }
}

/// The code of a diagnostic and its message without the names in it, which a mutation may change.
fn kind(diagnostic: &Diagnostic) -> (Code, String) {
    let parts = diagnostic.message.split('`').step_by(2);
    (diagnostic.code, parts.collect::<Vec<_>>().join("`"))
}

impl Program {
    /// The `.pp` files of a directory, or one of them; `None` if there are none that are text.
    pub fn read(path: &Path) -> Option<Self> {
        let (directory, mut paths) = if path.is_dir() {
            let entries = std::fs::read_dir(path).ok()?;
            let paths = entries.map(|entry| Some(entry.ok()?.path()));
            (path.to_owned(), paths.collect::<Option<Vec<_>>>()?)
        } else {
            (path.parent()?.to_owned(), vec![path.to_owned()])
        };
        paths.sort();
        let is_source = |path: &PathBuf| path.extension().is_some_and(|e| e == "pp");
        let files = paths.into_iter().filter(is_source).filter_map(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            Some((path.file_name()?.to_string_lossy().into_owned(), text))
        });
        let files: Vec<_> = files.collect();
        let name = path.strip_prefix(root()).unwrap_or(path);
        (!files.is_empty()).then(|| Self {
            name: name.display().to_string(),
            directory,
            files,
            original: None,
        })
    }

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
