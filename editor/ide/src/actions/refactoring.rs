//! A refactoring, as an editor offers it.

use pcl::diagnostics::TextEdit;

/// The kind of an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefactoringKind {
    /// It names a part of the text.
    Extract,
    /// It puts a value in the place of its name.
    Inline,
    /// It writes the same in another way, or adds what is missing.
    Rewrite,
    /// It writes the same in another file.
    Move,
}

/// A file that an edit makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewFile {
    /// The absolute path. Nothing is there, and its directory may be missing, too.
    pub path: String,
    /// The content.
    pub text: String,
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
    /// The files that are made.
    pub created: Vec<NewFile>,
}

impl Refactoring {
    pub(super) fn new(
        title: impl Into<String>,
        kind: RefactoringKind,
        edits: Vec<TextEdit>,
    ) -> Self {
        Self { title: title.into(), kind, edits, created: Vec::new() }
    }
}
