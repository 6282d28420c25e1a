//! Positions in the files of a program, also as people write them.

use pcl::diagnostics::{Encoding, FileId, SourceMap, Span, TextRange};

/// A position in a file of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilePosition {
    /// The file.
    pub file: FileId,
    /// The offset in bytes.
    pub offset: u32,
}

impl FilePosition {
    /// The position of an offset in bytes.
    pub const fn new(file: FileId, offset: u32) -> Self {
        Self { file, offset }
    }

    /// The start of a span.
    pub const fn start_of(span: Span) -> Self {
        Self { file: span.file, offset: span.range.start() }
    }

    /// The position of a line and column, which count from 1, columns in Unicode scalar values.
    ///
    /// # Errors
    /// Returns a message if the file has no such line, or the line no such column.
    pub fn of_line(
        sources: &SourceMap,
        file: FileId,
        line: u32,
        column: u32,
    ) -> Result<Self, String> {
        if line == 0 || column == 0 {
            return Err("lines and columns count from 1".to_owned());
        }
        let (path, text, lines) =
            (sources.path(file), sources.text(file), sources.line_index(file));
        let count = lines.line_count();
        if line as usize > count {
            return Err(format!("`{path}` has {}", many(count, "line")));
        }
        // A byte order mark takes no column.
        let mark = u32::from(line == 1 && text.starts_with('\u{feff}'));
        let wanted = (column - 1).saturating_add(mark);
        let offset = lines.offset(text, line - 1, wanted, Encoding::Utf32);
        let reached = sources.position(file, offset).column;
        if reached != column {
            let columns = many(reached as usize, "column");
            return Err(format!("line {line} of `{path}` has {columns}"));
        }
        Ok(Self { file, offset })
    }

    /// Returns true if a range of the file contains the position, or ends at it.
    pub const fn touches(self, range: TextRange) -> bool {
        range.touches(TextRange::empty(self.offset))
    }
}

fn many(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_columns_from_1() {
        let mut sources = SourceMap::new();
        let file = sources.add("main.pp", "\u{feff}a = 1\r\nb = \"é𐍈x\"\n");
        for (line, column, expected) in [
            (1, 1, Ok(3)),
            (1, 5, Ok(7)),
            (1, 6, Ok(8)),
            (2, 8, Ok(21)),
            (3, 1, Ok(24)),
            (1, 7, Err("line 1 of `main.pp` has 6 columns")),
            (3, 2, Err("line 3 of `main.pp` has 1 column")),
            (4, 1, Err("`main.pp` has 3 lines")),
            (0, 1, Err("lines and columns count from 1")),
            (1, 0, Err("lines and columns count from 1")),
            (u32::MAX, u32::MAX, Err("`main.pp` has 3 lines")),
        ] {
            let found = FilePosition::of_line(&sources, file, line, column);
            let found = found.map(|at| at.offset);
            assert_eq!(found, expected.map_err(str::to_owned), "{line}:{column}");
        }
    }
}
