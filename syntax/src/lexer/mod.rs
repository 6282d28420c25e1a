//! From text to tokens.
//!
//! Braces make lexing depend on where one is: `}` may close an object or an interpolation, and between the quotes of a template
//! other rules hold than outside. So the lexer keeps a stack of modes. Outside template text ([`Mode::Expression`], and at the
//! bottom of the stack) `logos` finds the tokens by the patterns of [`SyntaxKind`]; what has no bound (comments, numbers, names
//! beyond ASCII, heredoc introducers) is finished here, so that no pattern loops. Template text is scanned by hand.
//!
//! Two rules keep the damage of a missing quote or brace small, whatever follows:
//! - A quoted template ends at the end of its line.
//! - When a string that was opened inside `${` is not closed on the line on which the template around it began, its opening quote
//!   was meant to close that template: it is read again as such.
//!
//! For a text whose brackets do not match, [`lex_again`] uses the indentation of the lines too; see [`recovery`].

mod comment;
mod heredoc;
pub(crate) mod ident;
mod number;
pub(crate) mod recovery;
mod template;

use logos::Logos;
use pcl_diagnostics::{Code, TextRange};

use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::tree::Tokens;
use recovery::{Recovery, Repairs};

/// What the lexer makes of a text.
pub(crate) struct Lexed {
    pub(crate) tokens: Tokens,
    pub(crate) errors: Vec<SyntaxError>,
    /// How brackets that do not match are to be read; empty after the first pass.
    pub(crate) repairs: Repairs,
}

/// Lexes `source`. The bytes in `invalid` are placeholders for what was not UTF-8.
pub(crate) fn lex(source: &str, invalid: &[TextRange]) -> Lexed {
    Lexer::new(source, invalid, None).run()
}

/// Lexes a text whose brackets do not match, and finds where those without a closer were meant to end.
pub(crate) fn lex_again(source: &str, invalid: &[TextRange]) -> Lexed {
    Lexer::new(source, invalid, Some(Recovery::new(source))).run()
}

/// What surrounds the place that is being read.
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
    cursor: logos::Lexer<'s, SyntaxKind>,
    /// Offset of the next byte.
    at: usize,
    kinds: Vec<SyntaxKind>,
    starts: Vec<u32>,
    modes: Vec<Mode>,
    errors: Vec<SyntaxError>,
    invalid: &'s [TextRange],
    /// The end of the last line on which a quote was read again.
    reread_line: usize,
    /// Present in the second pass.
    recovery: Option<Recovery<'s>>,
}

impl<'s> Lexer<'s> {
    fn new(source: &'s str, invalid: &'s [TextRange], recovery: Option<Recovery<'s>>) -> Self {
        // Measured on formatted programs: 3.3 bytes a token, blanks included.
        let capacity = source.len() / 3 + 8;
        Self {
            source,
            cursor: SyntaxKind::lexer(source),
            at: 0,
            kinds: Vec::with_capacity(capacity),
            starts: Vec::with_capacity(capacity),
            modes: Vec::new(),
            errors: Vec::new(),
            invalid,
            reread_line: usize::MAX,
            recovery,
        }
    }

    fn run(mut self) -> Lexed {
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
        self.kinds.shrink_to_fit();
        self.starts.shrink_to_fit();
        Lexed {
            tokens: Tokens {
                kinds: self.kinds,
                starts: self.starts,
            },
            errors: self.errors,
            repairs: self
                .recovery
                .map(Recovery::into_repairs)
                .unwrap_or_default(),
        }
    }

