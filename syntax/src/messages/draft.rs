//! The parts of a message.

use std::borrow::Cow;

use pcl_diagnostics::{Fix, TextRange};

/// The longest text that is quoted in a message, in characters.
const QUOTED: usize = 24;

/// The words of a diagnostic, with the places that differ from those of the error, and its fix.
pub(crate) struct Draft {
    pub(crate) message: Cow<'static, str>,
    pub(crate) place: Option<TextRange>,
    pub(crate) related: Option<&'static str>,
    pub(crate) help: Option<Cow<'static, str>>,
    pub(crate) fix: Option<Fix>,
    pub(crate) labels: Vec<(TextRange, &'static str)>,
    pub(crate) note: Option<String>,
}

impl Draft {
    pub(crate) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            message: message.into(),
            place: None,
            related: None,
            help: None,
            fix: None,
            labels: Vec::new(),
            note: None,
        }
    }

    /// Blames `place` instead of the place of the error, whose second place is not shown then.
    pub(crate) fn at(mut self, place: TextRange) -> Self {
        self.place = Some(place);
        self
    }

    /// Sets the label of the second place.
    pub(crate) fn related(mut self, text: &'static str) -> Self {
        self.related = Some(text);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn label(mut self, range: TextRange, text: &'static str) -> Self {
        self.labels.push((range, text));
        self
    }

    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }
}

/// Returns `text` in backticks, cut at the end of its first line and at a sensible length.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut rest = line.chars();
    let shown: String = rest.by_ref().take(QUOTED).collect();
    let dots = match rest.next() {
        Some(_) => "..",
        None => "",
    };
    format!("`{shown}{dots}`")
}

/// The bytes of the word around `range`, so that what is blamed can be seen.
#[must_use]
pub fn visible(source: &str, range: TextRange) -> TextRange {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let before = source.get(..range.start() as usize).unwrap_or_default();
    let after = source.get(range.end() as usize..).unwrap_or_default();
    let start = before.trim_end_matches(is_word).len() as u32;
    let end = range.end() + (after.len() - after.trim_start_matches(is_word).len()) as u32;
    TextRange::new(start, end)
}
