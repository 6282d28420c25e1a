//! From text to tokens.
//!
//! Braces make lexing depend on where one is: `}` may close an object or an interpolation, and
//! between the quotes of a template other rules hold than outside. So the lexer keeps a stack of
//! modes. Outside template text ([`Mode::Expression`], and at the bottom of the stack) `logos`
//! finds the tokens by the patterns of [`SyntaxKind`]; what has no bound (comments, numbers, names
//! beyond ASCII, heredoc introducers) is finished here, so that no pattern loops. Template text is
//! scanned by hand.
//!
//! Two rules keep the damage of a missing quote or brace small, whatever follows:
//! - A quoted template ends at the end of its line.
//! - When a string that was opened inside `${` is not closed on its line, and the template around
//!   it began on the same line, its opening quote was meant to close that template: it is read
//!   again as such.
//!
//! For a text whose brackets do not match, [`lex_again`] uses the indentation of the lines too; see
//! [`recovery`].

mod comment;
mod heredoc;
pub(crate) mod ident;
mod number;
pub(crate) mod recovery;
mod scan;
mod template;
use std::collections::{HashMap, HashSet};

use logos::Logos;
use pcl_diagnostics::{Code, TextRange};

use crate::error::SyntaxError;
use crate::hook::Reading;
use crate::kind::SyntaxKind;
use crate::tree::Tokens;
use recovery::{Recovery, Repairs};

/// The result of the lexer.
pub(crate) struct Lexed {
    pub(crate) tokens: Tokens,
    pub(crate) errors: Vec<SyntaxError>,
    /// The reading of brackets that do not match; empty after the first pass.
    pub(crate) repairs: Repairs,
    /// The introducers of heredocs that may hold another one, each with the end of its text.
    pub(crate) suspects: Vec<(TextRange, u32)>,
}

/// Lexes `source`. The bytes in `invalid` are placeholders for what was not UTF-8; `readings` are
/// in order.
pub(crate) fn lex(source: &str, invalid: &[TextRange], readings: &[Reading]) -> Lexed {
    Lexer::new(source, invalid, readings, None).run()
}

/// Lexes a text whose brackets do not match, and finds where those without a closer were meant to
/// end.
pub(crate) fn lex_again(source: &str, invalid: &[TextRange], readings: &[Reading]) -> Lexed {
    Lexer::new(source, invalid, readings, Some(Recovery::new(source))).run()
}

/// The surroundings of the place that is being read.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Between the quotes of the template that was opened by this token.
    Quoted { token: u32 },
    /// In a heredoc.
    Heredoc(heredoc::Heredoc),
    /// In an interpolation or directive, with this many `{` open.
    Expression { depth: u32 },
}

struct Lexer<'s> {
    source: &'s str,
    /// Offset of the next byte.
    at: usize,
    tokens: Tokens,
    modes: Vec<Mode>,
    errors: Vec<SyntaxError>,
    suspects: Vec<(TextRange, u32)>,
    invalid: &'s [TextRange],
    /// The readings that are yet to come, and the start of the first of them, or the end of the
    /// text.
    readings: &'s [Reading],
    limit: usize,
    /// The errors of the readings so far, by code and start.
    reported: HashSet<(Code, u32)>,
    /// The end of the line on which a quote was last read again.
    reread_line: usize,
    /// The number of bytes that were read and then given up to be read again.
    #[cfg(test)]
    given_up: usize,
    /// For each line that is a name and nothing else, its last position. Computed on the first
    /// use.
    last_lines: Option<HashMap<&'s str, usize>>,
    /// Present in the second pass.
    recovery: Option<Recovery<'s>>,
}

impl<'s> Lexer<'s> {
    fn new(
        source: &'s str,
        invalid: &'s [TextRange],
        readings: &'s [Reading],
        recovery: Option<Recovery<'s>>,
    ) -> Self {
        // Measured on formatted programs: 3.3 bytes a token, blanks included; 2.3 on one of short
        // lines. What is too much is given back.
        let capacity = source.len() / 2 + 8;
        let mut lexer = Self {
            source,
            at: 0,
            tokens: Tokens::with_capacity(capacity),
            modes: Vec::new(),
            errors: Vec::new(),
            suspects: Vec::new(),
            invalid,
            readings,
            limit: source.len(),
            reported: HashSet::new(),
            reread_line: usize::MAX,
            #[cfg(test)]
            given_up: 0,
            last_lines: None,
            recovery,
        };
        lexer.set_limit(0);
        lexer
    }

    /// Makes the start of the first reading at or after `at` the limit.
    fn set_limit(&mut self, at: usize) {
        while let Some((first, later)) = self.readings.split_first()
            && (first.range.start() as usize) < at
        {
            self.readings = later;
        }
        let first = self.readings.first();
        self.limit = first.map_or(self.source.len(), |first| first.range.start() as usize);
    }

