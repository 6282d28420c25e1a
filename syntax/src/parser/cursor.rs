//! The cursor: the position in the tokens, the brackets that are open there, and going on. A line
//! ending ends the item on its line, except inside of brackets, where it is skipped like a space;
//! braces of bodies and items turn it on again.
//!
//! The rules, with examples: `tests/spec/syntax/body.md` and `tests/spec/syntax/collection.md`.

use std::ops::Range;

use pcl_diagnostics::TextRange;

use crate::kind::SyntaxKind;
use crate::lexer::Lexed;
use crate::lexer::recovery::{Repairs, VirtualEnd, closes};
use crate::tree::Tokens;

/// A position in the tokens of a text.
pub(crate) struct Cursor<'s> {
    source: &'s str,
    tokens: &'s Tokens,
    /// The current token: the next one that means something here.
    pub(super) current: u32,
    /// Its kind; the end of the file at a virtual end.
    pub(super) kind: SyntaxKind,
    /// The token after the last one that was taken.
    pub(super) behind: u32,
    /// The last kind of token that is skipped, which depends on whether line endings matter here.
    pub(super) last_skipped: SyntaxKind,
    /// Tokens of the brackets, templates and directives that are open.
    pub(super) openers: Vec<u32>,
    /// Ends that are yet to come, and the token of the first of them.
    ends: &'s [VirtualEnd],
    limit: u32,
    /// The kinds of the tokens before the limit.
    before_limit: &'s [SyntaxKind],
    repairs: &'s Repairs,
    quotes: QuoteSearch,
}

/// The last search for a string without end in a line.
struct QuoteSearch {
    /// The tokens of the part of the line that was searched.
    line: Range<u32>,
    /// The last opening quote in it that has no closing one.
    open: Option<u32>,
}

impl<'s> Cursor<'s> {
    pub(super) fn new(source: &'s str, lexed: &'s Lexed) -> Self {
        let mut cursor = Self {
            source,
            tokens: &lexed.tokens,
            current: 0,
            kind: SyntaxKind::EndOfFile,
            behind: 0,
            last_skipped: SyntaxKind::LAST_TRIVIA,
            openers: Vec::new(),
            ends: &lexed.repairs.ends,
            limit: u32::MAX,
            before_limit: &[],
            repairs: &lexed.repairs,
            quotes: QuoteSearch { line: 0..0, open: None },
        };
        cursor.set_limit();
        cursor.seek(0);
        cursor
    }

    /// The kind of the current token.
    pub(crate) fn kind(&self) -> SyntaxKind {
        self.kind
    }

    /// Returns whether the current token is of this kind.
    pub(crate) fn at(&self, kind: SyntaxKind) -> bool {
        self.kind == kind
    }

    /// Returns whether what is open in code can only end here: at the end of the file, or of the
    /// template around it.
    pub(crate) fn at_end(&self) -> bool {
        use SyntaxKind as K;
        matches!(self.kind, K::EndOfFile | K::QuoteClose | K::HeredocClose)
    }

    /// The current token.
    pub(crate) fn token(&self) -> u32 {
        self.current
    }

    /// The token after the last one that was taken, trivia included.
    pub(crate) fn behind(&self) -> u32 {
        self.behind
    }

    /// The offset at which a token begins.
    pub(super) fn start_of(&self, token: u32) -> u32 {
        self.tokens.start(token)
    }

    /// The bytes of a token.
    pub(crate) fn range_of(&self, token: u32) -> TextRange {
        self.tokens.range(token)
    }

    /// The bytes from the start of one token to the end of a later one.
    pub(crate) fn range_of_both(&self, first: u32, last: u32) -> TextRange {
        self.range_of(first).cover(self.range_of(last))
    }