    /// Reads code up to the end of the mode or of the text.
    fn code(&mut self) {
        let bytes = self.source.as_bytes();
        loop {
            let start = self.at;
            match bytes.get(start) {
                None => return,
                Some(0x80..) => {
                    self.beyond_ascii();
                    continue;
                }
                Some(_) => {}
            }
            let Some(Ok(kind)) = self.cursor.next() else {
                // Every ASCII character begins some pattern.
                self.take(SyntaxKind::BadCharacter, 1);
                continue;
            };
            self.at = self.cursor.span().end;
            let kind = match kind {
                SyntaxKind::Ident => {
                    if matches!(bytes.get(self.at), Some(0x80..)) {
                        self.rest_of_ident();
                    }
                    kind
                }
                SyntaxKind::Number => {
                    self.rest_of_number(start);
                    kind
                }
                SyntaxKind::LineComment => {
                    self.rest_of_line();
                    kind
                }
                SyntaxKind::BlockComment => self.rest_of_block_comment(start),
                SyntaxKind::Less => self.heredoc_or_less(start),
                SyntaxKind::LBrace => {
                    if let Some(Mode::Expression { depth }) = self.modes.last_mut() {
                        *depth += 1;
                    }
                    kind
                }
                SyntaxKind::RBrace | SyntaxKind::SequenceClose => self.closing_brace(kind),
                SyntaxKind::BitwiseOperator
                | SyntaxKind::Backtick
                | SyntaxKind::SingleQuote
                | SyntaxKind::Semicolon
                | SyntaxKind::BadCharacter => self.bad_token(kind, start),
                kind => kind,
            };
            if self.recovery.is_some() {
                self.watch(kind, start);
            }
            self.push(kind, start);
            match kind {
                SyntaxKind::QuoteOpen => {
                    let token = self.kinds.len() as u32 - 1;
                    self.modes.push(Mode::Quoted { token });
                    return;
                }
                SyntaxKind::HeredocOpen => {
                    self.enter_heredoc(start);
                    return;
                }
                SyntaxKind::SequenceClose
                    if !matches!(self.modes.last(), None | Some(Mode::Expression { .. })) =>
                {
                    return;
                }
                SyntaxKind::Newline if self.recovery.is_some() => {
                    self.after_newline();
                    if !matches!(self.modes.last(), None | Some(Mode::Expression { .. })) {
                        return;
                    }
                }
                _ => {}
            }
        }
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

    /// Reads one token that begins with a character beyond ASCII.
    fn beyond_ascii(&mut self) {
        let start = self.at;
        let Some(c) = self.source[start..].chars().next() else {
            return;
        };
        self.seek(start + c.len_utf8());
        let kind = if ident::is_start(c) {
            self.rest_of_ident();
            SyntaxKind::Ident
        } else {
            self.bad_character(c, start)
        };
        self.push(kind, start);
    }

    fn rest_of_ident(&mut self) {
        let rest = &self.source[self.at..];
        let len = rest.find(|c| !ident::is_continue(c)).unwrap_or(rest.len());
        self.seek(self.at + len);
    }

    /// Reports a token that is wrong wherever it stands.
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
            _ => return self.bad_character('\0', start),
        };
        self.error_run(code, start);
        kind
    }

    /// Takes the rest of what someone quoted with `close`, if it ends on this line and holds nothing that matters.
    fn take_quotation(&mut self, close: char) {
        let rest = &self.source[self.at..];
        let end = rest.find([close, '"', '{', '}', '\n', '\r']);
        if let Some(end) = end
            && rest[end..].starts_with(close)
        {
            self.seek(self.at + end + close.len_utf8());
        }
    }

    /// Reports a character that means nothing; or passes over placeholders, which were reported before.
    fn bad_character(&mut self, c: char, start: usize) -> SyntaxKind {
        let index = self
            .invalid
            .partition_point(|range| range.end() as usize <= start);
        if let Some(range) = self.invalid.get(index)
            && range.start() as usize <= start
        {
            self.seek(range.end() as usize);
            return SyntaxKind::BadBytes;
        }
        if matches!(c, '“' | '”') {
            self.take_quotation('”');
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

    /// Reports `start..at`. Neighbours with the same fault are one finding.
    fn error_run(&mut self, code: Code, start: usize) {
        let end = self.at as u32;
        match self.errors.last_mut() {
            Some(last) if last.code() == code && last.range().end() as usize == start => {
                *last = SyntaxError::new(code, TextRange::new(last.range().start(), end));
            }
            _ => self.error(code, start, self.at),
        }
    }

    fn push(&mut self, kind: SyntaxKind, start: usize) {
        self.kinds.push(kind);
        self.starts.push(start as u32);
    }

    /// Makes the next `len` bytes a token.
    fn take(&mut self, kind: SyntaxKind, len: usize) {
        self.push(kind, self.at);
        self.seek(self.at + len);
    }

    /// Goes to `offset`, which is not before the place where the cursor stands.
    fn seek(&mut self, offset: usize) {
        self.at = offset;
        let behind = self.cursor.span().end;
        self.cursor.bump(offset.saturating_sub(behind));
    }

    /// Goes back to `offset`, and forgets the tokens and findings after it.
    fn rewind(&mut self, token: u32, offset: usize) {
        self.kinds.truncate(token as usize);
        self.starts.truncate(token as usize);
        // Bytes that are not UTF-8 were reported before anything was read.
        while self.errors.last().is_some_and(|error| {
            error.range().start() as usize >= offset && error.code() != Code::LexBadUtf8
        }) {
            self.errors.pop();
        }
        self.cursor = SyntaxKind::lexer(self.source);
        self.seek(offset);
    }
}
