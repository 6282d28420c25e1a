//! Interpolations without quotes: `${x}`, `$x`, `$(x)`, `{{ x }}`, alone or in text.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{SyntaxKind as K, excerpt};

use crate::habit::Habit;
use crate::view::{Line, View};

/// An interpolation outside of quotes.
struct Bare {
    /// Its first token and its last.
    first: u32,
    last: u32,
    /// The expression in it.
    inner: TextRange,
    /// Set for `$x`, which may as well be a variable of a shell.
    is_word: bool,
}

/// The text behind an interpolation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// The end of the value, or an operator.
    End,
    /// `.name` or `[index]`.
    Steps,
    /// Other text: the value is a string.
    Text,
}

/// `${x}`, `$x`, `$(x)`, `{{ x }}` outside of quotes, at `token`.
///
/// One that is all of an operand is an expression. In any other place it is a part of a text, and
/// the whole value becomes a string: nothing of it is lost.
pub(super) fn bare(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let bare = found(view, line, token)?;
    let begins = begins_operand(view, token);
    let inner = view.slice(bare.inner).trim().trim_start_matches('.');
    let is_shell = bare.is_word && !view.knows(root_of(inner), token);
    let behind = behind(view, bare.last);
    if !begins || is_shell || behind == Behind::Text {
        return in_text(view, line, &bare, begins);
    }
    let mut last = bare.last;
    if behind == Behind::Steps {
        last = end_of_steps(view, last)?;
        if self::behind(view, last) != Behind::End {
            return in_text(view, line, &bare, begins);
        }
    }
    let range = view.span(bare.first, last);
    let steps = view.text_between(view.range(bare.last).end(), range.end());
    let habit = worded(view, range, "write the expression alone");
    let habit = habit.edit(range, format!("{inner}{steps}"));
    Some(match behind {
        Behind::End => habit.safe(),
        _ => habit,
    })
}

/// The interpolation at `token`.
fn found(view: &View<'_>, line: &Line, token: u32) -> Option<Bare> {
    let next = token + 1;
    if !view.is_in_value(line, token) {
        return None;
    }
    match (view.kind(token), view.kind(next)) {
        (K::BadCharacter, K::LBrace | K::LParen) if view.text(token) == "$" => {
            let last = view.close_of(next)?;
            let range = view.span(token, last);
            // One that ends on another line is not closed, and took another one's bracket.
            if view.slice(range).contains('\n') {
                return None;
            }
            Some(Bare {
                first: token,
                last,
                inner: view.span(view.next(next), view.before(last)?),
                is_word: false,
            })
        }
        (K::BadCharacter, K::Ident) if view.text(token) == "$" => {
            let mut last = next;
            while view.kind(last + 1) == K::Dot && view.kind(last + 2) == K::Ident {
                last += 2;
            }
            Some(Bare { first: token, last, inner: view.span(next, last), is_word: true })
        }
        (K::LBrace, K::LBrace) if view.touches(token, next) => {
            let (inner, last) = (view.close_of(next)?, view.close_of(token)?);
            let first = view.next(next);
            let is_name = matches!(view.kind(first), K::Ident | K::Dot);
            if last != inner + 1 || !is_name || view.next_kind(first) == K::Equals {
                return None;
            }
            Some(Bare {
                first: token,
                last,
                inner: view.span(first, view.before(inner)?),
                is_word: false,
            })
        }
        _ => None,
    }
}

/// The name that an expression begins with.
fn root_of(expression: &str) -> &str {
    expression.split('.').next().unwrap_or(expression)
}

/// Returns whether an operand begins with `token`: a sign or an operator is before it.
fn begins_operand(view: &View<'_>, token: u32) -> bool {
    let Some(before) = view.before(token) else { return false };
    let kind = view.kind(before);
    let is_operator = kind.is_operator() && !view.touches(before, token);
    let is_word = view.is_word(before, &["in", "if", "and", "or", "not", "is"]);
    let is_sign = matches!(
        kind,
        K::Equals
            | K::Comma
            | K::Colon
            | K::FatArrow
            | K::LParen
            | K::LBracket
            | K::LBrace
            | K::InterpolationOpen
            | K::ControlOpen
            | K::Newline
            | K::Bang
    );
    is_operator || is_sign || is_word && before + 1 < token
}

/// The text behind the token `last`.
fn behind(view: &View<'_>, last: u32) -> Behind {
    let next = view.next(last);
    let (kind, is_apart) = (view.kind(next), next > last + 1);
    let is_step = match kind {
        K::Dot => view.kind(next + 1) == K::Ident,
        K::LBracket => true,
        _ => false,
    };
    let ends = kind.is_closer()
        || matches!(
            kind,
            K::Newline | K::EndOfFile | K::Comma | K::Semicolon | K::FatArrow | K::Ellipsis
        )
        || is_apart && kind.is_operator()
        || is_apart && view.is_word(next, &["for", "in", "if", "and", "or", "is", "not", "else"]);
    match (ends, is_step && !is_apart) {
        (true, _) => Behind::End,
        (_, true) => Behind::Steps,
        _ => Behind::Text,
    }
}

/// The last token of the steps behind the token `last`.
fn end_of_steps(view: &View<'_>, last: u32) -> Option<u32> {
    let mut end = last;
    loop {
        let next = end + 1;
        end = match view.kind(next) {
            K::Dot if view.kind(next + 1) == K::Ident => next + 1,
            K::LBracket => view.close_of(next)?,
            _ => return Some(end),
        };
    }
}

/// The value around an interpolation as a string. It `begins` with the interpolation, or with what
/// is before it on the line.
fn in_text(view: &View<'_>, line: &Line, bare: &Bare, begins: bool) -> Option<Habit> {
    let first = if begins { bare.first } else { view.start_of_value(bare.first)? };
    let last = view.end_before(bare.first, |kind| kind == K::Comma);
    let range = view.span(first, last.unwrap_or(bare.last).max(bare.last));
    if range.start() < line.start {
        return None;
    }
    let text = view.slice(range);
    let is_plain = !text.contains(['"', '\\', '\n']);
    let habit = worded(view, range, "put it in double quotes");
    Some(habit.instead(is_plain.then(|| format!("\"{text}\""))))
}

/// The habit at `range` with its words.
fn worded(view: &View<'_>, range: TextRange, title: &'static str) -> Habit {
    let found = excerpt(view.slice(range));
    Habit::value(Code::BareInterpolation, range)
        .message(format!("an interpolation is only used inside a string, found {found}"))
        .help("outside of a string, write the expression without `${ }`")
        .title(title)
}
