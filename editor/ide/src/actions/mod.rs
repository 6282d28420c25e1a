//! Edits that an editor offers at a place.

mod expressions;
mod extract;
mod fixes;
mod inline;
mod inputs;
mod placeholder;
mod rewrite;

use pcl::diagnostics::{FileId, TextEdit, TextRange};

pub use self::fixes::{Quickfix, quick_fixes};
use crate::Analysis;

/// The kind of an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefactoringKind {
    /// It names a part of the text.
    Extract,
    /// It puts a value in the place of its name.
    Inline,
    /// It writes the same in another way, or adds what is missing.
    Rewrite,
}

/// An edit that keeps a program valid and, unless it adds inputs, its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refactoring {
    /// The effect, in the imperative.
    pub title: String,
    /// The kind.
    pub kind: RefactoringKind,
    /// The edits, which do not overlap.
    pub edits: Vec<TextEdit>,
}

impl Refactoring {
    fn new(title: impl Into<String>, kind: RefactoringKind, edits: Vec<TextEdit>) -> Self {
        Self { title: title.into(), kind, edits }
    }
}

/// The refactorings of what is selected; of what the cursor is on if the range is empty.
#[must_use]
pub fn refactorings(analysis: &mut Analysis, file: FileId, range: TextRange) -> Vec<Refactoring> {
    let mut all = Vec::new();
    all.extend(extract::local(analysis, file, range));
    all.extend(inline::local(analysis, file, range));
    all.extend(rewrite::strings(analysis, file, range));
    all.extend(rewrite::key(analysis, file, range));
    all.extend(inputs::missing(analysis, file, range));
    all
}
