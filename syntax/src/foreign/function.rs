//! Method calls and function literals: `x.split(",")`, `x => y`, `lambda x: y`.

use pcl_diagnostics::Code;

use super::habit::Habit;
use super::sdk;
use super::view::{Line, View};
use crate::kind::SyntaxKind as K;

/// The call of a method, whose dot is at `token`.
pub(super) fn method_call(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let name = token + 1;
    let opener = name + 1;
    let is_call = view.kind(token) == K::Dot
        && view.kind(name) == K::Ident
        && view.kind(opener) == K::LParen
        && view.follows_operand(token);
    if !is_call {
        return None;
    }
    let last = view.before(token)?;
    let first = view.start_of_operand(last)?;
    let closer = view.close_of(opener)?;
    if let Some(habit) = sdk::method(view, line, first, token, closer) {
        return Some(habit);
    }
    // The steps behind the call.
    let mut end = closer;
    loop {
        let next = end + 1;
        end = match view.kind(next) {
            K::Dot if view.kind(next + 1) == K::Ident => next + 1,
            K::LBracket | K::LParen => view.close_of(next)?,
            _ => break,
        };
    }
    let object = view.slice(view.span(first, last));
    let arguments = view
        .text_between(view.range(opener).end(), view.start(closer))
        .trim();
    let rest = view.text_between(view.range(closer).end(), view.range(end).end());
    let text = as_function(view.text(name), object, arguments).map(|text| text + rest);
    let text = text.filter(|text| !text.contains('\n') && !rest.contains('('));
    let range = view.span(first, end);
    let habit = Habit::value(Code::MethodCall, range).related(view.range(name));
    // A separator that is not a literal may as well be the list.
    let is_certain = view.text(name) != "join" || object.starts_with('"') || is_string(arguments);
    let habit = habit.instead(text);
    Some(if is_certain { habit.safe() } else { habit })
}

/// The PCL for a well-known method.
fn as_function(name: &str, object: &str, arguments: &str) -> Option<String> {
    let is_one = !arguments.is_empty() && !arguments.contains(',') || is_string(arguments);
    let is_text = object.starts_with('"');
    Some(match name {
        "split" if is_one => format!("split({arguments}, {object})"),
        // Python joins by the separator, JavaScript the list.
        "join" if is_one && is_text => format!("join({object}, {arguments})"),
        "join" if is_one => format!("join({arguments}, {object})"),
        "length" | "len" | "size" | "count" if arguments.is_empty() => format!("length({object})"),
        "first" if arguments.is_empty() => format!("{object}[0]"),
        "toString" | "to_string" | "String" | "to_s" if arguments.is_empty() => {
            format!("\"${{{object}}}\"")
        }
        "get" | "at" | "elementAt" if is_one => format!("{object}[{arguments}]"),
        "get" | "getOrDefault" if arguments.starts_with('"') && arguments.contains(", ") => {
            format!("lookup({object}, {arguments})")
        }
        "items" | "entries" if arguments.is_empty() => format!("entries({object})"),
        "keys" if arguments.is_empty() => format!("[for key, value in {object} : key]"),
        "values" if arguments.is_empty() => format!("[for key, value in {object} : value]"),
        "map" | "apply" | "filter" => {
            let (variable, body) = arguments.split_once("=>")?;
            let variable = variable
                .trim()
                .trim_start_matches('(')
                .trim_end_matches(')')
                .trim();
            let body = body.trim();
            if !crate::is_identifier(variable) || body.starts_with('{') || body.contains("=>") {
                return None;
            }
            match name {
                "map" => format!("[for {variable} in {object} : {body}]"),
                "filter" => format!("[for {variable} in {object} : {variable} if {body}]"),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Returns whether a text is one string without parts.
fn is_string(text: &str) -> bool {
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.is_some_and(|inner| !inner.contains('"'))
}

/// A function without a name: `x => y`, `(a, b) => { .. }`, `lambda x: y`, `function(x) { .. }`.
pub(super) fn literal(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let value =
        |first: u32, last: u32| Some(Habit::value(Code::FunctionLiteral, view.span(first, last)));
    match view.kind(token) {
        K::Ident if view.is_word(token, &["lambda"]) && !view.follows_operand(token) => {
            let next = view.next(token);
            if !matches!(view.kind(next), K::Ident | K::Colon) {
                return None;
            }
            value(token, view.end_before(token, |_| false)?)
        }
        K::Ident if view.is_word(token, &["function", "func", "fn"]) => {
            let opener = view.next(token);
            if view.kind(opener) != K::LParen || !view.is_in_value(line, token) {
                return None;
            }
            let closer = view.close_of(opener)?;
            let brace = (closer + 1..view.tokens.len() as u32)
                .take(20)
                .take_while(|&at| view.kind(at) != K::Newline)
                .find(|&at| view.kind(at) == K::LBrace)?;
            value(token, view.close_of(brace)?)
        }
        K::FatArrow => {
            let last = view.before(token)?;
            let first = match view.kind(last) {
                K::Ident if last > line.first => last,
                K::RParen => view.open_of(last)?,
                _ => return None,
            };
            let opener = view.opener_of(first);
            let is_bracket = opener.is_some_and(|at| match view.kind(at) {
                K::LBrace => true,
                K::LBracket | K::LParen => view.is_word(view.next(at), &["for"]),
                _ => false,
            });
            let begins = matches!(
                view.kind_before(first),
                K::Equals | K::Comma | K::LParen | K::LBracket | K::Colon | K::Question
            );
            // In braces `a => b` is an item.
            let is_item = is_bracket && view.kind_before(first) != K::Equals;
            if !begins || is_item {
                return None;
            }
            let body = view.next(token);
            let end = match view.kind(body) {
                K::LBrace => view.close_of(body)?,
                _ => view.end_before(body, |kind| kind == K::Comma)?,
            };
            value(first, end)
        }
        _ => None,
    }
}
