//! Documents that are written program by program.

use crate::render::Format;
use crate::render::part::Part;
use crate::render::report::ReportSettings;
use crate::render::sarif;
use crate::render::statistics::Summary;

/// A document in the making: what it opens with, the parts of programs, and its end. None of the
/// programs is kept.
#[derive(Debug)]
pub struct Stream {
    format: Format,
    settings: ReportSettings,
    /// The number of diagnostics that people are shown.
    limit: usize,
    shown: usize,
    hidden: usize,
    has_parts: bool,
    rules: sarif::Rules,
}

impl Stream {
    /// A document of this format.
    pub fn new(format: Format, settings: &ReportSettings) -> Self {
        Self {
            format,
            settings: settings.clone(),
            limit: usize::MAX,
            shown: 0,
            hidden: 0,
            has_parts: false,
            rules: sarif::Rules::default(),
        }
    }

    /// Limits the diagnostics of a format for people; those of machine formats are always complete.
    #[must_use]
    pub fn with_limit(mut self, limit: Option<usize>) -> Self {
        if self.format.is_for_people() {
            self.limit = limit.unwrap_or(usize::MAX);
        }
        self
    }

    /// The text before the first program.
    pub fn open(&self) -> Vec<u8> {
        (self.format.layout().open)(&self.settings)
    }

    /// The text that a further program adds.
    pub fn add(&mut self, part: Part) -> Vec<u8> {
        let bytes = match self.format {
            Format::Sarif => self.rules.number(&part),
            format if format.is_for_people() => self.within_limit(part),
            _ => part.bytes,
        };
        let between = self.format.layout().between;
        if bytes.is_empty() {
            return bytes;
        }
        let is_first = !std::mem::replace(&mut self.has_parts, true);
        if is_first || between.is_empty() { bytes } else { [between.as_bytes(), &bytes].concat() }
    }

    /// The bytes of a part up to the limit.
    fn within_limit(&mut self, part: Part) -> Vec<u8> {
        let room = self.limit - self.shown;
        let count = part.pieces.len();
        let mut bytes = part.bytes;
        if count > room {
            let last = room.checked_sub(1).and_then(|last| part.pieces.get(last));
            bytes.truncate(last.map_or(0, |piece| piece.end));
        }
        self.shown += count.min(room);
        self.hidden += count.saturating_sub(room);
        bytes
    }

    /// The number of diagnostics that the limit has hidden.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The text after the last program.
    pub fn close(&self, summary: &Summary) -> Vec<u8> {
        (self.format.layout().close)(&self.rules, &self.settings, summary)
    }
}
