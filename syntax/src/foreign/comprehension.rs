//! Comprehensions of Python: `[c.name for c in cache if c.on]`, `{k: v for k, v in m.items()}`.

use pcl_diagnostics::Code;

use super::habit::Habit;
use super::view::View;
use crate::kind::SyntaxKind as K;

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
    let collection = pairs
        .or_else(|| collection.strip_suffix(".keys()"))
        .unwrap_or(collection);
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
        K::LBracket => {
            let result = view.slice(result);
            let text = format!("[for {variables} in {collection} : {result}{condition}]");
            (view.span(opener, closer), text)
        }
        // A generator in a call.
        K::LParen => {
            let result = view.slice(result);
            let text = format!("[for {variables} in {collection} : {result}{condition}]");
            (view.span(first, end), text)
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
    let habit = Habit::value(Code::Comprehension, range).related(view.range(token));
    Some(habit.instead(is_simple.then_some(text)).safe())
}
