//! Characters that look like the signs of PCL: full-width ones, dashes, and spaces of other kinds.

use pcl_diagnostics::{Code, TextRange};

use super::habit::Habit;
use super::view::{Line, View};
use crate::error::SyntaxError;
use crate::kind::SyntaxKind as K;

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
    found
}

/// Every space of another kind in a file, as one habit: who copies from a page has many of them.
pub(super) fn spaces(view: &View<'_>, errors: &[SyntaxError]) -> Option<Habit> {
    let mut found: Option<Habit> = None;
    let bad = errors
        .iter()
        .filter(|error| error.code() == Code::LexInvalidChar);
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
    found
}

/// The bytes of the word around `range`, so that what is blamed can be seen.
pub(crate) fn visible(source: &str, range: TextRange) -> TextRange {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let before = source.get(..range.start() as usize).unwrap_or_default();
    let after = source.get(range.end() as usize..).unwrap_or_default();
    let start = before.trim_end_matches(is_word).len() as u32;
    let end = range.end() + (after.len() - after.trim_start_matches(is_word).len()) as u32;
    TextRange::new(start, end)
}
