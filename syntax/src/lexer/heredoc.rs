//! Heredocs: the introducer, the text, and the line that closes it.
//!
//! The rules, with examples: `tests/spec/syntax/heredoc.md`.

use std::collections::HashMap;

use pcl_diagnostics::{Code, TextRange};

use crate::kind::SyntaxKind;
use crate::lexer::{Lexer, Mode, ident, text_from};
use crate::quote::dollar_escape;

/// An open heredoc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heredoc {
    /// The introducer.
    pub(super) token: u32,
    /// The place of the marker in the text.
    marker: TextRange,
    /// Tells whether nothing but text was read since the last line ending.
    pub(super) at_line_start: bool,
    /// The indentation at or below which an item ends it, when it has no closing line.
    ends_at_indent: Option<usize>,
}

impl<'s> Lexer<'s> {
    /// Reads the rest of a heredoc introducer after its first `<`, if it is one.
    pub(super) fn heredoc_or_less(&mut self, start: usize) -> SyntaxKind {
        let rest = text_from(self.source, start);
        let Some(after) = rest.strip_prefix("<<") else { return SyntaxKind::Less };
        let after = after.strip_prefix('-').unwrap_or(after);
        let marker = after.trim_start_matches([' ', '\t']);
        if !marker.starts_with(ident::is_start) {
            return SyntaxKind::Less;
        }
        let behind = marker.trim_start_matches(ident::is_continue);
        let ending = match behind.as_bytes() {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return SyntaxKind::Less,
        };
        let end = start + (rest.len() - behind.len());
        if marker.len() < after.len() {
            // No blank may stand there, but what else than a heredoc is closed by such a line?
            let word = marker.strip_suffix(behind).unwrap_or_default();
            if !self.is_closed_below(word, end) {
                return SyntaxKind::Less;
            }
            self.error(Code::ExprInvalid, start, end);
        }
        self.seek(end + ending);
        SyntaxKind::HeredocOpen
    }

    /// Returns whether a line after `at` holds nothing but this marker.
    fn is_closed_below(&mut self, marker: &str, at: usize) -> bool {
        let source = self.source;
        let lines = self.last_lines.get_or_insert_with(|| {
            let mut start = 0;
            let mut lines = HashMap::new();
            for line in source.split_inclusive('\n') {
                let word = line.trim();
                if word.starts_with(ident::is_start) && word.chars().all(ident::is_continue) {
                    lines.insert(word, start);
                }
                start += line.len();
            }
            lines
        });
        lines.get(marker).is_some_and(|&last| last >= at)
    }

    /// Enters the heredoc whose introducer is the last token.
    pub(super) fn enter_heredoc(&mut self, start: usize) {
        let introducer = self.source.get(start..self.at).unwrap_or_default();
        let marker = introducer.trim_start_matches(|c| !ident::is_start(c));
        let length = marker.find(|c| !ident::is_continue(c));
        let marker = length.and_then(|length| marker.get(..length)).unwrap_or(marker);
        let from = start + introducer.find(marker).unwrap_or(0);
        let token = self.tokens.end();
        let at = self.at;
        let ends_at_indent = if self.recovery.is_some() {
            let is_closed = self.is_closed_below(marker, at);
            let recovery = self.recovery.as_mut();
            recovery.and_then(|recovery| recovery.enter_heredoc(at, is_closed))
        } else {
            None
        };
        self.modes.push(Mode::Heredoc(Heredoc {
            token,
            marker: TextRange::new(from as u32, (from + marker.len()) as u32),
            at_line_start: true,
            ends_at_indent,
        }));
    }

