//! A syntax error as plain data: a code and up to three places.
//!
//! The lexer and the parser make nothing else; `messages` turns it into words, labels and fixes.

use pcl_diagnostics::{Code, Severity, TextRange};

/// An error, or a warning, of the lexer or the parser. [`to_diagnostic`](Self::to_diagnostic) puts
/// it into words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    code: Code,
    range: TextRange,
    related: Option<TextRange>,
    opener: Option<TextRange>,
}

impl SyntaxError {
    /// An error at `range`.
    pub const fn new(code: Code, range: TextRange) -> Self {
        Self { code, range, related: None, opener: None }
    }

    /// Adds a second place: the construct that the error belongs to, which begins before it; or, of
    /// an error about a missing closer, the place before which the closer should have been.
    #[must_use]
    pub const fn with_related(mut self, range: TextRange) -> Self {
        self.related = Some(range);
        self
    }

    /// Adds the bracket that a closer at the second place belongs to.
    pub(crate) const fn with_opener(mut self, range: TextRange) -> Self {
        self.opener = Some(range);
        self
    }

    /// The code in the catalogue.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The place to blame.
    pub const fn range(&self) -> TextRange {
        self.range
    }

    /// The second place, if there is one.
    pub const fn related(&self) -> Option<TextRange> {
        self.related
    }

    /// The bracket that a closer at the second place belongs to.
    pub(crate) const fn opener(&self) -> Option<TextRange> {
        self.opener
    }

    /// Returns whether the error concerns anything before `offset`.
    pub(crate) fn starts_before(&self, offset: u32) -> bool {
        let related = self.related.unwrap_or(self.range);
        self.range.start().min(related.start()) < offset
    }

    /// Returns whether a closer is missing: then the second place is after the first.
    pub(crate) fn is_unclosed(&self) -> bool {
        self.related.is_some_and(|related| related.start() >= self.range.end())
    }

    /// The severity: that of an error for all codes but two.
    pub fn severity(&self) -> Severity {
        match self.code {
            Code::HeredocNoFinalNewline | Code::HeredocSwallowing => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// Returns whether the file is refused because of this.
    pub fn is_error(&self) -> bool {
        self.severity() != Severity::Warning
    }
}
