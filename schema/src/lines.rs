//! Lines and columns of a document, each byte counted once.

use std::sync::{Mutex, PoisonError};

use crate::Position;
use crate::document::Document;
use crate::scan::Bytes;
use crate::yaml;

/// The distance of the places that are remembered, in bytes.
const BLOCK: usize = 64 * 1024;

/// Nobody looks up a place in a line of more bytes.
const LONGEST_LINE: usize = 1_000;

/// The lines of a document, as far as somebody asked for them.
#[derive(Debug)]
pub(crate) struct Lines {
    /// The place of the start of each block.
    blocks: Mutex<Vec<Place>>,
}

impl Lines {
    pub fn new() -> Self {
        let start = Place { line: 1, column: 1 };
        Self {
            blocks: Mutex::new(vec![start]),
        }
    }

    /// The place of a byte. Reads what of the document comes before it and was not read for another place.
    pub fn position(&self, document: &Document, offset: usize) -> Position {
        if let Document::Rewritten(document) = document {
            let place = yaml::place_of(&document.places, offset);
            return place.map_or(Position::START, |place| place.position);
        }
        let offset = offset.min(usize::try_from(document.len()).unwrap_or(usize::MAX));
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        while blocks.len() <= offset / BLOCK {
            let last = blocks.len() - 1;
            let next = blocks[last].after(document, last * BLOCK..(last + 1) * BLOCK);
            blocks.push(next);
        }
        let block = offset / BLOCK;
        let place = blocks[block].after(document, block * BLOCK..offset);
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position {
            offset: narrow(offset),
            line: narrow(place.line),
            column: narrow(place.column),
        }
    }

    /// The place of a byte in a line that a person can read; `None` where a document has no such lines.
    pub fn readable_position(&self, document: &Document, offset: usize) -> Option<Position> {
        let start = offset.saturating_sub(LONGEST_LINE);
        let is_readable = start == 0
            || matches!(document, Document::Rewritten(_))
            || document
                .read(start..offset)
                .is_ok_and(|before| before.contains(&b'\n'));
        is_readable.then(|| self.position(document, offset))
    }
}

/// A line and a column, from 1.
#[derive(Debug, Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    /// The place after these bytes, which begin here. Those that cannot be read any more have no lines.
    fn after(mut self, document: &Document, bytes: Bytes) -> Self {
        let bytes = document.read(bytes).unwrap_or_default();
        let last_line = match memchr::memrchr(b'\n', &bytes) {
            Some(newline) => {
                self.line += memchr::memchr_iter(b'\n', &bytes).count();
                self.column = 1;
                &bytes[newline + 1..]
            }
            None => &bytes[..],
        };
        let is_start = |byte: &&u8| **byte & 0xC0 != 0x80;
        self.column += last_line.iter().filter(is_start).count();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_a_plain_count() {
        let line = |at: usize| format!("{:1$}é\n", "", at * 37 % 2_000);
        let text: String = (0..500).map(line).collect();
        let document = Document::Memory(text.clone().into_bytes());
        let lines = Lines::new();
        for offset in (0..text.len()).step_by(7_919).rev() {
            let before = String::from_utf8_lossy(&text.as_bytes()[..offset]);
            let last = before.rsplit('\n').next().unwrap_or_default();
            let place = lines.position(&document, offset);
            assert_eq!(place.line as usize, before.matches('\n').count() + 1);
            assert_eq!(place.column as usize, last.chars().count() + 1);
            let readable = lines.readable_position(&document, offset);
            assert_eq!(readable.is_some(), last.len() < LONGEST_LINE);
        }
        let blocks = lines.blocks.lock().unwrap();
        assert_eq!(blocks.len(), text.len() / BLOCK + 1);
    }

    #[test]
    fn a_document_of_one_line_is_not_counted() {
        let document = Document::Memory(vec![b' '; 10 * BLOCK]);
        let lines = Lines::new();
        assert_eq!(lines.readable_position(&document, 9 * BLOCK), None);
        assert_eq!(lines.blocks.lock().unwrap().len(), 1);
    }
}
