//! The texts that diagnostics point into, and the translation of offsets to lines and columns.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::span::{FileId, Span};

/// A text that several hold: what is cloned is a reference. Made of a `String` it stays in the
/// memory that it was read into.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceText(Arc<String>);

impl Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for SourceText {
    fn from(mut text: String) -> Self {
        text.shrink_to_fit();
        Self(Arc::new(text))
    }
}

impl From<&str> for SourceText {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl fmt::Display for SourceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for SourceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// A place for people: both counted from 1, the column in Unicode scalar values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode scalar values, from 1.
    pub column: u32,
}

/// Bytes between two counts of a [`LineIndex`].
const BLOCK: usize = 256;

/// The starts of the lines of a text. A line ends with LF; a CR before it belongs to the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineIndex {
    starts: Box<[u32]>,
    /// The number of scalar values that begin before each block, so that a column far into a long
    /// line is not counted from its start.
    blocks: Box<[u32]>,
}

impl LineIndex {
    /// Finds the lines of `text`.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        let mut before = 0;
        let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
            let here = before;
            before += scalars(block);
            here
        });
        Self { starts: starts.into_boxed_slice(), blocks: blocks.collect() }
    }

    /// The number of lines; a text that ends in a line ending has an empty last line.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The line that holds `offset`, counted from 0.
    pub fn line_of(&self, offset: u32) -> usize {
        let begun = self.starts.partition_point(|&start| start <= offset);
        begun.saturating_sub(1)
    }

    /// The offset of the first byte of line `line`, counted from 0; `None` after the last line.
    pub fn line_start(&self, line: usize) -> Option<u32> {
        self.starts.get(line).copied()
    }

    /// The place of `offset` in `text`, which must be the text of the index. An offset past the end
    /// is read as the end. A byte order mark takes no column: editors do not show it.
    pub fn position(&self, text: &str, offset: u32) -> LineColumn {
        let offset = offset.min(text.len() as u32);
        let line = self.line_of(offset);
        let mark = line == 0 && offset > 0 && text.starts_with('\u{feff}');
        let start = self.line_start(line).unwrap_or(offset) as usize;
        let (bytes, end) = (text.as_bytes(), offset as usize);
        let column = if end - start <= BLOCK {
            scalars_in(bytes, start, end)
        } else {
            self.scalars_before(bytes, end) - self.scalars_before(bytes, start)
        };
        LineColumn { line: line as u32 + 1, column: column + 1 - u32::from(mark) }
    }

    /// The number of scalar values that begin before `offset`, which is at most the length of
    /// `bytes`.
    fn scalars_before(&self, bytes: &[u8], offset: usize) -> u32 {
        match self.blocks.get(offset / BLOCK) {
            Some(before) => before + scalars_in(bytes, offset / BLOCK * BLOCK, offset),
            // Just after the last block.
            None => {
                let last = offset.saturating_sub(BLOCK);
                self.blocks.last().copied().unwrap_or(0) + scalars_in(bytes, last, offset)
            }
        }
    }
}

/// The number of scalar values that begin in `bytes[start..end]`.
fn scalars_in(bytes: &[u8], start: usize, end: usize) -> u32 {
    scalars(bytes.get(start..end).unwrap_or_default())
}

/// The number of scalar values that begin in `bytes`: each has exactly one byte that is not a
/// continuation byte.
///
/// Sums of single bytes keep sixteen counts in a register: 0.5 instructions for each byte, where
/// `count()` takes 5.
fn scalars(bytes: &[u8]) -> u32 {
    /// The bytes of one sum, which has to fit in a byte.
    const MOST: usize = 128;
    let begins = |&byte: &u8| u8::from(byte & 0xC0 != 0x80);
    let sums = bytes.chunks(MOST).map(|part| part.iter().map(begins).sum());
    sums.map(|sum: u8| u32::from(sum)).sum()
}

