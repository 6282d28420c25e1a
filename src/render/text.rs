//! Text that is safe to show in a terminal.

use std::borrow::Cow;

/// Returns true if showing `c` could change how the rest of the line is read: control characters
/// and the characters that change the direction of writing.
pub(super) fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\t') || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The replacement for an unsafe character: the picture of a control character, or the replacement
/// character.
pub(super) fn stand_in(c: char) -> char {
    match c {
        '\0'..='\u{1F}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '\u{2421}',
        _ => '\u{FFFD}',
    }
}

/// `text` with replacements for unsafe characters, except line ends.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    replace(text, |c| is_unsafe(c) && c != '\n')
}

/// `text` on one line.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    replace(text, is_unsafe)
}

fn replace(text: &str, bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&bad) {
        let safe = |c| if bad(c) { stand_in(c) } else { c };
        text.chars().map(safe).collect::<String>().into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_escape_sequence_survives() {
        assert_eq!(plain("a\u{1b}[31mb\nc\td"), "a␛[31mb\nc\td");
        assert_eq!(one_line("a\nb\u{202E}"), "a␊b\u{FFFD}");
        assert!(matches!(plain("größe"), Cow::Borrowed(_)));
    }
}
