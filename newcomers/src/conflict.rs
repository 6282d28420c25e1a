//! The markers that Git leaves in a file where two changes conflict.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::SyntaxKind as K;

use crate::habit::Habit;
use crate::view::{Line, View};

/// The longest part of a conflict that is passed over, in bytes.
const MAX_LEN: usize = 64 << 10;

/// The markers of a conflict that begins on a line. Its second side is passed over: the first one
/// is checked.
pub(super) fn conflict(view: &View<'_>, line: &Line) -> Option<Habit> {
    let rest = view.source.get(line.start as usize..)?;
    let length = ['<', '=', '>'].into_iter().find_map(|sign| marker(rest, sign))?;
    let first = TextRange::new(line.start, line.start + length as u32);
    let habit = Habit::new(Code::ConflictMarker, first)
        .message("a merge conflict is not resolved")
        .label("the conflict ends here")
        .help(
            "keep one of its sides, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
        );
    let Some((middle, last)) = sides(rest) else {
        return Some(habit.read(first, K::Ignored));
    };
    let at = |range: (usize, usize)| {
        TextRange::new(line.start + range.0 as u32, line.start + range.1 as u32)
    };
    let second = TextRange::new(at(middle).start(), at(last).end());
    Some(habit.related(at(last)).read(first, K::Ignored).read(second, K::Ignored))
}

/// The length of the marker that a line begins with: seven of a sign, and a name.
fn marker(line: &str, sign: char) -> Option<usize> {
    let line = line.lines().next()?;
    let signs = line.len() - line.trim_start_matches(sign).len();
    (signs == 7 && matches!(line.as_bytes().get(7), None | Some(b' '))).then_some(line.len())
}

/// The first marker behind the first side of the conflict that a text begins with, and the one
/// behind the second side.
fn sides(text: &str) -> Option<((usize, usize), (usize, usize))> {
    marker(text, '<')?;
    let (mut start, mut middle) = (0, None);
    for line in text.split_inclusive('\n') {
        let range = |length: usize| (start, start + length);
        let is_next = start > 0 && marker(line, '<').is_some();
        if start > MAX_LEN || is_next {
            return None;
        }
        if middle.is_none() {
            let length = marker(line, '|').or_else(|| marker(line, '='));
            middle = length.map(range);
        } else if let Some(length) = marker(line, '>') {
            return Some((middle?, range(length)));
        }
        start += line.len();
    }
    None
}