#[derive(Clone, Debug)]
struct SourceFile {
    path: String,
    text: SourceText,
    lines: OnceLock<LineIndex>,
}

/// The files of a program, its components' and its schemas' included, in the order in which they
/// were added.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file under the path that people are to see.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<SourceText>) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            path: path.into(),
            text: text.into(),
            lines: OnceLock::new(),
        });
        id
    }

    /// Replaces the text of a file, before anything refers to places in it.
    pub fn replace(&mut self, file: FileId, text: impl Into<SourceText>) {
        if let Some(file) = self.files.get_mut(file.0 as usize) {
            (file.text, file.lines) = (text.into(), OnceLock::new());
        }
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "`add` makes the ids; that one of another map panics is documented"
    )]
    fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    /// The path that a file was added under.
    ///
    /// # Panics
    /// Panics if `file` comes from another map.
    pub fn path(&self, file: FileId) -> &str {
        &self.file(file).path
    }

    /// The last component of the file's path.
    pub fn base_name(&self, file: FileId) -> &str {
        let path = self.path(file);
        path.rsplit(['/', '\\']).next().unwrap_or(path)
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> &SourceText {
        &self.file(file).text
    }

    /// The lines of a file, found on first use.
    pub fn line_index(&self, file: FileId) -> &LineIndex {
        let file = self.file(file);
        file.lines.get_or_init(|| LineIndex::new(&file.text))
    }

    /// Line and column of a byte offset.
    pub fn position(&self, file: FileId, offset: u32) -> LineColumn {
        self.line_index(file).position(self.text(file), offset)
    }

    /// The text that a span covers; empty when the span does not fit the file.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.range.to_usize()).unwrap_or_default()
    }

    /// The files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }
}

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
    pub const fn width(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// The width of a text.
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
    pub fn offset(&self, text: &str, line: u32, column: u32, encoding: Encoding) -> u32 {
        let Some(start) = self.line_start(line as usize) else { return text.len() as u32 };
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
    use crate::TextRange;

    #[test]
    fn lines_and_columns_count_from_one() {
        let mut map = SourceMap::new();
        let file = map.add("a/main.pp", "a = 1\nb = \"é\"\n");
        assert_eq!(map.position(file, 0), LineColumn { line: 1, column: 1 });
        assert_eq!(map.position(file, 6), LineColumn { line: 2, column: 1 });
        // `é` takes two bytes and one column.
        assert_eq!(map.position(file, 13), LineColumn { line: 2, column: 7 });
        assert_eq!(map.position(file, 999), LineColumn { line: 3, column: 1 });
        assert_eq!(map.base_name(file), "main.pp");
        assert_eq!(map.slice(Span::new(file, TextRange::new(0, 1))), "a");
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let text = "\u{feff}a = b\n\u{feff}c\n";
        let index = LineIndex::new(text);
        let columns = [0, 3, 7, 9, 12].map(|offset| index.position(text, offset).column);
        assert_eq!(columns, [1, 1, 5, 1, 2]);
    }

    #[test]
    fn columns_of_a_long_line() {
        let text = format!("é\n{}", "aé\u{10348}".repeat(3 * BLOCK));
        let index = LineIndex::new(&text);
        let start = "é\n".len();
        for (nth, (at, _)) in text[start..].char_indices().enumerate() {
            let column = index.position(&text, (start + at) as u32).column;
            assert_eq!(column as usize, nth + 1);
        }
        let whole = "x".repeat(2 * BLOCK);
        let end = LineIndex::new(&whole).position(&whole, whole.len() as u32);
        assert_eq!(end.column as usize, 2 * BLOCK + 1);
    }

    #[test]
    fn a_carriage_return_belongs_to_its_line() {
        let index = LineIndex::new("a\r\nb");
        assert_eq!(index.line_count(), 2);
        assert_eq!(index.line_of(2), 0);
        assert_eq!(index.line_start(1), Some(3));
    }

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
