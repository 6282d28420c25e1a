//! Strings that go on in the next lines.

use pcl_diagnostics::{Code, TextRange};

use super::habit::Habit;
use super::view::{Line, View};
use crate::error::SyntaxError;
use crate::kind::SyntaxKind as K;

/// The longest string, in bytes.
const LONGEST: usize = 4 << 10;

/// A string that begins with the quote `token` and ends on another line.
pub(super) fn over_lines(
    view: &View<'_>,
    line: &Line,
    token: u32,
    errors: &[SyntaxError],
) -> Option<Habit> {
    if view.kind(token) != K::QuoteOpen || !view.is_in_value(line, token) {
        return None;
    }
    let quote = view.range(token);
    let behind = errors.partition_point(|error| error.range().start() < quote.end());
    let errors = errors.get(behind..)?.iter();
    let mut errors = errors.take_while(|error| error.range().start() <= line.stop);
    let error = errors
        .find(|error| error.code() == Code::LexNewlineInQuoted && error.related() == Some(quote))?;
    let rest = view.source.get(quote.end() as usize..)?;
    let text = rest.get(..closing(rest)?)?;
    let end = quote.end() + text.len() as u32 + 1;
    let after = view.text_between(end, view.line(view.line_start(end)).stop);
    let after = after.trim_start();
    let ends = after.is_empty() || after.starts_with([',', ')', ']', '}', ';', '#']);
    if !ends || !text.contains('\n') || text.lines().skip(1).any(is_item) {
        return None;
    }
    let whole = TextRange::new(quote.start(), end);
    let text = text.replace("\r\n", "\n").replace('\n', "\\n");
    let habit = Habit::new(Code::LexNewlineInQuoted, error.range()).related(quote);
    Some(
        habit
            .read(whole, K::Foreign)
            .edit(whole, format!("\"{text}\"")),
    )
}

/// The offset of the quote that closes the string which `rest` is behind the opening quote of.
fn closing(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at < LONGEST {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b'\\', _) => at += 1,
            (b'$' | b'%', Some(b'{')) => {
                depth += 1;
                at += 1;
            }
            (b'{', _) if depth > 0 => depth += 1,
            (b'}', _) => depth = depth.saturating_sub(1),
            (b'"', _) if depth == 0 => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns whether a line looks like an item of a body, so that a quote was forgotten before it.
fn is_item(line: &str) -> bool {
    let line = line.trim();
    let name = line.split_once('=').map(|(name, _)| name.trim());
    name.is_some_and(crate::is_identifier) || line.ends_with('{') || line == "}"
}
