//! Text that is safe to show in a terminal, lines of a limited width, and the text of a
//! diagnostic in formats for machines.

use std::borrow::Cow;
use std::fmt::Write as _;

use pcl_diagnostics::{Diagnostic, FileId, SourceMap};
use unicode_width::UnicodeWidthStr as _;

/// Returns true if showing `c` could change how the rest of the line is read: control characters
/// and the characters that change the direction of writing.
pub(crate) fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\t') || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The replacement for an unsafe character: the picture of a control character, or the replacement
/// character.
pub(crate) fn stand_in(c: char) -> char {
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

/// The text on one line, without characters that a terminal obeys: pictures take their place.
pub fn one_line(text: &str) -> Cow<'_, str> {
    replace(text, is_unsafe)
}

/// `text` with the characters that look like a space or like nothing written as `\u{a0}`.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| {
        let is_space = c.is_whitespace() && !c.is_ascii();
        is_space
            || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
    };
    if !text.contains(is_hidden) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out.into()
}

pub(super) fn replace(text: &str, bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&bad) {
        let safe = |c| if bad(c) { stand_in(c) } else { c };
        text.chars().map(safe).collect::<String>().into()
    } else {
        text.into()
    }
}

/// The message of a diagnostic with its notes and help, a line each. No text of a user, such as a
/// name of a file, begins a line: some services read logs for commands line by line.
pub(super) fn message_with_notes(diagnostic: &Diagnostic) -> String {
    let mut text = one_line(&diagnostic.message).into_owned();
    let notes = diagnostic.notes.iter().map(|note| ("note", note));
    let help = diagnostic.help.iter().map(|help| ("help", help));
    for (kind, line) in notes.chain(help) {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{kind}: {}", one_line(line));
    }
    text
}

/// The same for formats without a place for labels: these follow, each with its place.
pub(super) fn explanation(
    diagnostic: &Diagnostic,
    sources: &SourceMap,
    mut path: impl FnMut(FileId) -> String,
) -> String {
    let mut text = message_with_notes(diagnostic);
    for label in &diagnostic.labels {
        let place = sources.position(label.span.file, label.span.range.start());
        let path = path(label.span.file);
        let _ = write!(
            text,
            "\n{}:{}:{}: {}",
            one_line(&path),
            place.line,
            place.column,
            one_line(&label.message)
        );
    }
    text
}

/// `text` in lines of at most `width` columns, unless one word is longer. Lines after the first
/// begin with `indent`.
pub fn wrap(text: &str, width: usize, indent: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut column = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let length = word.width();
        if column > 0 && column + 1 + length > width {
            out.push('\n');
            out.push_str(indent);
            column = indent.len();
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("a\u{a0}= 1\t"), "a\\u{a0}= 1\t");
        assert_eq!(visible("na\u{200b}me é"), "na\\u{200b}me é");
    }

    #[test]
    fn no_escape_sequence_survives() {
        assert_eq!(plain("a\u{1b}[31mb\nc\td"), "a␛[31mb\nc\td");
        assert_eq!(one_line("a\nb\u{202E}"), "a␊b\u{FFFD}");
        assert!(matches!(plain("größe"), Cow::Borrowed(_)));
    }

    use super::wrap;

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrap("one two", 7, " "), "one two");
        assert_eq!(wrap("one two", 6, " "), "one\n two");
        assert_eq!(wrap("港湾 港湾", 8, ""), "港湾\n港湾");
        assert_eq!(wrap("港湾 港湾", 9, ""), "港湾 港湾");
    }
}
