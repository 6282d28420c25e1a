//! What is wrong with a text, as plain data until it is shown.

use pcl_diagnostics::{Code, Diagnostic, FileId, Severity, Span, TextRange};

use crate::tree::SyntaxTree;

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

    /// With a second place: mostly what was opened, or where it must have ended.
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

    /// The finding in words, with labels, help and edits.
    #[must_use]
    pub fn to_diagnostic(&self, file: FileId, _tree: &SyntaxTree) -> Diagnostic {
        let span = Span::new(file, self.range);
        let diagnostic =
            Diagnostic::error(self.code, span, self.code.summary()).with_severity(self.severity());
        [self.related, self.opener]
            .into_iter()
            .flatten()
            .fold(diagnostic, |diagnostic, range| {
                diagnostic.label(Span::new(file, range), "belongs to this")
            })
    }
}
