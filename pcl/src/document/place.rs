//! Places as plain data. A document has byte offsets, and for each file a table from which lines
//! and columns follow; all other JSON outputs have lines and columns in each place.

use pcl_diagnostics::{LineIndex, SourceMap, Span};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A half-open range of a file, as [`Document::range`](super::Document::range) makes it of a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Range {
    /// The first byte.
    pub start: Position,
    /// After the last byte.
    pub end: Position,
}

/// A position in a file, counted both ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Position {
    /// Offset in bytes, from 0.
    pub byte: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode scalar values, from 1.
    pub column: u32,
}

/// A range of one of the files of a document, in bytes. In JSON it is `[file, start, end]`.
///
/// [`Document::position`](super::Document::position) has the line and the column of its start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file.
    pub file: FileIndex,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Place {
    /// A place of no document.
    pub(super) const NOWHERE: Self = Self { file: FileIndex(u32::MAX), start: 0, end: 0 };

    /// Returns true if the other place is in the same file and not outside of this one.
    pub fn contains(&self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.file, self.start, self.end).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (file, start, end) = Deserialize::deserialize(deserializer)?;
        Ok(Self { file, start, end })
    }
}

/// A file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct File {
    /// Its path, as the program was named.
    pub path: String,
    /// The last part of the path.
    pub name: String,
    /// The offset of the first byte of each line; behind the byte order mark, if there is one.
    pub lines: Vec<u32>,
    /// The characters of more than one byte.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wide: Vec<WideRun>,
}

/// Neighbouring characters of more than one byte, all of one length. In JSON it is
/// `[start, characters, bytes, before]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WideRun {
    /// The offset of the first byte.
    pub start: u32,
    /// The number of characters.
    pub characters: u32,
    /// The bytes of each: 2, 3 or 4.
    pub bytes: u32,
    /// The number of bytes before it, from the start of the file, that are not the first of their
    /// character.
    pub before: u32,
}

impl WideRun {
    fn end(self) -> u32 {
        let length = self.characters.saturating_mul(self.bytes);
        self.start.saturating_add(length)
    }

    /// The number of bytes before an offset that are not the first of their character.
    fn before(self, offset: u32) -> u32 {
        let own = offset.min(self.end()).saturating_sub(self.start);
        let more = own - own.div_ceil(self.bytes.max(1));
        self.before.saturating_add(more)
    }
}

impl Serialize for WideRun {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.start, self.characters, self.bytes, self.before).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WideRun {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (start, characters, bytes, before) = Deserialize::deserialize(deserializer)?;
        Ok(Self { start, characters, bytes, before })
    }
}

impl File {
    /// The tables of a file with that text.
    pub(super) fn of(path: &str, name: &str, text: &str, index: &LineIndex) -> Self {
        let starts = (0..).map_while(|line| index.line_start(line));
        let mut lines: Vec<u32> = starts.collect();
        let mark = '\u{feff}';
        if let (true, Some(first)) = (text.starts_with(mark), lines.first_mut()) {
            *first = mark.len_utf8() as u32;
        }
        Self { path: path.to_owned(), name: name.to_owned(), lines, wide: wide_runs(text) }
    }

    /// The position of an offset.
    pub fn position(&self, byte: u32) -> Position {
        let line = self.lines.partition_point(|&start| start <= byte).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0).min(byte);
        let column = self.characters(byte).saturating_sub(self.characters(start));
        Position {
            byte,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: column.saturating_add(1),
        }
    }

    /// The number of characters that begin before an offset.
    fn characters(&self, byte: u32) -> u32 {
        let next = self.wide.partition_point(|run| run.start < byte);
        let last = next.checked_sub(1).and_then(|last| self.wide.get(last));
        byte.saturating_sub(last.map_or(0, |run| run.before(byte)))
    }
}

fn wide_runs(text: &str) -> Vec<WideRun> {
    let mut runs: Vec<WideRun> = Vec::new();
    if text.is_ascii() {
        return runs;
    }
    let wide = text.char_indices().filter(|(_, c)| !c.is_ascii());
    for (start, character) in wide {
        let (start, bytes) = (start as u32, character.len_utf8() as u32);
        let before = runs.last().map_or(0, |last| last.before(start));
        match runs.last_mut() {
            Some(last) if last.bytes == bytes && last.end() == start => last.characters += 1,
            _ => runs.push(WideRun { start, characters: 1, bytes, before }),
        }
    }
    runs
}

impl Range {
    /// A span with both ways of counting.
    pub fn of(span: Span, sources: &SourceMap) -> Self {
        let position = |offset| {
            let place = sources.position(span.file, offset);
            Position { byte: offset, line: place.line, column: place.column }
        };
        Self { start: position(span.range.start()), end: position(span.range.end()) }
    }
}

macro_rules! indexes {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The position, counted from 0.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            pub(super) fn of(position: usize) -> Self {
                Self(u32::try_from(position).unwrap_or(u32::MAX))
            }
        }
    )*};
}

indexes! {
    /// A file: a position in [`Document::files`](super::Document::files).
    FileIndex;
    /// A declaration: a position in the [`nodes`](super::Module::nodes) of its own module.
    NodeIndex;
    /// A component program: a position in [`Document::components`](super::Document::components).
    ComponentIndex;
    /// A local variable: a position in [`Document::variables`](super::Document::variables).
    VariableIndex;
    /// An expression: a position in [`Document::expressions`](super::Document::expressions).
    ExpressionIndex;
    /// A type: a position in [`Document::types`](super::Document::types).
    TypeIndex;
    /// A package schema: a position in [`Document::schemas`](super::Document::schemas).
    SchemaIndex;
    /// A member of a package: a position in [`Document::members`](super::Document::members).
    MemberIndex;
    /// A resource of a package: a position in [`Document::resources`](super::Document::resources).
    ResourceIndex;
}

#[cfg(test)]
mod tests {
    use pcl_diagnostics::SourceMap;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The table of a file says of every character what the source map says.
        #[test]
        fn positions_are_those_of_the_source_map(text in "\u{feff}?([a\u{e9}\u{20ac}\u{1f600}\u{feff}\r\n]|\r\n){0,60}") {
            let mut map = SourceMap::new();
            let id = map.add("main.pp", text.as_str());
            let file = File::of("main.pp", "main.pp", &text, map.line_index(id));
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for byte in ends {
                let (byte, known) = (byte as u32, map.position(id, byte as u32));
                let place = file.position(byte);
                prop_assert_eq!((place.line, place.column), (known.line, known.column), "{}", byte);
            }
        }
    }

    /// A table that nothing checked gives some position.
    #[test]
    fn any_table_answers() {
        let run = |start, characters, bytes| WideRun { start, characters, bytes, before: u32::MAX };
        let file = File {
            path: String::new(),
            name: String::new(),
            lines: vec![9, 3, u32::MAX],
            wide: vec![run(7, u32::MAX, 4), run(3, 0, 0), run(u32::MAX, 1, 9)],
        };
        for byte in [0, 3, 8, 100, u32::MAX] {
            assert_eq!(file.position(byte).byte, byte);
        }
    }
}
