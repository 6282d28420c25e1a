//! Characters that look like the signs of PCL: full-width ones, dashes, and spaces of other kinds.

use pcl_diagnostics::Code;
use pcl_syntax::{SyntaxError, SyntaxKind as K, excerpt, visible};

use crate::habit::Habit;
use crate::view::{Line, View};

/// The sign that a character looks like.
fn meant(c: char) -> Option<(K, &'static str)> {
    Some(match c {
        '＝' | '﹦' => (K::Equals, "="),
        '：' | '﹕' => (K::Colon, ":"),
        '，' | '、' | '﹐' => (K::Comma, ","),
        '．' => (K::Dot, "."),
        '（' => (K::LParen, "("),
        '）' => (K::RParen, ")"),
        '［' | '【' => (K::LBracket, "["),
        '］' | '】' => (K::RBracket, "]"),
        '｛' => (K::LBrace, "{"),
        '｝' => (K::RBrace, "}"),
        '？' => (K::Question, "?"),
        '！' => (K::Bang, "!"),
        '＋' => (K::Plus, "+"),
        '＊' | '×' => (K::Star, "*"),
        '／' | '÷' => (K::Slash, "/"),
        '％' => (K::Percent, "%"),
        '＜' => (K::Less, "<"),
        '＞' => (K::Greater, ">"),
        '≤' => (K::LessEqual, "<="),
        '≥' => (K::GreaterEqual, ">="),
        '≠' => (K::NotEqual, "!="),
        '…' => (K::Ellipsis, "..."),
        '‐' | '‑' | '‒' | '–' | '—' | '−' | '－' => (K::Minus, "-"),
        _ => return None,
    })
}

/// The characters on a line that look like signs, as one habit.
pub(super) fn signs(view: &View<'_>, line: &Line) -> Option<Habit> {
    let mut found: Option<Habit> = None;
    for token in line.first..line.end {
        let text = view.text(token);
        let mut chars = text.chars();
        let sign = chars.next().and_then(meant);
        if view.kind(token) != K::BadCharacter || chars.next().is_some() {
            continue;
        }
        if let Some((kind, text)) = sign {
            let range = view.range(token);
            let habit = found.unwrap_or_else(|| Habit::new(Code::LexInvalidChar, range).safe());
            found = Some(habit.read(range, kind).edit(range, text));
        }
    }
    found.map(|habit| worded(view, habit))
}

/// Every space of another kind in a file, as one habit: who copies from a page has many of them.
pub(super) fn spaces(view: &View<'_>, errors: &[SyntaxError]) -> Option<Habit> {
    let mut found: Option<Habit> = None;
    let bad = errors.iter().filter(|error| error.code() == Code::LexInvalidChar);
    for range in bad.map(|error| error.range()) {
        let text = view.slice(range);
        let is_space = |c: char| c.is_whitespace() && !c.is_control();
        if text.is_empty() || !text.chars().all(is_space) {
            continue;
        }
        let spaces = " ".repeat(text.chars().count());
        let habit = found.unwrap_or_else(|| Habit::new(Code::LexInvalidChar, range).safe());
        found = Some(habit.read(range, K::Whitespace).edit(range, spaces));
    }
    found.map(|habit| worded(view, habit))
}

/// The habit with its words.
fn worded(view: &View<'_>, mut habit: Habit) -> Habit {
    let written = view.slice(habit.error.range());
    let first = written.chars().next().unwrap_or_default();
    let number = format!("U+{:04X}", u32::from(first));
    let meant = habit.note.edits.first().map(|(_, text)| text.as_str()).unwrap_or_default();
    let (message, title) = if first.is_whitespace() {
        (format!("the character {number} is not a space in PCL"), "use a plain space".to_owned())
    } else {
        (
            format!("the character {} ({number}) is not `{meant}`", excerpt(written)),
            format!("write `{meant}`"),
        )
    };
    habit.note.place = Some(visible(view.source, habit.error.range()));
    habit.message(message).help(title.clone()).title(title)
}
