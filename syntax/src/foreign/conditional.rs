//! Conditionals of other languages: `a if c else b`, `if c then a else b`, `a ?? b`, `a?.b`.

use pcl_diagnostics::Code;

use super::habit::Habit;
use super::view::{Line, View};
use crate::kind::SyntaxKind as K;

/// A conditional that has the word `if`, at `token`.
pub(super) fn conditional(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    if !view.is_word(token, &["if"]) || !view.is_in_value(line, token) {
        return None;
    }
    if view.follows_operand(token) {
        behind_value(view, token)
    } else {
        before_value(view, token)
    }
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
    let is_whole = divider.is_some();
    let text = format!("{} ? {value} : {other}", condition_of(condition));
    let range = view.span(first, last);
    let habit =
        Habit::value(Code::ForeignConditional, range).instead(is_plain(&text).then_some(text));
    Some(if is_whole { habit.safe() } else { habit })
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
        let inner = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        inner.unwrap_or(text).trim()
    });
    let text = format!("{} ? {value} : {other}", condition_of(condition));
    let range = view.span(token, last);
    Some(
        Habit::value(Code::ForeignConditional, range)
            .instead(is_plain(&text).then_some(text))
            .safe(),
    )
}

/// The text of a condition without the parentheses around all of it.
fn condition_of(text: &str) -> &str {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inner
        .filter(|inner| !inner.contains(['(', ')']))
        .unwrap_or(text)
}

/// Returns whether a text is on one line and has no words for operators left.
fn is_plain(text: &str) -> bool {
    let words = ["if", "else", "and", "or", "not", "then", "elif"];
    !text.contains('\n')
        && !text
            .split([' ', '(', ')'])
            .any(|word| words.contains(&word))
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
            Some(habit.edit(sign, "."))
        }
        K::LBracket if view.touches(token.checked_sub(1)?, token) => {
            let sign = view.range(token);
            let habit = Habit::new(Code::NullOperator, sign).read(sign, K::Ignored);
            Some(habit.edit(sign, ""))
        }
        K::Question | K::Colon => {
            let first = view.start_of_value(token)?;
            let last = view.end_of_value(view.next(second))?;
            let value = view.slice(view.span(first, view.before(token)?));
            let other = view.slice(view.span(view.next(second), last));
            let text = format!("{value} != null ? {value} : {other}");
            let range = view.span(first, last);
            let is_simple = !value.contains(['?', '|', '&', '\n']) && !other.contains(['?', '\n']);
            let habit = Habit::value(Code::NullOperator, range).related(sign);
            Some(habit.instead(is_simple.then_some(text)).safe())
        }
        _ => None,
    }
}