    /// Reads text up to the closing line or an opener.
    // Apart from the loop over code, which needs the registers.
    #[inline(never)]
    pub(super) fn heredoc(&mut self, heredoc: Heredoc) {
        let bytes = self.source.as_bytes();
        let start = self.at;
        let mut at = start;
        let mut at_line_start = heredoc.at_line_start;
        loop {
            if at_line_start {
                if self.take_closing_reading(start, at) {
                    return;
                }
                if let Some(end) = self.closing_line(heredoc, at) {
                    self.text(start, at);
                    self.take(SyntaxKind::HeredocClose, end - at);
                    self.modes.pop();
                    self.suspect(heredoc, at);
                    if end == bytes.len() {
                        self.error(Code::HeredocNoFinalNewline, at, end);
                    }
                    return;
                }
                if let Some(indent) = heredoc.ends_at_indent
                    && ends_heredoc(text_from(self.source, at), indent)
                {
                    self.text(start, at);
                    self.modes.pop();
                    if let Some(recovery) = &mut self.recovery {
                        recovery.begin_line(at);
                    }
                    return;
                }
            }
            let rest = bytes.get(at..).unwrap_or_default();
            let stop = rest.iter().position(|byte| matches!(byte, b'$' | b'%' | b'\r' | b'\n'));
            let Some((stop, behind)) = stop.and_then(|stop| Some((stop, rest.get(stop..)?))) else {
                return self.text(start, bytes.len());
            };
            at += stop;
            at_line_start = false;
            match behind {
                [b'\n', ..] => {
                    at += 1;
                    at_line_start = true;
                }
                [b'\r', b'\n', ..] => {
                    at += 2;
                    at_line_start = true;
                }
                [b'\r', ..] => {
                    self.text(start, at);
                    self.leave_line_start();
                    self.take(SyntaxKind::BadCharacter, 1);
                    return self.error(Code::LexInvalidChar, at, at + 1);
                }
                [sign, next @ ..] => match dollar_escape(behind) {
                    Some(len) => at += len,
                    None if next.starts_with(b"{") => {
                        self.text(start, at);
                        self.leave_line_start();
                        return self.sequence(*sign);
                    }
                    None => at += 1,
                },
                [] => {}
            }
            if at >= bytes.len() {
                return self.text(start, bytes.len());
            }
        }
    }

    /// Notes a heredoc whose text, up to `end`, may hold the introducer of another.
    fn suspect(&mut self, heredoc: Heredoc, end: usize) {
        let start = self.tokens.start(heredoc.token);
        let introducer = TextRange::new(start, heredoc.marker.end());
        let text = self.source.get(introducer.end() as usize..end);
        let holds = text.is_some_and(|text| memchr::memmem::find(text.as_bytes(), b"<<").is_some());
        if holds {
            self.suspects.push((introducer, end as u32));
        }
    }

    /// Ends the heredoc, whose text from `start` on is not yet taken, at a line that was meant to
    /// close it, if such a line begins at `at`.
    fn take_closing_reading(&mut self, start: usize, at: usize) -> bool {
        if self.limit < at {
            self.set_limit(at);
        }
        let closing = self.readings.first();
        if self.limit != at || closing.is_none_or(|it| it.kind != SyntaxKind::HeredocClose) {
            return false;
        }
        self.text(start, at);
        self.seek(at);
        self.modes.pop();
        self.take_reading();
        true
    }

    /// Continues the text in the middle of a line.
    fn leave_line_start(&mut self) {
        if let Some(Mode::Heredoc(heredoc)) = self.modes.last_mut() {
            heredoc.at_line_start = false;
        }
    }

    /// The end of the line at `at`, without its line ending, if it closes the heredoc.
    pub(super) fn closing_line(&self, heredoc: Heredoc, at: usize) -> Option<usize> {
        let line = line_at(self.source, at);
        let marker = self.source.get(heredoc.marker.to_usize())?;
        (line.trim() == marker).then(|| at + line.len())
    }
}

/// The line that begins at `at`, without its line ending.
pub(super) fn line_at(source: &str, at: usize) -> &str {
    let rest = text_from(source, at);
    let end = memchr::memchr(b'\n', rest.as_bytes());
    let Some(line) = end.and_then(|end| rest.get(..end)) else { return rest };
    line.strip_suffix('\r').unwrap_or(line)
}

/// Returns whether the line that `text` begins with ends a heredoc without closing line: an item
/// that is indented no more than the line of the introducer, or a closer that is indented less.
fn ends_heredoc(text: &str, indent: usize) -> bool {
    let line = line_at(text, 0).trim_start_matches([' ', '\t']);
    if line.starts_with(['}', ']', ')']) {
        let own = line_at(text, 0).len() - line.len();
        return own < indent;
    }
    super::recovery::item_at(text).is_some_and(|item| item.indent <= indent)
}
