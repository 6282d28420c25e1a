//! Lines that stay as they were written: those between `# pcl: off` and `# pcl: on`, and those
//! outside of the range that is formatted.

use std::ops::RangeInclusive;

use pcl_syntax::SyntaxKind;

use super::lines::Line;

/// Marks the lines from each comment `# pcl: off` to the next `# pcl: on`, both included, and those
/// that have no line of `range`, counted from 1.
pub(super) fn mark(lines: &mut [Line<'_>], range: Option<RangeInclusive<usize>>) {
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
    let [comment] = &*line.pieces else {
        return None;
    };
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
