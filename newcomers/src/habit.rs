//! One use of a foreign notation: its report, its reading, its words, and its PCL.

use std::borrow::Cow;

use pcl_diagnostics::{Applicability, Code, TextRange};
use pcl_syntax::{Note, SyntaxError, SyntaxKind};

/// One use of a foreign notation.
pub(super) struct Habit {
    pub(super) error: SyntaxError,
    /// The text that the lexer reads as one token each, in order.
    pub(super) readings: Vec<(TextRange, SyntaxKind)>,
    pub(super) note: Note,
}

impl Habit {
    /// A habit at `range`, which has the usual words of its code, and no fix.
    pub(super) fn new(code: Code, range: TextRange) -> Self {
        let error = SyntaxError::new(code, range);
        Self { error, readings: Vec::new(), note: Note::new(&error) }
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

    /// Sets the message.
    pub(super) fn message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.note.message = Some(message.into());
        self
    }

    /// Sets the label of the second place.
    pub(super) fn label(mut self, text: &'static str) -> Self {
        self.note.related = Some(text);
        self
    }

    /// Sets the advice.
    pub(super) fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.note.help = Some(help.into());
        self
    }

    /// Sets the title of the fix.
    pub(super) fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.note.title = title.into();
        self
    }

    /// Adds an edit to the fix.
    pub(super) fn edit(mut self, range: TextRange, text: impl Into<String>) -> Self {
        self.note.edits.push((range, text.into()));
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
        self.note.applicability = Applicability::Safe;
        self
    }

    /// The text from the first reading to the last.
    pub(super) fn extent(&self) -> TextRange {
        self.readings.iter().map(|(range, _)| *range).fold(self.error.range(), TextRange::cover)
    }
}