    /// The bytes up to the next reading.
    fn bytes(&self) -> &'s [u8] {
        let bytes = self.source.as_bytes();
        bytes.get(..self.limit).unwrap_or(bytes)
    }

    fn run(mut self) -> Lexed {
        self.read();
        self.tokens.shrink_to_fit();
        Lexed {
            tokens: self.tokens,
            errors: self.errors,
            suspects: self.suspects,
            repairs: self.recovery.map(Recovery::into_repairs).unwrap_or_default(),
        }
    }

    /// Reads the text up to its end.
    fn read(&mut self) {
        for &range in self.invalid {
            self.errors.push(SyntaxError::new(Code::LexBadUtf8, range));
        }
        if self.source.starts_with('\u{FEFF}') {
            self.take(SyntaxKind::ByteOrderMark, '\u{FEFF}'.len_utf8());
        }
        while self.at < self.source.len() {
            match self.modes.last() {
                None | Some(Mode::Expression { .. }) => self.code(),
                Some(&Mode::Quoted { token }) => self.quoted(token),
                Some(&Mode::Heredoc(heredoc)) => self.heredoc(heredoc),
            }
        }
        self.push(SyntaxKind::EndOfFile, self.at);
        // The parser searches for errors by their places.
        self.errors.sort_by_key(|error| error.range().start());
    }

    /// Reads code up to the end of the mode or of the text. Blanks are taken with the token before
    /// them.
    fn code(&mut self) {
        use SyntaxKind as K;
        if self.limit <= self.at {
            if self.limit == self.at {
                self.take_reading();
            }
            self.set_limit(self.at);
            return;
        }
        let bytes = self.bytes();
        // Nothing that is open depends on brackets and line endings.
        let plain = self.modes.is_empty() && self.recovery.is_none();
        while let Some(rest) = bytes.get(self.at..) {
            let start = self.at;
            let mut cursor = SyntaxKind::lexer(rest);
            let Some(Ok(kind)) = cursor.next() else { return };
            let end = start + cursor.span().end;
            match kind {
                K::Ident => {
                    let mut end = scan::name(bytes, end);
                    if matches!(bytes.get(end), Some(0x80..)) {
                        end = self.end_of_ident(end);
                    }
                    self.push_with_blanks(bytes, kind, start, end);
                }
                K::QuoteOpen => {
                    let close = scan::quoted_text(bytes, end);
                    if bytes.get(close) != Some(&b'"') {
                        self.at = end;
                        return self.open_quoted(start);
                    }
                    // Nothing but text.
                    self.push(K::QuoteOpen, start);
                    if end < close {
                        self.push(K::Text, end);
                    }
                    self.push_with_blanks(bytes, K::QuoteClose, close, close + 1);
                }
                K::LParen
                | K::RParen
                | K::LBracket
                | K::RBracket
                | K::LBrace
                | K::RBrace
                | K::Newline
                    if plain =>
                {
                    self.push_with_blanks(bytes, kind, start, end)
                }
                K::Dot | K::Comma | K::Colon | K::Equals => {
                    self.push_with_blanks(bytes, kind, start, end)
                }
                _ => {
                    self.at = end;
                    if self.finish(kind, start) {
                        return;
                    }
                }
            }
        }
    }

    /// Makes `start..end` a token, and the blanks after it another one.
    #[inline(always)]
    fn push_with_blanks(&mut self, bytes: &[u8], kind: SyntaxKind, start: usize, end: usize) {
        let next = scan::blanks(bytes, end);
        self.push(kind, start);
        if next > end {
            self.push(SyntaxKind::Whitespace, end);
        }
        self.at = next;
    }

    /// Makes the quote at `start` a token, after which a template is read.
    fn open_quoted(&mut self, start: usize) {
        let token = self.next_token();
        self.push(SyntaxKind::QuoteOpen, start);
        self.modes.push(Mode::Quoted { token });
    }

    /// Finishes a token whose beginning was read; gives whether it ends or changes the mode.
    #[inline(never)]
    fn finish(&mut self, kind: SyntaxKind, start: usize) -> bool {
        use SyntaxKind as K;
        let kind = match kind {
            K::Whitespace => {
                self.at = scan::blanks(self.bytes(), self.at);
                kind
            }
            K::Number => {
                self.rest_of_number(start);
                kind
            }
            K::LineComment => {
                self.rest_of_line();
                kind
            }
            K::BlockComment => self.rest_of_block_comment(start),
            K::Less => self.heredoc_or_less(start),
            K::LBrace => {
                if let Some(Mode::Expression { depth }) = self.modes.last_mut() {
                    *depth += 1;
                }
                kind
            }
            K::RBrace | K::SequenceClose => self.closing_brace(kind),
            K::BitwiseOperator | K::Backtick | K::SingleQuote | K::Semicolon => {
                self.bad_token(kind, start)
            }
            K::BadCharacter => self.beyond_ascii(start),
            kind => kind,
        };
        self.conclude(kind, start)
    }

    /// Takes the reading that begins here.
    fn take_reading(&mut self) {
        let Some((reading, later)) = self.readings.split_first() else { return };
        self.readings = later;
        let start = self.at;
        self.seek(reading.range.end() as usize);
        let error = reading.error;
        if self.reported.insert((error.code(), error.range().start())) {
            self.errors.push(error);
        }
        let kind = match reading.kind {
            SyntaxKind::RBrace => self.closing_brace(SyntaxKind::RBrace),
            kind => kind,
        };
        // What follows is read with the next limit.
        self.set_limit(self.at);
        self.conclude(kind, start);
    }

    /// Makes `start..at` a token of this kind; gives whether it ends or changes the mode.
    fn conclude(&mut self, kind: SyntaxKind, start: usize) -> bool {
        use SyntaxKind as K;
        if self.recovery.is_some() {
            self.watch(kind, start);
        }
        match kind {
            K::HeredocOpen => {
                self.push(kind, start);
                self.enter_heredoc(start);
                true
            }
            K::SequenceClose => {
                self.push(kind, start);
                !self.is_in_code()
            }
            K::Newline if self.recovery.is_some() => {
                self.push(kind, start);
                self.after_newline();
                !self.is_in_code()
            }
            _ => {
                self.push_with_blanks(self.bytes(), kind, start, self.at);
                false
            }
        }
    }

    /// Returns whether code is what follows.
    fn is_in_code(&self) -> bool {
        matches!(self.modes.last(), None | Some(Mode::Expression { .. }))
    }

    /// Decides what a closing brace closes; leaves the mode when it ends it.
    fn closing_brace(&mut self, kind: SyntaxKind) -> SyntaxKind {
        match self.modes.last_mut() {
            Some(Mode::Expression { depth: 0 }) => {
                self.modes.pop();
                SyntaxKind::SequenceClose
            }
            Some(Mode::Expression { depth }) => {
                *depth -= 1;
                kind
            }
            _ => kind,
        }
    }

    /// Reads the rest of a token that begins with a character beyond ASCII or one that means
    /// nothing.
    fn beyond_ascii(&mut self, start: usize) -> SyntaxKind {
        let Some(c) = text_from(self.source, start).chars().next() else {
            return SyntaxKind::BadCharacter;
        };
        self.seek(start + c.len_utf8());
        if ident::is_start(c) {
            self.seek(self.end_of_ident(self.at));
            SyntaxKind::Ident
        } else {
            self.bad_character(c, start)
        }
    }

    /// The end of the name of which `at` is not the first character.
    #[cold]
    fn end_of_ident(&self, at: usize) -> usize {
        let rest = text_from(self.source, at);
        at + rest.find(|c| !ident::is_continue(c)).unwrap_or(rest.len())
    }

    /// Reports a token that is invalid everywhere.
    fn bad_token(&mut self, kind: SyntaxKind, start: usize) -> SyntaxKind {
        let code = match kind {
            SyntaxKind::BitwiseOperator => Code::LexBitwiseOp,
            SyntaxKind::Semicolon => Code::LexSemicolon,
            SyntaxKind::Backtick => {
                self.take_quotation('`');
                Code::LexBacktick
            }
            SyntaxKind::SingleQuote => {
                self.take_quotation('\'');
                Code::LexSingleQuote
            }
            _ => return kind,
        };
        self.error_run(code, start);
        kind
    }

    /// Takes the rest of what someone quoted with `close`, if it ends on this line and holds
    /// nothing that matters to what is around: neither quotes nor braces, but those of whole
    /// interpolations.
    fn take_quotation(&mut self, close: char) {
        const LONGEST: usize = 120;
        let rest = self.rest();
        let mut depth = 0_usize;
        let mut after_dollar = false;
        for (at, c) in rest.char_indices().take(LONGEST) {
            match c {
                '{' if after_dollar || depth > 0 => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '{' | '}' | '"' | '\n' | '\r' => return,
                _ if c == close && depth == 0 => return self.seek(self.at + at + c.len_utf8()),
                _ => {}
            }
            after_dollar = c == '$';
        }
    }

    /// Reports a character that means nothing; or passes over placeholders, which were reported
    /// before.
    fn bad_character(&mut self, c: char, start: usize) -> SyntaxKind {
        let index = self.invalid.partition_point(|range| range.end() as usize <= start);
        if let Some(range) = self.invalid.get(index)
            && range.start() as usize <= start
        {
            self.seek(range.end() as usize);
            return SyntaxKind::BadBytes;
        }
        let close = match c {
            '“' | '”' => Some('”'),
            '‘' | '’' => Some('’'),
            _ => None,
        };
        if let Some(close) = close {
            self.take_quotation(close);
            self.error_run(Code::LexCurlyQuote, start);
        } else {
            self.error_run(Code::LexInvalidChar, start);
        }
        SyntaxKind::BadCharacter
    }

    fn error(&mut self, code: Code, start: usize, end: usize) {
        let range = TextRange::new(start as u32, end as u32);
        self.errors.push(SyntaxError::new(code, range));
    }

    /// Reports `start..at`. Neighbours with the same code are one error.
    fn error_run(&mut self, code: Code, start: usize) {
        let end = self.at as u32;
        match self.errors.last_mut() {
            Some(last) if last.code() == code && last.range().end() as usize == start => {
                *last = SyntaxError::new(code, TextRange::new(last.range().start(), end));
            }
            _ => self.error(code, start, self.at),
        }
    }

    #[inline(always)]
    fn push(&mut self, kind: SyntaxKind, start: usize) {
        self.tokens.push(kind, start);
    }

    /// Makes the next `len` bytes a token.
    fn take(&mut self, kind: SyntaxKind, len: usize) {
        self.push(kind, self.at);
        self.seek(self.at + len);
    }

    /// The index of the token that is read next.
    fn next_token(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// The offset at which a token begins that was read, or is read next.
    fn start_of(&self, token: u32) -> usize {
        if token < self.next_token() { self.tokens.start(token) as usize } else { self.at }
    }

    /// The text that is not yet read.
    fn rest(&self) -> &'s str {
        text_from(self.source, self.at)
    }

    /// Goes to `offset`.
    fn seek(&mut self, offset: usize) {
        self.at = offset;
    }

    /// Goes back to `offset`, and forgets the tokens and errors after it.
    fn rewind(&mut self, token: u32, offset: usize) {
        self.tokens.truncate(token);
        // Bytes that are not UTF-8 were reported before anything was read.
        while self.errors.last().is_some_and(|error| {
            error.range().start() as usize >= offset && error.code() != Code::LexBadUtf8
        }) {
            self.errors.pop();
        }
        #[cfg(test)]
        {
            self.given_up += self.at - offset;
        }
        self.seek(offset);
    }
}

