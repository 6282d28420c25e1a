//! Quotes that are missing, and quotes in a string that are not escaped.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::SyntaxKind as K;

use crate::habit::Habit;
use crate::view::{Line, View};

/// The longest line that is searched, in bytes: each of its quotes costs its length.
const LONGEST: u32 = 512;

fn is_long(line: &Line) -> bool {
    line.stop - line.start > LONGEST
}

/// `name = text"`: a value whose opening quote is missing, at the quote `token`.
pub(super) fn unopened(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    if view.kind(token) != K::QuoteOpen || is_long(line) {
        return None;
    }
    let quote = view.range(token);
    let before = token.checked_sub(1)?;
    let is_behind_text = !view.kind(before).is_trivia()
        && !view.kind(before).is_opener()
        && view.follows_operand(token);
    let rest = view.text_between(quote.end(), line.stop);
    // The next quote opens a string, so this one closes one.
    let is_closing = rest.contains('"') && rest.trim_start().starts_with([',', ')', ']', '}']);
    if !is_behind_text || !(ends_value(rest) || is_closing) {
        return None;
    }
    let first = view.start_of_value(token)?;
    let range = TextRange::new(view.start(first), quote.end());
    let text = view.text_between(range.start(), quote.start());
    let is_plain = range.start() >= line.start && !text.contains(['"', '\'', '`', '{', '\\']);
    is_plain.then(|| without_opening(range, text))
}

/// The habit of a text at `range` that ends with a quote and does not begin with one.
pub(super) fn without_opening(range: TextRange, text: &str) -> Habit {
    Habit::value(Code::UnquotedString, range)
        .message("this string has no opening quote")
        .help("put the text in double quotes")
        .title("add the opening quote")
        .edit(range, format!("\"{text}\""))
        .safe()
}

/// `["a, "b"]`, `f("a)`: a string whose closing quote is missing before the separator or bracket
/// behind it, and that begins at the quote `token`.
pub(super) fn unclosed(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    if view.kind(token) != K::QuoteOpen || is_long(line) {
        return None;
    }
    let quote = view.range(token);
    let written = view.text_between(line.start, line.stop);
    let is_odd = written.matches('"').count() % 2 == 1 && !written.contains('\\');
    if !is_odd || !view.is_in_value(line, token) {
        return None;
    }
    let rest = view.text_between(quote.end(), line.stop);
    let text = match rest.split_once('"') {
        Some((inner, behind)) => {
            let opens = behind.starts_with(|c: char| c.is_alphanumeric() || c == '$')
                && inner.trim_end().ends_with([',', '=', '(', '[', '{', ':']);
            inner.get(..inner.find([',', ')', ']', '}'])?).filter(|_| opens)?
        }
        None => {
            let text = rest.trim_end().trim_end_matches([',', ')', ']', '}', ' ']);
            (!text.contains(['(', '[', '{']) && text.len() < rest.trim_end().len())
                .then_some(text)?
        }
    };
    if text.trim().is_empty() || text.contains(['$', '%']) {
        return None;
    }
    let end = quote.end() + text.len() as u32;
    Some(
        Habit::new(Code::LexNewlineInQuoted, TextRange::new(quote.start(), end))
            .message("this string has no closing quote")
            .help("add `\"`")
            .title("add `\"`")
            .read(TextRange::new(quote.start(), end), K::Foreign)
            .edit(TextRange::empty(end), "\""),
    )
}

/// `"say "hello""`: a string with quotes in it, which begins at the quote `token`.
pub(super) fn unescaped(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    if view.kind(token) != K::QuoteOpen || is_long(line) || !view.is_in_value(line, token) {
        return None;
    }
    let start = view.start(token);
    let rest = view.text_between(start, line.stop);
    let quotes: Vec<usize> = rest.match_indices('"').map(|(at, _)| at).collect();
    let last = quotes.last().filter(|&&at| rest.get(at + 1..).is_some_and(ends_value))?;
    if quotes.len() < 4 || quotes.len() % 2 == 1 || rest.contains(['\\', '$', '%']) {
        return None;
    }
    // The pieces that are outside of quotes as it is written.
    let mut outside = quotes.get(1..quotes.len() - 1)?.chunks(2).map(|pair| match pair {
        [from, to] => rest.get(from + 1..*to).unwrap_or_default(),
        _ => "",
    });
    let is_words = |piece: &str| {
        !piece.is_empty()
            && piece.trim() == piece
            && piece.chars().all(|c| c.is_alphanumeric() || " .-_/!?".contains(c))
    };
    if !outside.all(is_words) {
        return None;
    }
    let text = rest.get(1..*last)?;
    let range = TextRange::new(start, start + *last as u32 + 1);
    Some(
        Habit::value(Code::UnquotedString, range)
            .message("the quotes in this string end it")
            .help("in a string, a quote is written `\\\"`")
            .title("write `\\\"` for the quotes in it")
            .edit(range, format!("\"{}\"", text.replace('"', "\\\""))),
    )
}

/// Returns true if a value may end before the text: nothing but closing brackets and separators
/// follows on its line.
fn ends_value(rest: &str) -> bool {
    let code = rest.split(" #").next().unwrap_or(rest);
    let code = code.split(" //").next().unwrap_or(code);
    code.trim_end().chars().all(|c| matches!(c, ')' | ']' | '}' | ',' | ';' | ' '))
}
