//! From the text of a template as written to its value.
//!
//! Strip markers act on one *piece* of text, not on the whole run: text is cut at `$` and `%`, and
//! in a heredoc after each line.

use std::borrow::Cow;

use pcl_diagnostics::TextRange;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation;

use crate::quote::{Escape, dollar_escape, read_escape};

/// The surroundings of text, which decide what its characters mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextMode {
    /// Between quotes: backslash escapes.
    Quoted,
    /// In a heredoc, whose lines lose this many characters of their indentation.
    Heredoc { dedent: usize },
}

/// Text between two other parts of a template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'t> {
    pub(super) raw: &'t str,
    /// The offset at which it begins in the file.
    pub(super) start: u32,
    /// Tells whether it is the first part of its template.
    pub(super) opens_template: bool,
    /// Tells whether the part before ends in `~}`.
    pub(super) strip_start: bool,
    /// Tells whether the part after begins with `${~` or `%{~`.
    pub(super) strip_end: bool,
}

impl<'t> Run<'t> {
    /// The value, and the part of the text that it is the value of.
    pub(super) fn decode(self, mode: TextMode) -> (Cow<'t, str>, TextRange) {
        let (value, range) = self.decode_exactly(mode);
        (normalize(value), range)
    }

    fn range(self) -> TextRange {
        TextRange::new(self.start, self.start + self.raw.len() as u32)
    }

    /// The value without normalisation, and the bytes it comes from.
    pub(super) fn decode_exactly(self, mode: TextMode) -> (Cow<'t, str>, TextRange) {
        let range = self.range();
        let whole = !self.strip_start && !self.strip_end;
        match mode {
            TextMode::Quoted if whole => (decode_quoted(self.raw), range),
            TextMode::Heredoc { dedent: 0 } if whole => (decode_dollars(self.raw), range),
            _ => {
                let (value, dropped) = self.decode_pieces(mode);
                let range = TextRange::new(range.start() + dropped as u32, range.end());
                (Cow::Owned(value), range)
            }
        }
    }

    /// The value, and how many bytes of indentation were taken off its start.
    fn decode_pieces(self, mode: TextMode) -> (String, usize) {
        let mut value = String::with_capacity(self.raw.len());
        let mut first_dropped = 0;
        self.for_each_piece(mode, |index, piece, at_line_start| {
            let TextMode::Heredoc { dedent } = mode else {
                value.push_str(piece);
                return;
            };
            let mut dropped = 0;
            if at_line_start {
                dropped = lost_indentation(piece, dedent);
            }
            if index == 0 {
                first_dropped = dropped;
            }
            let (_, kept) = split(piece, dropped);
            value.push_str(kept);
        });
        (value, first_dropped)
    }

    /// The smallest indentation of the lines that begin in this run; `None` when none counts.
    pub(super) fn indentation(self) -> Option<usize> {
        let mut smallest = None;
        self.for_each_piece(TextMode::Heredoc { dedent: 0 }, |_, piece, at_line_start| {
            if at_line_start && let Some(indent) = indentation_of_line(piece) {
                smallest = Some(smallest.map_or(indent, |other: usize| other.min(indent)));
            }
        });
        smallest
    }

    /// Returns whether the text after the run is at the start of a line.
    pub(super) fn ends_line(self) -> bool {
        let mut ends = self.opens_template;
        self.for_each_piece(TextMode::Heredoc { dedent: 0 }, |_, piece, _| {
            ends = piece.ends_with('\n');
        });
        ends
    }

    /// Calls `visit` with each piece, decoded and stripped, and whether it begins a line.
    fn for_each_piece(self, mode: TextMode, mut visit: impl FnMut(usize, &str, bool)) {
        let mut rest = self.raw;
        let mut index = 0;
        let mut at_line_start = self.opens_template;
        while !rest.is_empty() {
            let len = piece_len(rest, mode);
            let (piece, tail) = split(rest, len);
            rest = tail;
            let decoded = match mode {
                TextMode::Quoted => decode_quoted(piece),
                TextMode::Heredoc { .. } => decode_dollars(piece),
            };
            let mut text = &*decoded;
            if index == 0 && self.strip_start {
                text = text.trim_start();
            }
            if rest.is_empty() && self.strip_end {
                text = text.trim_end();
            }
            visit(index, text, at_line_start);
            at_line_start = text.ends_with('\n');
            index += 1;
        }
    }
}

/// The length of the first piece of `text`, which is not empty.
fn piece_len(text: &str, mode: TextMode) -> usize {
    let bytes = text.as_bytes();
    if matches!(bytes, [b'$' | b'%', ..]) {
        return dollar_escape(bytes).unwrap_or(1);
    }
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'$' | b'%' => break,
            b'\\' if mode == TextMode::Quoted => {
                let (_, behind) = split(text, at + 1);
                at += 1 + behind.chars().next().map_or(0, char::len_utf8);
            }
            b'\n' if mode != TextMode::Quoted => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// `$${` and `%%{` decoded; nothing else.
fn decode_dollars(raw: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'$', b'%', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr2(b'$', b'%', rest.as_bytes()) {
        let (text, sign) = split(rest, at);
        value.push_str(text);
        rest = push_sign(&mut value, sign);
    }
    value.push_str(rest);
    Cow::Owned(value)
}

/// Decodes the sign that `text` begins with, which is doubled before a brace; returns the text
/// behind it.
fn push_sign<'t>(value: &mut String, text: &'t str) -> &'t str {
    let len = dollar_escape(text.as_bytes()).unwrap_or(1);
    let (sign, rest) = split(text, len);
    let (_, decoded) = split(sign, usize::from(len > 1));
    value.push_str(decoded);
    rest
}

/// Splits a text at the start of a character; elsewhere, and behind the text, nothing is left.
fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

pub(super) fn decode_quoted(raw: &str) -> Cow<'_, str> {
    if memchr::memchr3(b'\\', b'$', b'%', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr3(b'\\', b'$', b'%', rest.as_bytes()) {
        let (text, special) = split(rest, at);
        value.push_str(text);
        if !special.starts_with('\\') {
            rest = push_sign(&mut value, special);
            continue;
        }
        let escape = read_escape(special);
        let (written, behind) = split(special, escape.as_ref().map_or(1, |(_, len)| *len));
        rest = behind;
        match escape {
            Some((Escape::Char(c) | Escape::Unknown(c), _)) => value.push(c),
            Some((Escape::TooShort { .. } | Escape::NotEncodable, _)) | None => {
                value.push_str(written);
            }
        }
    }
    value.push_str(rest);
    Cow::Owned(value)
}

/// The text in Unicode's normal form C.
pub(super) fn normalize(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text;
    }
    Cow::Owned(text.nfc().collect())
}

/// The indentation of the line that begins with `piece`; `None` of a blank line.
fn indentation_of_line(piece: &str) -> Option<usize> {
    if is_blank_line(piece) {
        return None;
    }
    let blanks = piece.len() - piece.trim_start().len();
    let (blanks, _) = piece.split_at_checked(blanks)?;
    Some(blanks.graphemes(true).count())
}

/// The bytes of the indentation that the line that begins with `piece` loses.
fn lost_indentation(piece: &str, dedent: usize) -> usize {
    if is_blank_line(piece) {
        return 0;
    }
    piece.graphemes(true).take(dedent).map(str::len).sum()
}

/// Returns whether a piece is a line of spaces only.
fn is_blank_line(piece: &str) -> bool {
    piece.ends_with('\n') && piece.trim_start().is_empty()
}
