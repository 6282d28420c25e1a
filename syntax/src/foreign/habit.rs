//! One use of a foreign notation: its report, its reading, and its PCL.

use pcl_diagnostics::{Applicability, Code, TextRange};

use crate::error::SyntaxError;
use crate::kind::SyntaxKind;

/// One use of a foreign notation.
pub(super) struct Habit {
    pub(super) error: SyntaxError,
    /// The text that the lexer reads as one token each, in order.
    pub(super) readings: Vec<(TextRange, SyntaxKind)>,
    pub(super) edits: Vec<(TextRange, String)>,
    pub(super) applicability: Applicability,
}

impl Habit {
    /// A habit at `range`, which has no fix.
    pub(super) fn new(code: Code, range: TextRange) -> Self {
        Self {
            error: SyntaxError::new(code, range),
            readings: Vec::new(),
            edits: Vec::new(),
            applicability: Applicability::Unsafe,
        }
    }

    /// A habit that is all of a value.
    pub(super) fn value(code: Code, range: TextRange) -> Self {
        Self::new(code, range).read(range, SyntaxKind::Foreign)
    }

    /// Adds a second place to the error.
    pub(super) fn related(mut self, range: TextRange) -> Self {
        self.error = self.error.with_related(range);
        self
    }

    /// Has `range` read as one token of this kind.
    pub(super) fn read(mut self, range: TextRange, kind: SyntaxKind) -> Self {
        self.readings.push((range, kind));
        self
    }

    /// Adds an edit to the fix.
    pub(super) fn edit(mut self, range: TextRange, text: impl Into<String>) -> Self {
        self.edits.push((range, text.into()));
        self
    }

    /// Replaces what is blamed by `text`, if there is one.
    pub(super) fn instead(self, text: Option<String>) -> Self {
        let range = self.error.range();
        match text {
            Some(text) => self.edit(range, text),
            None => self,
        }
    }

    /// Makes the fix a safe one.
    pub(super) fn safe(mut self) -> Self {
        self.applicability = Applicability::Safe;
        self
    }

    /// The text from the first reading to the last.
    pub(super) fn extent(&self) -> TextRange {
        let ranges = self.readings.iter().map(|(range, _)| *range);
        ranges.fold(self.error.range(), TextRange::cover)
    }
}
