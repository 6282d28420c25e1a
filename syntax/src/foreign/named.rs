//! Arguments with names: `invoke("p:m:f", name = "x")`, `dict(a=1)`.

use pcl_diagnostics::{Code, TextRange};

use super::habit::Habit;
use super::view::View;
use crate::kind::SyntaxKind as K;

/// The most arguments of a call that are examined.
const MOST: usize = 64;

/// The functions that take an object of inputs.
const WITH_INPUTS: [&str; 2] = ["call", "invoke"];

/// The functions of other languages that make an object.
const MAKERS: [&str; 4] = ["dict", "map", "object", "tomap"];

/// The arguments of a call that have names, of which the first begins with `token`.
pub(super) fn arguments(view: &View<'_>, token: u32) -> Option<Habit> {
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
    let habit = Habit::new(Code::CallMissingComma, view.range(view.next(first)));
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
        named.push(Named {
            name: token,
            value,
            last,
        });
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
