//! Signs and words that are written otherwise: `:=`, `=>`, `===`, `and`, and the `=` that is not
//! written at all.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{SyntaxKind as K, excerpt};

use crate::habit::Habit;
use crate::view::{Line, View};

/// `and`, `or`, `not`, `is` between and before operands. All of a line are one habit.
pub(super) fn words(view: &View<'_>, line: &Line) -> Option<Habit> {
    let mut found: Option<Habit> = None;
    let mut token = line.first;
    while token < line.end {
        let next = view.next(token);
        let Some((last, kind)) = word(view, line, token) else {
            token = next;
            continue;
        };
        let range = view.span(token, last);
        let (gap, text) = match kind {
            // The operand follows directly.
            K::Bang => (TextRange::new(range.start(), view.start(view.next(last))), "!"),
            K::AndAnd => (range, "&&"),
            K::OrOr => (range, "||"),
            K::EqualEqual => (range, "=="),
            _ => (range, "!="),
        };
        let habit = match found.take() {
            Some(habit) => habit,
            None => Habit::new(Code::WordOperator, range).safe(),
        };
        found = Some(habit.read(range, kind).edit(gap, text));
        token = view.next(last);
    }
    found.map(|habit| worded(view, habit))
}

/// The habit of an operator with its words.
fn worded(view: &View<'_>, habit: Habit) -> Habit {
    let written = view.slice(habit.error.range());
    let operator = match written {
        "and" | "AND" => "&&",
        "or" | "OR" => "||",
        "not" | "NOT" => "!",
        "is" | "===" => "==",
        _ => "!=",
    };
    let title = format!("write `{operator}`");
    let message = format!("{} is written `{operator}` in PCL", excerpt(written));
    habit.message(message).help(title.clone()).title(title)
}

/// The operator that the word at `token` means, with its last token.
fn word(view: &View<'_>, line: &Line, token: u32) -> Option<(u32, K)> {
    if view.kind(token) != K::Ident {
        return None;
    }
    let next = view.next(token);
    let kind = match view.text(token) {
        "and" | "AND" => K::AndAnd,
        "or" | "OR" => K::OrOr,
        "not" | "NOT" => K::Bang,
        "is" => K::EqualEqual,
        _ => return None,
    };
    let follows =
        view.follows_operand(token) && !view.is_word(view.before(token)?, &["not", "and", "or"]);
    if kind == K::Bang {
        let before = view.kind_before(token);
        let begins = view.begins_operand(next) && view.kind(next) != K::LBracket;
        let is_call = view.kind(next) == K::LParen && view.touches(token, next);
        let after_word =
            view.before(token).is_some_and(|at| view.is_word(at, &["and", "or", "if"]));
        let fits = begins && !is_call && (!view.follows_operand(token) || after_word);
        return (fits && before != K::Dot && view.is_in_value(line, token))
            .then_some((token, kind));
    }
    if kind == K::EqualEqual && view.is_word(next, &["not"]) {
        let operand = view.begins_operand(view.next(next));
        return (follows && operand && view.is_in_value(line, token))
            .then_some((next, K::NotEqual));
    }
    let fits = follows && view.begins_operand(next) && view.is_in_value(line, token);
    fits.then_some((token, kind))
}

/// `name := value`, `name => value`, `name -> value`, `name <- value`, `name += value` at the start
/// of a line, and `:=` behind any key.
pub(super) fn assignment(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let second = token + 1;
    if !view.touches(token, second) && view.kind(token) != K::FatArrow {
        return None;
    }
    let name = view.before(token)?;
    let is_first = name == line.first && view.kind(name) == K::Ident;
    let last = match (view.kind(token), view.kind(second)) {
        (K::Colon, K::Equals)
            if view.kind(name) == K::Ident || view.kind(name) == K::QuoteClose =>
        {
            second
        }
        (K::FatArrow, _)
            if is_first && view.opener_of(token).is_none_or(|at| view.kind(at) == K::LBrace) =>
        {
            token
        }
        (K::Minus, K::Greater) | (K::Less, K::Minus) if is_first => second,
        (K::Plus, K::Equals) | (K::Question, K::Equals) if is_first => second,
        (K::Colon, K::Colon) | (K::ColonColon, K::Equals) if is_first => second,
        _ => return None,
    };
    let sign = view.span(token, last);
    let is_certain = !matches!(view.kind(token), K::Plus | K::Question | K::ColonColon);
    let before = view.range(name).end();
    // An object may hold `a => 1`, which has a message of its own.
    if view.kind(token) == K::FatArrow && is_in_object(view, token) {
        return None;
    }
    let text = if before == sign.start() { " =" } else { "=" };
    let habit = Habit::new(Code::BodyItemIncomplete, view.range(name)).related(sign);
    let habit = habit.title("write `=`").read(sign, K::Equals).edit(sign, text);
    Some(if is_certain { habit.safe() } else { habit })
}

