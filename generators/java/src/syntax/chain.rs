//! Chains of members and calls, such as those of builders, and where their lines end.

use super::generics::{before_name, type_arguments};
use super::layout::{Builder, Indent, Tag};
use super::print::{arguments, comment, operand, width};
use super::tree::Expr;

/// A part of a chain of members and calls.
struct Item<'e> {
    name: String,
    arguments: Option<&'e [Expr]>,
    comments: &'e [String],
    /// The width of the chain up to here.
    width: usize,
}

/// Returns true for a name, or a path of names.
pub(super) fn is_path(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

/// The parts of a chain, behind what it starts with unless that is a name.
fn items<'e>(value: &'e Expr, found: &mut Vec<Item<'e>>) -> Option<&'e Expr> {
    let add = |name: &str, arguments, comments, found: &mut Vec<Item<'e>>| {
        found.push(Item { name: name.to_owned(), arguments, comments, width: width(value) });
    };
    match value {
        Expr::Text(text) if is_path(text) => {
            let mut width = 0;
            for part in text.split('.') {
                width += part.chars().count() + usize::from(width > 0);
                found.push(Item { name: part.to_owned(), arguments: None, comments: &[], width });
            }
            None
        }
        Expr::Call { source, name, arguments, comments } => {
            let start = source.as_ref().and_then(|source| items(source, found));
            add(name, Some(arguments), comments, found);
            start
        }
        Expr::Field(source, name) => {
            let start = items(source, found);
            add(name, None, &[], found);
            start
        }
        other => Some(other),
    }
}

/// `a.b().c()`
pub(super) fn chain(value: &Expr, builder: &mut Builder) {
    let mut all = Vec::new();
    let start = items(value, &mut all);
    let mut needs_dot = false;
    if let Some(start) = start {
        builder.open(4);
        operand(start, 8, builder);
        builder.unified("");
        needs_dot = true;
    }
    let prefixes = prefixes(&all, start.is_some());
    if prefixes.is_empty() {
        regular(&all, needs_dot, builder);
    } else {
        prefixed(&all, &prefixes, needs_dot, builder);
    }
    if start.is_some() {
        builder.close();
    }
}

/// The positions of the parts that stay together with those before them.
fn prefixes(all: &[Item<'_>], has_start: bool) -> Vec<usize> {
    let mut prefixes = Vec::new();
    if !has_start {
        prefixes.extend(type_prefix(all));
    }
    let is_invocation =
        |(at, item): &(usize, &Item<'_>)| item.arguments.is_some() && (*at > 0 || has_start);
    let count = all.iter().enumerate().filter(is_invocation).count();
    let first = all.iter().position(|item| item.arguments.is_some());
    if prefixes.is_empty()
        && count == 1
        && let Some(first) = first.filter(|&first| first > 0)
    {
        prefixes.push(first);
    }
    if prefixes.is_empty()
        && !has_start
        && all.first().is_some_and(|item| item.arguments.is_none() && item.name == "this")
    {
        prefixes.push(1);
    }
    let is_stream = |name: &str| ["stream", "parallelStream", "toBuilder"].contains(&name);
    for (at, item) in all.iter().enumerate() {
        if item.arguments.is_some() && is_stream(&item.name) {
            prefixes.push(at);
        }
    }
    prefixes.sort_unstable();
    prefixes.dedup();
    prefixes
}

/// The position up to which a chain looks like the name of a type, and one member of it.
fn type_prefix(all: &[Item<'_>]) -> Option<usize> {
    enum State {
        Start,
        Type,
        Member,
        Ambiguous,
    }
    let mut state = State::Start;
    let mut found = None;
    for (at, item) in all.iter().enumerate() {
        let name = item.name.rsplit('>').next().unwrap_or_default();
        let letters = || name.chars().filter(|c| c.is_alphabetic());
        let is_upper = letters().next().is_some_and(char::is_uppercase);
        let has_lower = letters().any(char::is_lowercase);
        let has_upper = letters().any(char::is_uppercase);
        state = match (state, is_upper, has_lower) {
            (State::Start | State::Ambiguous, true, false) => State::Ambiguous,
            (State::Start | State::Ambiguous | State::Type, true, true) => State::Type,
            (State::Start, false, _) if !has_upper => State::Start,
            (State::Type, ..) => State::Member,
            _ => return found,
        };
        if matches!(state, State::Type | State::Member) {
            found = Some(at);
        }
        if item.arguments.is_some() {
            break;
        }
    }
    found
}

fn item_comments(item: &Item<'_>, builder: &mut Builder) {
    if !item.comments.is_empty() {
        comment(item.comments, builder);
        builder.forced();
    }
}

/// The name of a part, and the break before it if type arguments are there.
fn name(item: &Item<'_>, builder: &mut Builder) -> Option<Tag> {
    let Some((inner, name)) = before_name(&item.name) else {
        builder.text(&item.name);
        return None;
    };
    builder.open(4);
    type_arguments(inner, builder);
    let tag = builder.named(false, "");
    builder.close();
    builder.text(name);
    Some(tag)
}

/// The arguments of a part, deeper if its name is on a line of its own.
fn given(item: &Item<'_>, name: Option<Tag>, indent: impl Into<Indent>, builder: &mut Builder) {
    let Some(given) = item.arguments else { return };
    if let Some(tag) = name {
        builder.open(Indent::if_broken(tag, 4, 0));
    }
    arguments(given, indent, builder);
    if name.is_some() {
        builder.close();
    }
}

fn regular(all: &[Item<'_>], needs_dot: bool, builder: &mut Builder) {
    const LEAST: usize = 4;
    let is_chain = all.len() > 1;
    if !needs_dot {
        builder.open(4);
    }
    let mut length = if needs_dot { LEAST } else { 0 };
    let mut dot = needs_dot;
    for item in all {
        if dot {
            if length > LEAST {
                builder.unified("");
            }
            item_comments(item, builder);
            builder.text(".");
            length += 1;
        }
        let tag = name(item, builder);
        given(item, tag, if is_chain || dot { 4 } else { 0 }, builder);
        length += item.width;
        dot = true;
    }
    if !needs_dot {
        builder.close();
    }
}

fn prefixed(all: &[Item<'_>], prefixes: &[usize], needs_dot: bool, builder: &mut Builder) {
    let has_more = prefixes.last().is_some_and(|&last| last + 1 < all.len());
    let is_stream = all.iter().any(|item| {
        item.arguments.is_some() && ["stream", "parallelStream", "toBuilder"].contains(&&*item.name)
    });
    builder.open(4);
    prefixes.iter().for_each(|_| builder.open(0));
    let mut left = prefixes.iter().copied().peekable();
    let mut dot = needs_dot;
    for (at, item) in all.iter().enumerate() {
        let least = if has_more { 4 } else { 0 };
        let mut indent = Indent::from(least);
        if dot {
            let is_prefix = left.peek().is_some_and(|&prefix| at <= prefix);
            let tag = builder.named(is_prefix && !is_stream, "");
            indent = Indent::if_broken(tag, 4, least);
            item_comments(item, builder);
            builder.text(".");
        }
        let tag = name(item, builder);
        if left.peek() == Some(&at) {
            builder.close();
            left.next();
        }
        given(item, tag, indent, builder);
        dot = true;
    }
    left.for_each(|_| builder.close());
    builder.close();
}
