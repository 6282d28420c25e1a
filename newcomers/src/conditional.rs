//! Conditionals and comprehensions: `a if c else b`, `if c then a else b`, `a ?? b`, `a?.b`,
//! `[c.name for c in cache if c.on]`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{SyntaxKind as K, excerpt};

use crate::habit::Habit;
use crate::view::{Line, View};

/// A conditional that has the word `if`, at `token`.
pub(super) fn conditional(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    if !view.is_word(token, &["if"]) || !view.is_in_value(line, token) {
        return None;
    }
    if view.follows_operand(token) { behind_value(view, token) } else { before_value(view, token) }
}

/// `value if condition else other`
fn behind_value(view: &View<'_>, token: u32) -> Option<Habit> {
    let first = view.start_of_value(token)?;
    let opener = view.opener_of(first);
    // A `for` may have a condition behind its value.
    if view.is_word(first, &["for"])
        || opener.is_some_and(|opener| view.is_word(view.next(opener), &["for"]))
    {
        return None;
    }
    let value = view.span(first, view.before(token)?);
    let condition = view.next(token);
    let divider = word_ahead(view, condition, &["else"]);
    let (condition, other, last) = match divider {
        Some(divider) => {
            let other = view.next(divider);
            let last = view.end_of_value(other)?;
            let condition = view.span(condition, view.before(divider)?);
            (condition, Some(view.span(other, last)), last)
        }
        None => {
            let last = view.end_of_value(condition)?;
            (view.span(condition, last), None, last)
        }
    };
    let parts = [Some(condition), Some(value), other];
    let [condition, value, other] = parts.map(|part| part.map_or("null", |part| view.slice(part)));
    // Inside of another conditional it is not certain what belongs to which.
    let is_whole = divider.is_some() && !value.contains('?') && !other.contains(':');
    let text = format!("{} ? {value} : {other}", condition_of(condition));
    let range = view.span(first, last);
    let start = view.start(first);
    let is_apart = !view.text_between(view.line_start(start), start).contains('?');
    let habit = worded(range).instead(is_plain(&text).then_some(text));
    Some(if is_whole && is_apart { habit.safe() } else { habit })
}

/// `if condition then value else other`, `if (condition) value else other`, `if condition { value }
/// else { other }`
fn before_value(view: &View<'_>, token: u32) -> Option<Habit> {
    let condition = view.next(token);
    let (condition, value) = match word_ahead(view, condition, &["then"]) {
        Some(then) => (view.span(condition, view.before(then)?), view.next(then)),
        None if view.kind(condition) == K::LParen => {
            let close = view.close_of(condition)?;
            (view.span(condition, close), view.next(close))
        }
        None => {
            let brace = (condition..view.tokens.len() as u32)
                .take(100)
                .find(|&at| matches!(view.kind(at), K::LBrace | K::Newline))?;
            (view.span(condition, view.before(brace)?), brace)
        }
    };
    let divider = word_ahead(view, value, &["else"])?;
    let value = view.span(value, view.before(divider)?);
    let other = view.next(divider);
    let last = view.end_of_value(other)?;
    let other = view.span(other, last);
    let [condition, value, other] = [condition, value, other].map(|part| {
        let text = view.slice(part);
        let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        inner.unwrap_or(text).trim()
    });
    let text = format!("{} ? {value} : {other}", condition_of(condition));
    let range = view.span(token, last);
    Some(worded(range).instead(is_plain(&text).then_some(text)).safe())
}

/// The habit of a conditional, with its words.
fn worded(range: TextRange) -> Habit {
    Habit::value(Code::ForeignConditional, range)
        .message("a conditional is written with `?` and `:` in PCL")
        .help("write `condition ? value : other`")
        .title("write it with `?` and `:`")
}

/// The text of a condition without the parentheses around all of it.
fn condition_of(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(text)
}

/// Returns whether a text is on one line and has no words for operators left.
fn is_plain(text: &str) -> bool {
    let words = ["if", "else", "and", "or", "not", "then", "elif"];
    !text.contains('\n') && !text.split([' ', '(', ')']).any(|word| words.contains(&word))
}

/// The first of some words from `token` on, on its line and outside of brackets.
fn word_ahead(view: &View<'_>, token: u32, words: &[&str]) -> Option<u32> {
    let mut at = token;
    for _ in 0..100 {
        match view.kind(at) {
            K::Newline | K::EndOfFile | K::Comma => return None,
            K::RParen | K::RBracket | K::RBrace | K::SequenceClose | K::QuoteClose => return None,
            K::LParen | K::LBracket | K::LBrace | K::QuoteOpen => at = view.close_of(at)?,
            K::Ident if view.is_word(at, words) => return Some(at),
            _ => {}
        }
        at = view.next(at);
    }
    None
}

