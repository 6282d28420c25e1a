//! What TypeScript cannot express, as diagnostics.

use pcl::document::{Document, Place};

/// A construct that the generated program does not express.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// The kind of construct.
    pub limit: Limit,
    /// The place in the program.
    pub place: Place,
    /// A description in one sentence: what is there, and what was written in its place.
    pub message: String,
}

impl Diagnostic {
    /// One line of text: `file:line:column: warning: message`.
    #[must_use]
    pub fn line(&self, document: &Document) -> String {
        let file = document.file(self.place);
        let path = file.map_or("", |file| file.path.as_str());
        let start = document.position(self.place);
        let (line, column) = (start.line, start.column);
        format!("{path}:{line}:{column}: warning: {}", self.message)
    }
}

/// The kinds of constructs that have no counterpart in TypeScript.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// An option of a resource that Pulumi's SDK does not have, or not for this resource.
    Option,
    /// A call in a form that Pulumi's SDK does not have.
    Call,
    /// A value that is an output where the SDK accepts a plain value only.
    Output,
    /// A type or name that did not bind.
    Unbound,
}
