//! What is wrong with a text, as plain data until it is shown.
//!
//! The lexer and the parser leave a code and up to three places. Words, labels, help and edits are made here, when a finding is
//! shown: one file per area, one arm per code.

mod body;
mod draft;
mod expression;
mod header;
mod lexical;
mod template;
mod trial;

use pcl_diagnostics::{Code, Diagnostic, FileId, Severity, TextRange};

use crate::tree::SyntaxTree;
use draft::Context;

/// One finding of the lexer or the parser. Text is made of it at the edge, by [`to_diagnostic`](Self::to_diagnostic).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    code: Code,
    range: TextRange,
    related: Option<TextRange>,
    opener: Option<TextRange>,
}

impl SyntaxError {
    pub(crate) const fn new(code: Code, range: TextRange) -> Self {
        Self {
            code,
            range,
            related: None,
            opener: None,
        }
    }

    /// With a second place: what the finding belongs to and stands before it; or, of something that is not closed, the place
    /// before which it should have been.
    pub(crate) const fn related(mut self, range: TextRange) -> Self {
        self.related = Some(range);
        self
    }

    /// With the bracket that a closer at the second place belongs to.
    pub(crate) const fn opener(mut self, range: TextRange) -> Self {
        self.opener = Some(range);
        self
    }

    /// What kind of finding it is.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The place to blame.
    #[must_use]
    pub const fn range(&self) -> TextRange {
        self.range
    }

    /// Whether it concerns anything before `offset`.
    pub(crate) fn starts_before(&self, offset: u32) -> bool {
        let related = self.related.unwrap_or(self.range);
        self.range.start().min(related.start()) < offset
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        if self.code == Code::HeredocNoFinalNewline {
            Severity::Warning
        } else {
            Severity::Error
        }
    }

    /// Whether the file is refused for it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity() != Severity::Warning
    }

    /// The finding in words, with labels, help and edits. `tree` is the tree that it was found in, `file` the file of that tree.
    #[must_use]
    pub fn to_diagnostic(&self, file: FileId, tree: &SyntaxTree) -> Diagnostic {
        let context = Context::new(self, file, tree);
        let draft = lexical::draft(&context)
            .or_else(|| body::draft(&context))
            .or_else(|| expression::draft(&context))
            .or_else(|| template::draft(&context));
        context.finish(draft)
    }
}