/// `a ?? b`, `a ?: b`, and the sign of `a?.b`.
pub(super) fn null_operator(view: &View<'_>, token: u32) -> Option<Habit> {
    let second = token + 1;
    if view.kind(token) != K::Question || !view.follows_operand(token) {
        return None;
    }
    let sign = view.span(token, second);
    match view.kind(second) {
        K::Dot => {
            let habit = Habit::new(Code::NullOperator, sign).read(sign, K::Dot);
            Some(null_step(view, habit.edit(sign, ".")))
        }
        K::LBracket if view.touches(token.checked_sub(1)?, token) => {
            let sign = view.range(token);
            let habit = Habit::new(Code::NullOperator, sign).read(sign, K::Ignored);
            Some(null_step(view, habit.edit(sign, "")))
        }
        K::Question | K::Colon => {
            let first = view.start_of_value(token)?;
            let last = view.end_of_value(view.next(second))?;
            let value = view.slice(view.span(first, view.before(token)?));
            let other = view.slice(view.span(view.next(second), last));
            let text = format!("{value} != null ? {value} : {other}");
            let range = view.span(first, last);
            let is_simple = !value.contains(['?', '|', '&', '\n']) && !other.contains(['?', '\n']);
            let habit = Habit::value(Code::NullOperator, range)
                .related(sign)
                .message(no_operator(view.slice(sign)))
                .label("this operator")
                .help("write `a != null ? a : b`, or `try(a, b)`")
                .title("write it with `?` and `:`");
            Some(habit.instead(is_simple.then_some(text)).safe())
        }
        _ => None,
    }
}

/// The words for a step behind a value that may be missing.
fn null_step(view: &View<'_>, habit: Habit) -> Habit {
    let sign = view.slice(habit.error.range());
    habit
        .message(no_operator(sign))
        .help("write `.`; where the value may be missing, write `try(a.b, null)`")
        .title("write a plain step")
}

fn no_operator(sign: &str) -> String {
    format!("there is no operator {} in PCL", excerpt(sign))
}

/// The comprehension whose word `for` is at `token`.
pub(super) fn comprehension(view: &View<'_>, token: u32) -> Option<Habit> {
    if !view.is_word(token, &["for"]) || !view.follows_operand(token) {
        return None;
    }
    let mut last_variable = view.next(token);
    if view.kind(last_variable) == K::LParen {
        return None;
    }
    if view.next_kind(last_variable) == K::Comma {
        last_variable = view.next(view.next(last_variable));
    }
    let keyword = view.next(last_variable);
    if !view.is_word(keyword, &["in", "of"]) {
        return None;
    }
    let opener = view.opener_of(token)?;
    let first = view.next(opener);
    let closer = view.close_of(opener)?;
    let result = view.span(first, view.before(token)?);
    let variables = view.slice(view.span(view.next(token), last_variable));
    let source = view.next(keyword);
    let end = view.before(closer)?;
    let condition = (source..closer).find(|&at| view.is_word(at, &["if"]));
    let collection = match condition {
        Some(condition) => view.span(source, view.before(condition)?),
        None => view.span(source, end),
    };
    let collection = view.slice(collection);
    let pairs = collection.strip_suffix(".items()");
    let collection = pairs.or_else(|| collection.strip_suffix(".keys()")).unwrap_or(collection);
    let condition = match condition {
        Some(at) => format!(" if {}", view.slice(view.span(view.next(at), end))),
        None => String::new(),
    };
    let is_simple = [result, view.span(source, end)].iter().all(|part| {
        let text = view.slice(*part);
        let words = [" for ", " and ", " or ", "not ", " else ", "lambda "];
        !text.contains('\n') && !words.iter().any(|word| text.contains(word))
    });
    let (range, text) = match view.kind(opener) {
        kind @ (K::LBracket | K::LParen) => {
            let result = view.slice(result);
            let text = format!("[for {variables} in {collection} : {result}{condition}]");
            // A generator in a call keeps the parentheses of the call.
            let is_list = kind == K::LBracket;
            (if is_list { view.span(opener, closer) } else { view.span(first, end) }, text)
        }
        K::LBrace => {
            let colon = (first..token).find(|&at| view.kind(at) == K::Colon)?;
            let key = view.slice(view.span(first, view.before(colon)?));
            let value = view.slice(view.span(view.next(colon), view.before(token)?));
            let text = format!("{{for {variables} in {collection} : {key} => {value}{condition}}}");
            (view.span(opener, closer), text)
        }
        _ => return None,
    };
    let habit = Habit::value(Code::Comprehension, range)
        .related(view.range(token))
        .message("`for` comes first in PCL, inside the brackets")
        .label("this `for` comes after the value")
        .help("write `[for value in list : result]`, or `{for key, value in map : key => value}`")
        .title("put the `for` first");
    Some(habit.instead(is_simple.then_some(text)).safe())
}
