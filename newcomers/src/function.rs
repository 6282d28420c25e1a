//! Calls and functions: `x.split(",")`, `invoke("p:m:f", name = "x")`, `x => y`, `lambda x: y`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{SyntaxKind as K, excerpt};

use crate::habit::Habit;
use crate::sdk;
use crate::view::{Line, View};

/// The call of a method, whose dot is at `token`.
pub(super) fn method_call(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let name = token + 1;
    let opener = name + 1;
    let is_call = view.kind(token) == K::Dot
        && view.kind(name) == K::Ident
        && matches!(view.kind(opener), K::LParen | K::Backtick)
        && view.follows_operand(token);
    if !is_call {
        return None;
    }
    let last = view.before(token)?;
    let first = view.start_of_operand(last)?;
    if let Some(habit) = sdk::member(view, line, first, token) {
        return Some(habit);
    }
    let closer = view.close_of(opener)?;
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
    let arguments = view.text_between(view.range(opener).end(), view.start(closer)).trim();
    let rest = view.text_between(view.range(closer).end(), view.range(end).end());
    let text = as_function(view.text(name), object, arguments).map(|text| text + rest);
    let text = text.filter(|text| !text.contains('\n') && !rest.contains('('));
    let range = view.span(first, end);
    let habit = Habit::value(Code::MethodCall, range).related(view.range(name));
    // A separator that is not a literal may as well be the list.
    let is_certain = view.text(name) != "join" || object.starts_with('"') || is_string(arguments);
    let habit = worded(view, habit.instead(text));
    Some(if is_certain { habit.safe() } else { habit })
}

/// The habit of a method call with its words.
fn worded(view: &View<'_>, habit: Habit) -> Habit {
    let name = habit.error.related().map(|range| view.slice(range)).unwrap_or_default();
    let help = match name {
        "apply" => "an output is used like a plain value: write the expression itself",
        "format" => "write the values into the string, as in `\"${a}-${b}\"`",
        "map" | "forEach" | "filter" | "flatMap" | "reduce" => {
            "to change each element of a list, write `[for value in list : result]`"
        }
        "upper" | "lower" | "toUpperCase" | "toLowerCase" | "trim" | "strip" | "replace"
        | "startsWith" | "endsWith" | "substring" | "slice" => {
            "the package `std` has functions for strings, as in `invoke(\"std:index:replace\", { .. }).result`"
        }
        _ => "call a function with the value as an argument, as in `split(\",\", text)`",
    };
    let help = match habit.note.edits.last() {
        Some((_, text)) => format!("write {}", excerpt(text)),
        None => help.to_owned(),
    };
    habit
        .message(format!("there are no methods in PCL, found `.{name}(..)`"))
        .label("this is called like a method")
        .help(help)
        .title("write it without a method")
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
            let variable = variable.trim().trim_start_matches('(').trim_end_matches(')').trim();
            let body = body.trim();
            if !pcl_syntax::is_identifier(variable) || body.starts_with('{') || body.contains("=>")
            {
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
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.is_some_and(|inner| !inner.contains('"'))
}

/// A function without a name: `x => y`, `(a, b) => { .. }`, `lambda x: y`, `function(x) { .. }`.
pub(super) fn literal(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let value = |first: u32, last: u32| {
        let habit = Habit::value(Code::FunctionLiteral, view.span(first, last))
            .message("a function cannot be defined in PCL")
            .help("to change each element of a list, write `[for value in list : result]`");
        Some(habit)
    };
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

/// The most arguments of a call that are examined.
const MOST: usize = 64;

/// The functions that take an object of inputs.
const WITH_INPUTS: [&str; 2] = ["call", "invoke"];

/// The functions of other languages that make an object.
const MAKERS: [&str; 4] = ["dict", "map", "object", "tomap"];

/// The arguments of a call that have names, of which the first begins with `token`.
pub(super) fn named_arguments(view: &View<'_>, token: u32) -> Option<Habit> {
    let is_first = view.kind(token) == K::Ident
        && matches!(view.next_kind(token), K::Equals | K::Colon)
        && matches!(view.kind_before(token), K::LParen | K::Comma);
    if !is_first {
        return None;
    }
    let opener = view.opener_of(token)?;
    let function = view.before(opener)?;
    if view.kind(opener) != K::LParen || view.kind(function) != K::Ident {
        return None;
    }
    let closer = view.close_of(opener)?;
    let named = named_from(view, token, closer)?;
    let (first, last) = (named.first()?.name, named.last()?.last);
    let items: Vec<String> = named
        .iter()
        .map(|one| {
            let value = view.slice(view.span(one.value, one.last));
            format!("{} = {value}", view.text(one.name))
        })
        .collect();
    // Where the reference expects a comma.
    let habit = Habit::new(Code::CallMissingComma, view.range(view.next(first)))
        .title("write the values as PCL does");
    let object = format!("{{ {} }}", items.join(", "));
    let object = Some(object).filter(|object| !object.contains('\n'));
    let name = view.text(function);
    if MAKERS.contains(&name) && view.next(opener) == first {
        let whole = view.span(function, closer);
        return Some(as_value(habit, whole, object));
    }
    if WITH_INPUTS.contains(&name) {
        return Some(as_value(habit, view.span(first, last), object));
    }
    // The names alone are wrong, if the order is that of the function.
    Some(named.iter().fold(habit, |habit, one| {
        let range = TextRange::new(view.start(one.name), view.start(one.value));
        habit.read(range, K::Whitespace).edit(range, "")
    }))
}

/// The habit with a range that is read as one value, and replaced by an object.
fn as_value(habit: Habit, range: TextRange, object: Option<String>) -> Habit {
    let habit = habit.read(range, K::Foreign);
    match object {
        Some(object) => habit.edit(range, object).safe(),
        None => habit,
    }
}

/// An argument with a name.
struct Named {
    name: u32,
    /// The first token of its value, and the last.
    value: u32,
    last: u32,
}

/// The arguments from `token` to the closer of the call; `None` unless all of them have names.
fn named_from(view: &View<'_>, mut token: u32, closer: u32) -> Option<Vec<Named>> {
    let mut named = Vec::new();
    while token < closer {
        if named.len() == MOST {
            return None;
        }
        let sign = view.next(token);
        if view.kind(token) != K::Ident || !matches!(view.kind(sign), K::Equals | K::Colon) {
            return None;
        }
        let value = view.next(sign);
        let last = view.end_of_value(value)?;
        named.push(Named { name: token, value, last });
        let mut next = view.next(last);
        if view.kind(next) == K::Comma {
            next = view.next(next);
        } else if next != closer {
            return None;
        }
        while view.kind(next) == K::Newline {
            next = view.next(next);
        }
        token = next;
    }
    Some(named)
}
