//! The canonical layout of PCL text, as `pcl fmt` writes it.
//!
//! - Two spaces for each open bracket; brackets that open on the same line count once.
//! - One space around operators, after commas and inside braces; none inside parentheses and
//!   brackets or before commas.
//! - The `=` of attributes on consecutive lines are aligned, and so are the comments after them. A
//!   line on which one of them would begin more than 200 characters after the indentation is not
//!   aligned, and ends the group.
//! - Line breaks are kept. So are comments and the text of templates.
//! - At most two empty lines follow each other outside of brackets, and one within. A file ends
//!   with one line ending.
//! - The lines from a comment `# pcl: off` to `# pcl: on` stay as they are.
//!
//! Laws:
//! - Only the spaces between tokens and empty lines change: tokens, comments and line breaks stay
//!   the same.
//! - Formatting is idempotent, and the result does not depend on the spaces of the input.
//! - The size of the result is linear in the size of the text.
//!
//! ```
//! let tree = pcl_syntax::parse("config  n   int{ #how many\ndefault=1+ 1\n}\nlonger = [1,2 ]\na=f( x )  # why\n");
//! assert_eq!(
//!     pcl_format::format(&tree).unwrap(),
//!     "config n int { #how many\n  default = 1 + 1\n}\nlonger = [1, 2]\na      = f(x) # why\n",
//! );
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod lines;
mod space;

use std::ops::RangeInclusive;

use pcl_syntax::{SyntaxKind, SyntaxTree};

use crate::lines::Line;

/// The text of a file in canonical layout; `None` for a file that does not parse.
pub fn format(tree: &SyntaxTree) -> Option<String> {
    format_lines(tree, None)
}

/// The text of a file with the lines of a range in canonical layout, counted from 1; all other
/// lines stay as they are. `None` for a file that does not parse.
pub fn format_range(tree: &SyntaxTree, range: RangeInclusive<usize>) -> Option<String> {
    format_lines(tree, Some(range))
}

fn format_lines(tree: &SyntaxTree, range: Option<RangeInclusive<usize>>) -> Option<String> {
    if tree.is_refused() {
        return None;
    }
    let mut lines = lines::read(tree);
    mark_kept(&mut lines, range);
    remove_empty(&mut lines);
    align_equals(&mut lines);
    align_comments(&mut lines);
    let mut out = String::with_capacity(tree.text().len() + tree.text().len() / 8);
    for line in &lines {
        line.write(&mut out);
    }
    Some(out)
}

/// The last column, in characters after the indentation, at which something is aligned. Without it
/// one long line among n short ones would be padded n times.
const LAST_COLUMN: usize = 200;

/// Aligns the `=` of attributes and items.
fn align_equals(lines: &mut [Line<'_>]) {
    align(lines, |line| line.equals);
}

/// Aligns the comments behind code.
fn align_comments(lines: &mut [Line<'_>]) {
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
    let widest = run.iter().filter_map(&place).map(|(_, width)| width).max().unwrap_or(0);
    for line in run {
        if let Some((piece, width)) = place(line)
            && let Some(piece) = line.pieces.get_mut(piece)
        {
            piece.blanks = widest - width + 1;
        }
    }
}

/// The most empty lines in a row outside of brackets.
const OUTSIDE: usize = 2;

/// The most empty lines in a row within brackets.
const INSIDE: usize = 1;

/// Removes the empty lines that are too many; lines that are kept stay.
fn remove_empty(lines: &mut Vec<Line<'_>>) {
    let mut run = 0;
    lines.retain(|line| {
        run = if line.is_empty() { run + 1 } else { 0 };
        let most = if line.level > 0 { INSIDE } else { OUTSIDE };
        run <= most || line.is_kept
    });
    while lines.last().is_some_and(|last| last.is_empty() && !last.is_kept) {
        lines.pop();
    }
    // The last line ends like the first one.
    let end = lines.first().map_or("\n", |first| first.end);
    let end = if end.is_empty() { "\n" } else { end };
    if let Some(last) = lines.last_mut()
        && !last.is_kept
        && last.end.is_empty()
    {
        last.end = end;
    }
}

/// Marks the lines from each comment `# pcl: off` to the next `# pcl: on`, both included, and those
/// that have no line of `range`, counted from 1.
fn mark_kept(lines: &mut [Line<'_>], range: Option<RangeInclusive<usize>>) {
    let mut is_off = false;
    let mut first = 1;
    for line in lines {
        let count = line.written.matches('\n').count().max(1);
        let is_outside = range
            .as_ref()
            .is_some_and(|range| first + count <= *range.start() || first > *range.end());
        first += count;
        let switch = switch(line);
        is_off |= switch == Some(false);
        line.is_kept = is_off || is_outside;
        is_off &= switch != Some(true);
    }
}

/// Returns what a comment that is a line of its own switches formatting to.
fn switch(line: &Line<'_>) -> Option<bool> {
    let [comment] = &*line.pieces else { return None };
    if comment.kind != SyntaxKind::LineComment {
        return None;
    }
    let text = comment.text.trim_start_matches(['#', '/']).trim();
    match text.strip_prefix("pcl:")?.trim() {
        "off" => Some(false),
        "on" => Some(true),
        _ => None,
    }
}
