//! What stands below each other on lines that follow each other: the `=` of attributes, and comments behind code.

use std::ops::Range;

use pcl_syntax::SyntaxKind;

use super::lines::Line;

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

/// Puts one piece of each line of a run into one column. A run is lines at one level that all have such a piece; one over several
/// lines ends it.
fn align(lines: &mut [Line<'_>], column: impl Fn(&Line<'_>) -> Option<usize>) {
    let mut start = 0;
    while start < lines.len() {
        let Some(first) = lines.get(start).filter(|line| column(line).is_some()) else {
            start += 1;
            continue;
        };
        let level = first.level;
        let belongs = |line: &Line<'_>| line.level == level && column(line).is_some();
        let mut length = 1;
        while let Some([last, line]) = lines.get(start + length - 1..=start + length)
            && last.is_flat()
            && belongs(line)
        {
            length += 1;
        }
        pad(lines, start..start + length, &column);
        start += length;
    }
}

fn pad(lines: &mut [Line<'_>], run: Range<usize>, column: impl Fn(&Line<'_>) -> Option<usize>) {
    let Some(run) = lines.get_mut(run) else {
        return;
    };
    let widths: Vec<(usize, usize)> = run
        .iter()
        .filter_map(|line| column(line).map(|piece| (piece, line.width(piece))))
        .collect();
    let widest = widths.iter().map(|&(_, width)| width).max().unwrap_or(0);
    for (line, (piece, width)) in run.iter_mut().zip(widths) {
        if let Some(piece) = line.pieces.get_mut(piece) {
            piece.blanks = widest - width + 1;
        }
    }
}