/// Returns whether the innermost bracket before `token` is that of an object: the token before it
/// is neither a label nor a word.
fn is_in_object(view: &View<'_>, token: u32) -> bool {
    let Some(opener) = view.opener_of(token) else { return false };
    !matches!(view.kind_before(opener), K::Ident | K::QuoteClose)
}

/// `===` and `!==`.
pub(super) fn comparison(view: &View<'_>, token: u32) -> Option<Habit> {
    let kind = view.kind(token);
    let is_long = matches!(kind, K::EqualEqual | K::NotEqual)
        && view.kind(token + 1) == K::Equals
        && view.touches(token, token + 1);
    let range = view.span(token, token + 1);
    is_long.then(|| {
        let habit = Habit::new(Code::WordOperator, range).read(range, kind);
        worded(view, habit).edit(range, view.text(token)).safe()
    })
}

/// `f(x)->y`, a property as C++ and PHP write it. Behind a name the sign is a part of it, which the
/// binder reports.
pub(super) fn arrow(view: &View<'_>, token: u32) -> Option<Habit> {
    let sign = view.span(token, token + 1);
    let before = token.checked_sub(1)?;
    let is_arrow = (view.kind(token), view.kind(token + 1)) == (K::Minus, K::Greater)
        && view.touches(token, token + 1)
        && view.touches(before, token)
        && view.kind(before).is_closer()
        && view.kind(token + 2) == K::Ident;
    is_arrow.then(|| {
        Habit::new(Code::WordOperator, sign)
            .message("`->` is written `.` in PCL")
            .help("write `.` before the name of a property")
            .title("write `.`")
            .read(sign, K::Dot)
            .edit(sign, ".")
            .safe()
    })
}

/// `region "fra1"`, `count 3`: a name and a value on a line.
pub(super) fn missing_equals(view: &View<'_>, line: &Line) -> Option<Habit> {
    let name = line.first;
    let value = view.next(name);
    let last = view.end_before(value, |kind| matches!(kind, K::Equals | K::LBrace))?;
    let stop = view.next(last);
    // A name alone is a value where it cannot be the label of a block.
    let is_name = view.kind(value) == K::Ident && last == value && line.indent(view) > 0;
    let is_value = matches!(view.kind(value), K::QuoteOpen | K::Number | K::LBracket)
        || view.is_word(value, &["true", "false", "null"])
        || is_name
        || begins_expression(view, value);
    if view.kind(name) != K::Ident
        || !is_value
        || view.touches(name, value)
        || KEYWORDS.contains(&view.text(name))
        || STATEMENTS.contains(&view.text(name))
        || !matches!(view.kind(stop), K::Newline | K::EndOfFile)
    {
        return None;
    }
    // A header has a brace or a body below.
    let mut below = stop;
    while view.kind(below).is_trivia() || view.kind(below) == K::Newline {
        below += 1;
    }
    let next = view.line(view.line_start(view.start(below)));
    let has_body = view.kind(below) == K::LBrace || next.indent(view) > line.indent(view);
    if has_body && next.start > line.start {
        return None;
    }
    // One string is a value; with two, the first may be a label.
    let is_text = view.kind(value) == K::QuoteOpen;
    if is_text
        && view.close_of(value).is_none_or(|close| view.kind(view.next(close)) == K::QuoteOpen)
    {
        return None;
    }
    let gap = TextRange::new(view.range(name).end(), view.start(value));
    let habit = Habit::new(Code::BodyItemIncomplete, view.range(name))
        .related(view.span(value, last))
        .message(format!("expected `=` after {}", excerpt(view.text(name))))
        .label("this is read as its value")
        .help("a value is set with `=`")
        .title("write `=`")
        .read(gap, K::Equals)
        .edit(TextRange::empty(gap.start()), " =");
    // Outside of a block a label may as well be meant.
    let is_certain = line.indent(view) > 0 || view.kind(value) != K::QuoteOpen;
    Some(if is_certain { habit.safe() } else { habit })
}

/// Returns true for a name that is no label: steps or arguments follow it; and for the sign or
/// bracket that an expression begins with.
fn begins_expression(view: &View<'_>, token: u32) -> bool {
    let next = token + 1;
    match view.kind(token) {
        K::Ident => {
            matches!(view.kind(next), K::Dot | K::LParen | K::LBracket) && view.touches(token, next)
        }
        K::Minus | K::Bang | K::LParen => view.begins_operand(next),
        _ => false,
    }
}

/// Words that begin a statement of another language.
const STATEMENTS: &[&str] = &[
    "for", "foreach", "if", "else", "elif", "while", "switch", "match", "try", "catch", "with",
    "function", "func", "fn", "def", "class", "return", "throw", "assert", "print", "await",
];

/// Words that begin a block, not an attribute.
const KEYWORDS: &[&str] = &[
    "resource",
    "config",
    "output",
    "component",
    "package",
    "pulumi",
    "hook",
    "read",
    "options",
    "variable",
    "data",
    "module",
    "provider",
    "locals",
    "terraform",
];
