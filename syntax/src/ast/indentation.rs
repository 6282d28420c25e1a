//! The indentation of one line of a heredoc, in characters as people see them.
//!
//! The rules, with examples: `tests/spec/syntax/heredoc.md`.

use unicode_segmentation::UnicodeSegmentation;

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

/// Returns whether a piece is a line of blanks alone.
fn is_blank_line(piece: &str) -> bool {
    piece.ends_with('\n') && piece.trim_start().is_empty()
}