    /// The text of a token.
    pub(crate) fn text_of(&self, token: u32) -> &'s str {
        let range = self.tokens.range(token).to_usize();
        self.source.get(range).unwrap_or_default()
    }

    /// The bytes of the text of a token.
    pub(crate) fn bytes_of(&self, token: u32) -> &'s [u8] {
        let range = self.tokens.range(token).to_usize();
        self.source.as_bytes().get(range).unwrap_or_default()
    }

    /// The text of the current token.
    pub(crate) fn text(&self) -> &'s str {
        self.text_of(self.current)
    }

    /// Returns whether the current token is this word.
    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.kind == SyntaxKind::Ident && self.bytes_of(self.current) == word.as_bytes()
    }

    /// Takes the current token. At the end of the file nothing happens.
    pub(crate) fn bump(&mut self) {
        if self.kind != SyntaxKind::EndOfFile {
            self.behind = self.current + 1;
            self.seek(self.behind);
        }
    }

    /// Takes the tokens up to and including `last`, none of which is an opener.
    pub(crate) fn take_to(&mut self, last: u32) {
        self.behind = last + 1;
        self.seek(self.behind);
    }

    /// Takes the current token if it is of this kind.
    pub(crate) fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Makes the next token that means something, from `token` on, the current one.
    pub(super) fn seek(&mut self, token: u32) {
        let mut at = token;
        while let Some(&kind) = self.before_limit.get(at as usize) {
            if kind > self.last_skipped {
                self.current = at;
                self.kind = kind;
                return;
            }
            at += 1;
        }
        self.seek_at_limit(at);
    }

    /// As `seek`, from the limit on.
    #[cold]
    fn seek_at_limit(&mut self, token: u32) {
        let mut at = token;
        (self.current, self.kind) = loop {
            if at == self.limit && self.is_virtual_end(at) {
                break (at, SyntaxKind::EndOfFile);
            }
            let kind = self.kind_of(at);
            if kind > self.last_skipped {
                break (at, kind);
            }
            at += 1;
        };
    }

    /// Returns whether something that is open ends before `token`, which is the limit. If nothing
    /// does any more, the limit moves on.
    fn is_virtual_end(&mut self, token: u32) -> bool {
        while let Some((end, later)) = self.ends.split_first() {
            if end.token > token {
                break;
            }
            let open = self.openers.last().is_some_and(|&last| last >= end.opener);
            if end.token == token && open {
                return true;
            }
            self.ends = later;
        }
        self.set_limit();
        false
    }

    /// Makes the first of the ends that are yet to come the limit.
    pub(super) fn set_limit(&mut self) {
        self.limit = self.ends.first().map_or(u32::MAX, |end| end.token);
        let kinds = &*self.tokens.kinds;
        self.before_limit = kinds.get(..self.limit as usize).unwrap_or(kinds);
    }

    /// The kind of a token; the end of the file beyond the last one.
    pub(crate) fn kind_of(&self, token: u32) -> SyntaxKind {
        self.tokens.kind(token)
    }

    /// The kind of the token right after the current one, whatever ends before it.
    pub(crate) fn next_kind(&self) -> SyntaxKind {
        self.kind_of(self.current + 1)
    }

    /// The kind of the first token after the current one that is not trivia; `newlines` says
    /// whether line endings count.
    pub(crate) fn peek(&self, newlines: bool) -> SyntaxKind {
        self.peek_from(self.current + 1, newlines).1
    }

    /// The first token from `token` on that is not trivia, with its kind.
    pub(crate) fn peek_from(&self, token: u32, newlines: bool) -> (u32, SyntaxKind) {
        let last_skipped = last_skipped(newlines);
        let mut at = token;
        while let Some(&kind) = self.before_limit.get(at as usize) {
            if kind > last_skipped {
                return (at, kind);
            }
            at += 1;
        }
        self.peek_at_limit(at, last_skipped)
    }

    /// As `peek_from`, from the limit on.
    #[cold]
    fn peek_at_limit(&self, token: u32, last_skipped: SyntaxKind) -> (u32, SyntaxKind) {
        let mut at = token;
        loop {
            if at == self.limit {
                return (at, SyntaxKind::EndOfFile);
            }
            let kind = self.kind_of(at);
            if kind > last_skipped {
                return (at, kind);
            }
            at += 1;
        }
    }

    /// Returns whether something that is open waits for this closer.
    pub(crate) fn is_awaited(&self, closer: SyntaxKind) -> bool {
        self.openers.iter().rev().any(|&opener| closes(self.kind_of(opener), closer))
    }

    /// Returns whether the current token is a closer that closes what is innermost though it is of
    /// another kind.
    pub(crate) fn at_wrong_closer(&self) -> bool {
        self.repairs.wrong_closers.binary_search(&self.current).is_ok()
    }

    /// Returns whether the current token is a closer that closes nothing.
    pub(crate) fn at_stray_closer(&self) -> bool {
        self.is_stray_closer(self.current)
    }

    /// Returns whether `token` is a closer that closes nothing.
    pub(crate) fn is_stray_closer(&self, token: u32) -> bool {
        self.repairs.stray_closers.binary_search(&token).is_ok()
    }

    /// Returns whether `token` is on a line that is indented more than that of `other`.
    pub(crate) fn is_indented_more(&self, token: u32, other: u32) -> bool {
        let indent = |token| {
            let before = self.source.get(..self.start_of(token) as usize);
            let line = before.and_then(|before| before.rsplit('\n').next());
            line.map_or(0, |line| line.len() - line.trim_start_matches([' ', '\t']).len())
        };
        indent(token) > indent(other)
    }

    /// The place of the current token. A line ending is seen as the gap before it, since its own
    /// bytes show nothing.
    pub(crate) fn place(&self) -> TextRange {
        match self.kind {
            SyntaxKind::Newline => {
                let from = self.start_of(self.behind);
                let comment = (self.behind..self.current)
                    .find(|&token| self.kind_of(token) == SyntaxKind::LineComment);
                TextRange::new(from, self.start_of(comment.unwrap_or(self.current)))
            }
            SyntaxKind::EndOfFile => TextRange::empty(self.start_of(self.current)),
            _ => self.range_of(self.current),
        }
    }

    /// The bytes from `token` to the last token that was taken.
    pub(crate) fn range_since(&self, token: u32) -> TextRange {
        let end = self.behind.max(token);
        TextRange::new(self.start_of(token), self.start_of(end))
    }

    /// The opener that the closer at the current virtual end belongs to.
    pub(super) fn opener_of_virtual_closer(&self) -> Option<u32> {
        let end = self.ends.first().filter(|end| end.token == self.current)?;
        let below = self.openers.partition_point(|&opener| opener < end.opener);
        let outer = *self.openers.get(below.checked_sub(1)?)?;
        closes(self.kind_of(outer), self.kind_of(self.current)).then_some(outer)
    }

    pub(super) fn push_opener(&mut self) {
        self.openers.push(self.current);
    }

    pub(super) fn pop_opener(&mut self) {
        self.openers.pop();
    }
}

