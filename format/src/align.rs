//! Alignment on lines that follow each other: the `=` of attributes, and
//! comments behind code.

use pcl_syntax::SyntaxKind;

use super::lines::Line;

/// The last column, in characters after the indentation, at which something is aligned. Without it
/// one long line among n short ones would be padded n times.
const LAST_COLUMN: usize = 200;

/// Aligns the `=` of attributes and items.
pub(super) fn equals(lines: &mut [Line<'_>]) {
    align(lines, |line| line.equals);
}

/// Aligns the comments behind code.
pub(super) fn comments(lines: &mut [Line<'_>]) {
    align(lines, |line| {
        let last = line.pieces.len().checked_sub(1).filter(|&at| at > 0)?;
        let is_comment = line.pieces.get(last)?.kind == SyntaxKind::LineComment;
        (is_comment && line.is_flat()).then_some(last)
    });
}

/// Puts one piece of each line of a run into one column. A run is lines at one level that all have
/// such a piece, none of them beyond the last column; one over several lines ends it.
fn align(lines: &mut [Line<'_>], piece: impl Fn(&Line<'_>) -> Option<usize>) {
    let place = |line: &Line<'_>| {
        let piece = piece(line).filter(|_| !line.is_kept)?;
        let width = line.width(piece);
        (width <= LAST_COLUMN).then_some((piece, width))
    };
    let goes_on = |last: &Line<'_>, line: &Line<'_>| {
        last.level == line.level && last.is_flat() && place(last).is_some() && place(line).is_some()
    };
    for run in lines.chunk_by_mut(goes_on) {
        pad(run, place);
    }
}

fn pad(run: &mut [Line<'_>], place: impl Fn(&Line<'_>) -> Option<(usize, usize)>) {
    let widths = run.iter().filter_map(&place).map(|(_, width)| width);
    let widest = widths.max().unwrap_or(0);
    for line in run {
        if let Some((piece, width)) = place(line)
            && let Some(piece) = line.pieces.get_mut(piece)
        {
            piece.blanks = widest - width + 1;
        }
    }
}