/// The text from `at` on; empty where no character begins.
fn text_from(source: &str, at: usize) -> &str {
    source.get(at..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    //! The work of the lexer: no text makes it read a byte more than twice.

    use proptest::prelude::*;

    use super::Lexer;
    use super::recovery::Recovery;

    /// Pieces that begin, end and break templates, heredocs, strings and comments.
    const PIECES: &[&str] = &[
        "\"${",
        "}\"",
        "\"",
        "${",
        "%{ if a }",
        "}",
        "{",
        "(",
        "\n",
        "\r\n",
        "  ",
        "a = ",
        "x",
        "<<A\n",
        "<<-A\n",
        "\nA\n",
        "${<<A\n",
        "}\nA\n",
        "/*",
        "*/",
        "# c\n",
        "\\\"",
        "$${",
        "'",
        "b \"c\" {\n",
    ];

    /// Pieces that repeat, up to some hundred nested or unclosed constructs.
    fn soup() -> impl Strategy<Value = String> {
        let run = prop::collection::vec(prop::sample::select(PIECES), 1..4);
        let repeated = (run, prop_oneof![Just(1), 2..40_usize]);
        prop::collection::vec(repeated, 1..8).prop_map(|runs| {
            let texts = runs.iter().map(|(pieces, count)| pieces.concat().repeat(*count));
            texts.collect()
        })
    }

    fn reads_each_byte_at_most_twice(source: &str) {
        for recovery in [None, Some(Recovery::new(source))] {
            let mut lexer = Lexer::new(source, &[], &[], recovery);
            lexer.read();
            assert!(
                lexer.given_up <= source.len(),
                "{} of {} bytes given up: {source:?}",
                lexer.given_up,
                source.len()
            );
        }
    }

    #[test]
    fn an_unclosed_heredoc_in_nested_templates_is_read_once() {
        let (open, close) = ("\"${".repeat(100), "}\"".repeat(50));
        let heredocs = "}\nA\n".repeat(8);
        reads_each_byte_at_most_twice(&format!("{open}\n{close}${{<<A\n{heredocs}"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_soup_is_read_at_most_twice(source in soup()) {
            reads_each_byte_at_most_twice(&source);
        }
    }
}