impl Cursor<'_> {
    /// The token of the end of the file.
    pub(crate) fn end_token(&self) -> u32 {
        self.tokens.end()
    }

    /// The token at which the body of a file begins.
    pub(crate) fn first_visible_token(&self) -> u32 {
        self.tokens.first_visible()
    }

    /// The token after `closer`, if there is nothing but text between `token` and it.
    pub(crate) fn after_text(&self, token: u32, closer: SyntaxKind) -> Option<u32> {
        let text = u32::from(self.kind_of(token) == SyntaxKind::Text);
        (self.kind_of(token + text) == closer).then_some(token + text + 1)
    }

    /// The closing quote of the template that begins at the current token, if there is nothing in
    /// it but text.
    pub(crate) fn end_of_plain_template(&self) -> Option<u32> {
        let after = self.after_text(self.current + 1, SyntaxKind::QuoteClose)?;
        (after <= self.limit).then_some(after - 1)
    }

    /// The opening quote of the string that is still open where the current line ends, if one is
    /// and no brace opens before.
    pub(crate) fn open_quote_in_line(&mut self) -> Option<u32> {
        if !self.quotes.line.contains(&self.current) {
            self.search_line();
        }
        self.quotes.open.filter(|&quote| quote >= self.current)
    }

    /// Finds the last quote from the current token up to the end of the line, or the first brace.
    fn search_line(&mut self) {
        let mut end = self.current;
        let mut open = None;
        loop {
            match self.kind_of(end) {
                SyntaxKind::QuoteOpen => open = Some(end),
                SyntaxKind::QuoteClose => open = None,
                SyntaxKind::LBrace | SyntaxKind::Newline | SyntaxKind::EndOfFile => break,
                _ => {}
            }
            end += 1;
        }
        let line = self.current..end + 1;
        self.quotes = QuoteSearch { line, open };
    }

    /// Returns whether the last token taken is text: that of a heredoc without closing line, which
    /// reaches to the next line.
    pub(crate) fn follows_open_heredoc(&self) -> bool {
        let last = self.behind.wrapping_sub(1);
        self.kind_of(last) == SyntaxKind::Text && self.text_of(last).ends_with('\n')
    }

    /// Returns whether the last token taken is in the notation of another language.
    pub(crate) fn follows_foreign(&self) -> bool {
        self.kind_of(self.behind.wrapping_sub(1)) == SyntaxKind::Foreign
    }

    /// Returns whether the current token may follow the value of a `for`.
    pub(crate) fn ends_for(&self) -> bool {
        use SyntaxKind as K;
        matches!(self.kind, K::RBrace | K::Ellipsis) || self.at_word("if")
    }
}

/// The state that [`Cursor::open`] saves for [`Cursor::close`].
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    /// The token that opens.
    pub(crate) token: u32,
    last_skipped: SyntaxKind,
}

/// The last kind that is skipped, with significant line endings and without.
pub(super) fn last_skipped(newlines: bool) -> SyntaxKind {
    if newlines { SyntaxKind::LAST_TRIVIA } else { SyntaxKind::Newline }
}

impl Cursor<'_> {
    /// Returns whether line endings mean something here.
    pub(crate) fn newlines(&self) -> bool {
        self.last_skipped == SyntaxKind::LAST_TRIVIA
    }

    /// Takes the line endings that are here.
    pub(crate) fn skip_newlines(&mut self) {
        while self.kind == SyntaxKind::Newline {
            self.behind = self.current + 1;
            self.seek(self.behind);
        }
    }

    /// Takes the current token as the opener of something within which line endings mean something
    /// or not.
    pub(crate) fn open(&mut self, newlines: bool) -> Opened {
        let opened = Opened { token: self.current, last_skipped: self.last_skipped };
        self.openers.push(self.current);
        self.last_skipped = last_skipped(newlines);
        self.bump();
        opened
    }

    /// Takes the closer of `opened`, if it is here, and restores the state before it.
    pub(crate) fn close(&mut self, opened: Opened, closer: SyntaxKind) -> bool {
        self.openers.pop();
        self.last_skipped = opened.last_skipped;
        let found = self.kind == closer;
        if found {
            self.bump();
        } else {
            self.seek(self.behind);
        }
        found
    }

    /// Sets whether line endings mean something, from the last token that was taken on; gives what
    /// was set before.
    pub(crate) fn set_newlines(&mut self, newlines: bool) -> bool {
        let before = self.newlines();
        self.last_skipped = last_skipped(newlines);
        if before != newlines {
            self.seek(self.behind);
        }
        before
    }
}
