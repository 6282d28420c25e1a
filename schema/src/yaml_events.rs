//! The events of a YAML document with their places in bytes: what every reader of YAML in this
//! workspace that needs places is built on.

use pcl_diagnostics::LineColumn;
use saphyr_parser::{Event, Marker, Parser};

use crate::words;

/// The number of lists and mappings in one another that are read.
pub const MAX_YAML_DEPTH: usize = 256;

/// The place of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct YamlSpan {
    /// The byte of its start.
    pub start: u32,
    /// The byte of its end; where a list or mapping begins, that of its first character.
    pub end: u32,
    /// The start as line and column.
    pub position: LineColumn,
}

/// The reason why a text is not YAML, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlError {
    /// The place.
    pub at: YamlSpan,
    /// The reason.
    pub reason: String,
}

/// The events of a text. Each costs the same, however long the text is and wherever it is; lists
/// and mappings nest at most [`MAX_YAML_DEPTH`] levels.
pub struct YamlEvents<'t> {
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
    bytes: ByteTable<'t>,
    depth: usize,
}

impl<'t> YamlEvents<'t> {
    /// The events of this text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self { parser: Parser::new_from_str(text), bytes: ByteTable::new(text), depth: 0 }
    }

    fn span(&self, start: &Marker, end: &Marker) -> YamlSpan {
        let [start_byte, end] = [start, end].map(|marker| self.bytes.of(marker.index()));
        YamlSpan {
            start: start_byte,
            end: end.max(start_byte),
            position: LineColumn {
                line: narrow(start.line().max(1)),
                column: narrow(start.col() + 1),
            },
        }
    }
}

impl<'t> Iterator for YamlEvents<'t> {
    type Item = Result<(Event<'t>, YamlSpan), YamlError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (event, span) = match self.parser.next()? {
            Ok(event) => event,
            Err(error) => {
                let at = self.span(error.marker(), error.marker());
                let reason = error.info().to_owned();
                return Some(Err(YamlError { at, reason }));
            }
        };
        let mut at = self.span(&span.start, &span.end);
        match event {
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                self.depth += 1;
                at.end = self.bytes.of(span.start.index() + 1);
            }
            Event::SequenceEnd | Event::MappingEnd => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth > MAX_YAML_DEPTH {
            let reason = words::too_deep();
            return Some(Err(YamlError { at, reason }));
        }
        Some(Ok((event, at)))
    }
}

/// The number of characters between two entries of a [`ByteTable`].
const STRIDE: usize = 64;

/// Finds the byte of a character, since the parser counts characters. Events are not in the order
/// of their places: a block mapping starts where its first key does, and ends where the next event
/// starts.
struct ByteTable<'t> {
    text: &'t str,
    /// The byte of each character whose number is a multiple of [`STRIDE`].
    bytes: Vec<u32>,
}

impl<'t> ByteTable<'t> {
    fn new(text: &'t str) -> Self {
        let places = text.char_indices().step_by(STRIDE);
        let bytes = places.map(|(byte, _)| narrow(byte)).collect();
        Self { text, bytes }
    }

    fn of(&self, character: usize) -> u32 {
        let Some(&before) = self.bytes.get(character / STRIDE) else {
            return narrow(self.text.len());
        };
        let rest = self.text.get(before as usize..).unwrap_or_default();
        let mut rest = rest.char_indices();
        match rest.nth(character % STRIDE) {
            Some((more, _)) => before + narrow(more),
            None => narrow(self.text.len()),
        }
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nested(levels: usize) -> [String; 3] {
        let mappings = |i: usize| format!("{}a:\n", " ".repeat(i));
        [
            (0..levels).map(mappings).collect(),
            "- ".repeat(levels) + "1\n",
            "? ".repeat(levels) + "1\n",
        ]
    }

    #[test]
    fn nesting_has_a_limit() {
        for text in nested(MAX_YAML_DEPTH) {
            assert!(YamlEvents::new(&text).all(|event| event.is_ok()), "{text}");
        }
        for text in nested(MAX_YAML_DEPTH + 1) {
            let error = YamlEvents::new(&text).find_map(Result::err).unwrap();
            assert_eq!(error.reason, "the value nests deeper than 256 levels");
        }
    }

    proptest! {
        #[test]
        fn bytes_of_characters(text in "[aé€𝄞\n]{0,300}") {
            let table = ByteTable::new(&text);
            for (character, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(table.of(character) as usize, byte);
            }
            let end = text.chars().count();
            prop_assert_eq!(table.of(end) as usize, text.len());
        }
    }
}
