//! Text between quotes.
//!
//! The rules, with examples: `tests/spec/syntax/template.md`.

use pcl_diagnostics::Code;

use crate::kind::SyntaxKind;
use crate::lexer::{Lexer, Mode, scan, text_from};
use crate::quote::{Escape, dollar_escape, read_escape};

impl Lexer<'_> {
    /// Reads quoted text up to the closing quote, an opener, or the end of the line. `open` is the
    /// token of the opening quote.
    // Apart from the loop over code, which needs the registers.
    #[inline(never)]
    pub(super) fn quoted(&mut self, open: u32) {
        let bytes = self.source.as_bytes();
        let start = self.at;
        let mut at = start;
        loop {
            at = scan::quoted_text(bytes, at);
            let Some(&byte) = bytes.get(at) else { return self.text(start, at) };
            match byte {
                b'"' => {
                    self.text(start, at);
                    self.take(SyntaxKind::QuoteClose, 1);
                    self.modes.pop();
                    return;
                }
                b'\n' => return self.end_of_line(open, start, at),
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => {
                    return self.end_of_line(open, start, at);
                }
                b'\r' => {
                    self.text(start, at);
                    self.take(SyntaxKind::BadCharacter, 1);
                    return self.error(Code::LexNewlineInQuoted, at, at + 1);
                }
                b'\\' => match bytes.get(at + 1) {
                    None | Some(b'\r' | b'\n') => {
                        self.text(start, at);
                        self.take(SyntaxKind::BadCharacter, 1);
                        return self.error(Code::LexInvalidChar, at, at + 1);
                    }
                    Some(_) => at += self.escape(at),
                },
                b'$' | b'%' => match dollar_escape(bytes.get(at..).unwrap_or_default()) {
                    Some(len) => at += len,
                    None if bytes.get(at + 1) == Some(&b'{') => {
                        self.text(start, at);
                        return self.sequence(byte);
                    }
                    None => at += 1,
                },
                // Other control characters are text.
                _ => at += 1,
            }
        }
    }

    /// Makes `start..end` a token of text, if it is not empty.
    pub(super) fn text(&mut self, start: usize, end: usize) {
        if start < end {
            self.push(SyntaxKind::Text, start);
            self.seek(end);
        }
    }

    /// Reads `${`, `${~`, `%{` or `%{~` and enters what it opens.
    pub(super) fn sequence(&mut self, sign: u8) {
        let kind =
            if sign == b'$' { SyntaxKind::InterpolationOpen } else { SyntaxKind::ControlOpen };
        let strips = self.source.as_bytes().get(self.at + 2) == Some(&b'~');
        let start = self.at;
        if self.recovery.is_some() {
            self.watch(kind, start);
        }
        self.take(kind, if strips { 3 } else { 2 });
        self.modes.push(Mode::Expression { depth: 0 });
    }

    /// Checks the escape at `at` and gives its length.
    fn escape(&mut self, at: usize) -> usize {
        let Some((escape, len)) = read_escape(text_from(self.source, at)) else { return 1 };
        let code = match escape {
            Escape::Char(_) => return len,
            Escape::TooShort { long: false } => Code::EscShortU,
            Escape::TooShort { long: true } => Code::EscLongU,
            Escape::NotEncodable => Code::EscNotEncodable,
            Escape::Unknown(_) => Code::EscUnknown,
        };
        // Of the unknown escapes of a string, the first one is reported.
        let is_reported = code == Code::EscUnknown
            && self.errors.last().is_some_and(|last| {
                let from = self.at as u32;
                last.code() == code && last.range().start() >= from
            });
        if !is_reported {
            self.error(code, at, at + len);
        }
        len
    }

    /// Ends a quoted template at the end of its line, where its quote is missing. `start..at` is
    /// text not yet taken.
    fn end_of_line(&mut self, open: u32, start: usize, at: usize) {
        if self.reread_as_closing_quote(open, at) {
            return;
        }
        let end = self.end_of_label(open, start, at);
        self.text(start, end);
        self.modes.pop();
    }

    /// Reads the opening quote of the template `open`, which is not closed on the line that ends at
    /// `at`, as the closing quote of the template around it, if that one began on this line.
    ///
    /// Both quotes must be on this line, and it happens once a line: so the text that is lexed
    /// again is never more than the line, and never more than once, however deep it nests.
    fn reread_as_closing_quote(&mut self, open: u32, at: usize) -> bool {
        if self.reread_line == at {
            return false;
        }
        let [.., Mode::Quoted { token: outer }, Mode::Expression { .. }, Mode::Quoted { .. }] =
            *self.modes
        else {
            return false;
        };
        let (outer_start, open_start) = (self.start_of(outer), self.start_of(open));
        let before = self.source.as_bytes().get(..at).unwrap_or_default();
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        if outer_start < line {
            return false;
        }
        self.reread_line = at;
        self.rewind(open, open_start);
        self.modes.truncate(self.modes.len() - 3);
        if let Some(recovery) = &mut self.recovery {
            recovery.forget_from(outer);
        }
        self.take(SyntaxKind::QuoteClose, 1);
        true
    }

    /// The end of the text of a label that lost its closing quote: before the `{` at the end of a
    /// block's header.
    fn end_of_label(&self, open: u32, start: usize, at: usize) -> usize {
        let line = self.source.get(start..at).unwrap_or_default();
        let Some(label) = line.trim_end().strip_suffix('{') else { return at };
        let before = self.tokens.kinds.get(..open as usize).unwrap_or_default();
        let line = before.rsplit(|kind| *kind == SyntaxKind::Newline).next().unwrap_or_default();
        if self.modes.len() == 1 && is_header(line) { start + label.trim_end().len() } else { at }
    }
}

/// Returns whether the tokens of a line may be the header of a block so far, with quotes that are
/// missing or of another kind: words, strings, and the signs within a word.
fn is_header(line: &[SyntaxKind]) -> bool {
    use SyntaxKind as K;
    let is_word = |at: usize| line.get(at) == Some(&K::Ident);
    let begins = line.iter().find(|kind| **kind != K::Whitespace) == Some(&K::Ident);
    begins
        && line.iter().enumerate().all(|(at, kind)| match kind {
            K::Whitespace | K::Ident | K::QuoteOpen | K::QuoteClose | K::Text => true,
            K::SingleQuote | K::Backtick | K::BadCharacter => true,
            K::Colon | K::Slash | K::Dot => is_word(at.wrapping_sub(1)) && is_word(at + 1),
            _ => false,
        })
}
