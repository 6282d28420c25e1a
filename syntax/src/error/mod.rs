//! What is wrong with a text, as plain data until it is shown.

use pcl_diagnostics::{Code, Diagnostic, FileId, Severity, Span, TextRange};

use crate::tree::SyntaxTree;

/// One finding of the lexer or the parser. Text is made of it at the edge, by [`to_diagnostic`](Self::to_diagnostic).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    code: Code,
    range: TextRange,
}

impl SyntaxError {
    /// What kind of finding it is.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The place to blame.
    #[must_use]
    pub fn range(&self) -> TextRange {
        self.range
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        Severity::Error
    }

    /// Whether the file is refused for it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() != Severity::Warning
    }

    /// The finding in words, with labels, help and edits.
    #[must_use]
    pub fn to_diagnostic(&self, file: FileId, _tree: &SyntaxTree) -> Diagnostic {
        Diagnostic::error(self.code, Span::new(file, self.range), self.code.summary())
    }
}
