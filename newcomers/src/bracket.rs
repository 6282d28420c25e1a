//! Brackets that are missing.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::SyntaxKind as K;

use crate::habit::Habit;
use crate::view::{Line, View};

/// The most tokens of a list without its opening bracket.
const REACH: usize = 2_000;

/// `name = a, b]`: a list whose opening bracket is missing, on one line or on several.
pub(super) fn unopened_list(view: &View<'_>, line: &Line) -> Option<Habit> {
    let name = line.first;
    let sign = view.next(name);
    if view.kind(name) != K::Ident || view.kind(sign) != K::Equals {
        return None;
    }
    let mut first = view.next(sign);
    let is_below = view.kind(first) == K::Newline;
    while view.kind(first) == K::Newline {
        first = view.next(first);
    }
    let close = closer(view, first, is_below)?;
    let start = TextRange::empty(view.range(sign).end());
    Some(
        Habit::new(Code::TupleUnterminated, view.range(close))
            .related(start)
            .message("this bracket closes a list that is not opened")
            .label("the list starts here")
            .help("add `[`")
            .title("add `[`")
            .read(view.span(first, close), K::Foreign)
            .edit(start, " ["),
    )
}

/// The bracket that closes the list whose first element begins with `first`. Its elements are on
/// lines of their own if `is_below`.
fn closer(view: &View<'_>, first: u32, is_below: bool) -> Option<u32> {
    let (mut token, mut has_comma) = (first, false);
    for _ in 0..REACH {
        match view.kind(token) {
            // Without a comma it is as likely that the bracket is one too many.
            K::RBracket => return (has_comma || is_below).then_some(token),
            K::Newline if is_below => {}
            K::Newline | K::EndOfFile | K::Equals => return None,
            K::Comma => has_comma = true,
            kind if kind.is_closer() => return None,
            kind if kind.is_opener() => token = view.close_of(token)?,
            _ => {}
        }
        token = view.next(token);
    }
    None
}
