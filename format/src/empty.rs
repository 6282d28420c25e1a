//! Empty lines: at most two in a row outside of brackets and one within, none at the end of the
//! file, which ends with a line ending.

use super::lines::Line;

/// The most empty lines in a row outside of brackets.
const OUTSIDE: usize = 2;

/// The most empty lines in a row within brackets.
const INSIDE: usize = 1;

/// Removes the empty lines that are too many; lines that are kept stay.
pub(super) fn remove(lines: &mut Vec<Line<'_>>) {
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
