//! Places as people write them.

use pcl::diagnostics::{Encoding, FileId, SourceMap};

/// The offset of a line and column, which count from 1, columns in Unicode scalar values.
///
/// # Errors
/// Returns a message if the file has no such line, or the line no such column.
pub fn offset_of(sources: &SourceMap, file: FileId, line: u32, column: u32) -> Result<u32, String> {
    let (text, lines) = (sources.text(file), sources.line_index(file));
    if line == 0 || column == 0 {
        return Err("lines and columns count from 1".to_owned());
    }
    let count = lines.line_count();
    if line as usize > count {
        let path = sources.path(file);
        return Err(format!("`{path}` has {}", many(count, "line")));
    }
    // A byte order mark takes no column.
    let mark = u32::from(line == 1 && text.starts_with('\u{feff}'));
    let wanted = (column - 1).saturating_add(mark);
    let offset = lines.offset(text, line - 1, wanted, Encoding::Utf32);
    let reached = sources.position(file, offset).column;
    if reached == column {
        Ok(offset)
    } else {
        Err(format!(
            "line {line} of `{}` has {}",
            sources.path(file),
            many(reached as usize, "column")
        ))
    }
}

fn many(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
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
            let found = offset_of(&sources, file, line, column);
            assert_eq!(found, expected.map_err(str::to_owned), "{line}:{column}");
        }
    }
}
