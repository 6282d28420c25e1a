//! Columns as editors count them.

use crate::source::LineIndex;

/// The unit in which an editor counts columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: two for characters beyond U+FFFF.
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

impl Encoding {
    /// The width of a character.
    #[must_use]
    pub const fn width(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// The width of a text.
    #[must_use]
    pub fn width_of(self, text: &str) -> usize {
        match self {
            _ if text.is_ascii() => text.len(),
            Self::Utf8 => text.len(),
            _ => text.chars().map(|character| self.width(character)).sum(),
        }
    }
}

impl LineIndex {
    /// The line and column of `offset` in `text`, both counted from 0. An offset past the end is
    /// read as the end, one inside a character as its start. A byte order mark counts as the
    /// character that it is.
    #[must_use]
    pub fn encoded(&self, text: &str, offset: u32, encoding: Encoding) -> (u32, u32) {
        let mut offset = text.len().min(offset as usize);
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset as u32);
        let start = self.line_start(line).unwrap_or(0) as usize;
        let before = text.get(start..offset).unwrap_or_default();
        (line as u32, encoding.width_of(before) as u32)
    }

    /// The offset of a line and column, both counted from 0. A column past the end of its line is
    /// read as the end, which is before the line ending; a line past the end as the end of the
    /// text; a column inside a character as its start.
    #[must_use]
    pub fn offset(&self, text: &str, line: u32, column: u32, encoding: Encoding) -> u32 {
        let Some(start) = self.line_start(line as usize) else {
            return text.len() as u32;
        };
        let end = self.line_start(line as usize + 1).unwrap_or(text.len() as u32);
        let line = text.get(start as usize..end as usize).unwrap_or_default();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let column = column as usize;
        if line.is_ascii() {
            return start + column.min(line.len()) as u32;
        }
        let mut width = 0;
        for (at, character) in line.char_indices() {
            width += encoding.width(character);
            if width > column {
                return start + at as u32;
            }
        }
        start + line.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 1\r\nb = \"é\u{10348}x\"\n";

    #[test]
    fn columns_are_counted_in_the_unit_of_the_editor() {
        let lines = LineIndex::new(TEXT);
        let x = TEXT.find('x').unwrap_or_default() as u32;
        let columns = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32]
            .map(|encoding| lines.encoded(TEXT, x, encoding));
        assert_eq!(columns, [(1, 11), (1, 8), (1, 7)]);
    }

    #[test]
    fn every_place_has_its_column_and_back() {
        let lines = LineIndex::new(TEXT);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (at, character) in TEXT.char_indices() {
                if character == '\n' && at > 0 && TEXT.as_bytes()[at - 1] == b'\r' {
                    continue;
                }
                let (line, column) = lines.encoded(TEXT, at as u32, encoding);
                assert_eq!(lines.offset(TEXT, line, column, encoding), at as u32);
            }
        }
    }

    #[test]
    fn places_outside_of_the_text_are_the_nearest_inside() {
        let lines = LineIndex::new(TEXT);
        let offset = |line, column| lines.offset(TEXT, line, column, Encoding::Utf16);
        assert_eq!(offset(0, 99), 5, "before the line ending");
        assert_eq!(offset(9, 0) as usize, TEXT.len());
        let pair = TEXT.find('\u{10348}').unwrap_or_default() as u32;
        assert_eq!(offset(1, 7), pair, "between the halves of a pair");
        let end = lines.encoded(TEXT, 999, Encoding::Utf8);
        assert_eq!(end, (2, 0));
    }
}
