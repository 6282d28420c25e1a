//! Lines and columns of a document, each byte counted once.

use std::sync::{Mutex, PoisonError};

use pcl_diagnostics::LineColumn;

use crate::scan::Bytes;
use crate::source::SchemaSource;
use crate::yaml;

/// The distance of the offsets whose lines are remembered, in bytes.
const BLOCK: usize = 4 * 1024;

/// In a line of more bytes, a person cannot look up a column.
const LONGEST_LINE: usize = 1_000;

pub(crate) const FIRST: LineColumn = LineColumn { line: 1, column: 1 };

/// The lines of a document, as far as positions were asked for.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The positions of the starts of all blocks but the first.
    blocks: Mutex<Vec<LineColumn>>,
}

impl Lines {
    /// Line and column of a byte. Reads what of the document comes before it and was not read for
    /// another one.
    pub fn position(&self, document: &SchemaSource, offset: usize) -> LineColumn {
        if let SchemaSource::Rewritten(document) = document {
            let place = yaml::place_of(&document.places, offset);
            return place.map_or(FIRST, |place| place.position);
        }
        let offset = offset.min(usize::try_from(document.len()).unwrap_or(usize::MAX));
        let wanted = offset / BLOCK;
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut start = match wanted.min(blocks.len()).checked_sub(1) {
            Some(known) => blocks.get(known).copied().unwrap_or(FIRST),
            None => FIRST,
        };
        for block in blocks.len()..wanted {
            start = after(start, document, block * BLOCK..(block + 1) * BLOCK);
            blocks.push(start);
        }
        after(start, document, wanted * BLOCK..offset)
    }

    /// The position of a byte in a line that a person can read; `None` where a document has no such
    /// lines.
    pub fn readable_position(&self, document: &SchemaSource, offset: usize) -> Option<LineColumn> {
        let start = offset.saturating_sub(LONGEST_LINE);
        let is_readable = start == 0
            || matches!(document, SchemaSource::Rewritten(_))
            || document.read(start..offset).is_ok_and(|before| before.contains(&b'\n'));
        is_readable.then(|| self.position(document, offset))
    }
}

/// The position after these bytes, which begin at `start`. Bytes that can no longer be read have no
/// lines.
fn after(start: LineColumn, document: &SchemaSource, bytes: Bytes) -> LineColumn {
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let bytes = document.read(bytes).unwrap_or_default();
    let is_start = |byte: &&u8| **byte & 0xC0 != 0x80;
    let columns = |bytes: &[u8]| narrow(bytes.iter().filter(is_start).count());
    let mut from_end = bytes.rsplitn(2, |byte| *byte == b'\n');
    let last_line = from_end.next().unwrap_or_default();
    match from_end.next() {
        Some(before) => LineColumn {
            line: start
                .line
                .saturating_add(narrow(memchr::memchr_iter(b'\n', before).count()))
                .saturating_add(1),
            column: columns(last_line).saturating_add(1),
        },
        None => {
            LineColumn { line: start.line, column: start.column.saturating_add(columns(last_line)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_a_plain_count() {
        const STEP: usize = 7_919;
        let line = |at: usize| format!("{:1$}é\n", "", at * 37 % 2_000);
        let text: String = (0..500).map(line).collect();
        let document = SchemaSource::Memory(text.clone().into_bytes());
        let lines = Lines::default();
        for offset in (0..text.len()).step_by(STEP).rev() {
            let before = String::from_utf8_lossy(&text.as_bytes()[..offset]);
            let last = before.rsplit('\n').next().unwrap_or_default();
            let place = lines.position(&document, offset);
            assert_eq!(place.line as usize, before.matches('\n').count() + 1);
            assert_eq!(place.column as usize, last.chars().count() + 1);
            let readable = lines.readable_position(&document, offset);
            assert_eq!(readable.is_some(), last.len() < LONGEST_LINE);
        }
        let blocks = lines.blocks.lock().unwrap();
        let furthest = (text.len() - 1) / STEP * STEP;
        assert_eq!(blocks.len(), furthest / BLOCK);
    }

    #[test]
    fn a_document_of_one_line_is_not_counted() {
        let document = SchemaSource::Memory(vec![b' '; 10 * BLOCK]);
        let lines = Lines::default();
        assert_eq!(lines.readable_position(&document, 9 * BLOCK), None);
        assert_eq!(lines.blocks.lock().unwrap().len(), 0);
    }
}
