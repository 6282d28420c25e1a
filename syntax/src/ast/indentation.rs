//! The rule of indentation: after `<<-` every line of a heredoc loses the indentation that all
//! lines share, counted in characters as people see them.
//!
//! Lines are those of the text between interpolations and directives. A blank line keeps its spaces
//! and does not count; a line that begins with an interpolation has no indentation.
//!
//! The rules, with examples: `tests/spec/syntax/heredoc.md`.

use unicode_segmentation::UnicodeSegmentation;

/// The indentation that all lines of a heredoc share: that of the line with the least of it.
pub(super) struct CommonIndentation {
    smallest: Option<usize>,
    at_line_start: bool,
}

impl Default for CommonIndentation {
    fn default() -> Self {
        Self { smallest: None, at_line_start: true }
    }
}

impl CommonIndentation {
    /// Adds a text, with the least indentation of the lines that begin in it.
    pub fn add_text(&mut self, indentation: Option<usize>, ends_line: bool) {
        self.at_line_start = ends_line;
        self.add(indentation);
    }

    /// Adds an interpolation. At the start of a line, the line has no indentation.
    pub fn add_value(&mut self) {
        let indentation = std::mem::take(&mut self.at_line_start).then_some(0);
        self.add(indentation);
    }

    fn add(&mut self, indentation: Option<usize>) {
        let known = self.smallest.into_iter().chain(indentation);
        self.smallest = known.min();
    }

    /// The indentation in characters.
    pub fn get(&self) -> usize {
        self.smallest.unwrap_or(0)
    }
}

/// The indentation of the line that begins with `piece`; `None` of a blank line.
pub(super) fn indentation_of_line(piece: &str) -> Option<usize> {
    if is_blank_line(piece) {
        return None;
    }
    let blanks = piece.len() - piece.trim_start().len();
    let (blanks, _) = piece.split_at_checked(blanks)?;
    Some(blanks.graphemes(true).count())
}

/// The bytes of the indentation that the line that begins with `piece` loses.
pub(super) fn lost_indentation(piece: &str, dedent: usize) -> usize {
    if is_blank_line(piece) {
        return 0;
    }
    piece.graphemes(true).take(dedent).map(str::len).sum()
}

/// Returns whether a piece is a line of spaces only.
fn is_blank_line(piece: &str) -> bool {
    piece.ends_with('\n') && piece.trim_start().is_empty()
}
