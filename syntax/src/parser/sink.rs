//! The sink: finished nodes in postorder, and errors.

use pcl_diagnostics::{Code, TextRange};

use super::Parser;
use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::tree::{Node, NodeFlags};

/// Where a node begins. It may be finished any number of times, each time around what was finished since.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marker {
    node: u32,
    token: u32,
    damage: usize,
}

impl Marker {
    /// The first token.
    pub(crate) fn token(self) -> u32 {
        self.token
    }
}

impl Parser<'_> {
    /// A node begins at the current token.
    #[inline]
    pub(crate) fn start(&self) -> Marker {
        self.start_at(self.current)
    }

    /// A node begins at `token`.
    #[inline]
    pub(crate) fn start_at(&self, token: u32) -> Marker {
        Marker {
            node: self.nodes.len() as u32,
            token,
            damage: self.damage,
        }
    }

    /// Finishes a node that reaches up to the last token that was taken.
    #[inline]
    pub(crate) fn finish(&mut self, marker: Marker, kind: SyntaxKind) {
        self.finish_at(marker, kind, self.behind.max(marker.token));
    }

    /// Finishes a node that ends before `end_token`.
    #[inline]
    pub(crate) fn finish_at(&mut self, marker: Marker, kind: SyntaxKind, end_token: u32) {
        let mut flags = NodeFlags::default();
        if self.damage > 0 || !self.lexical.is_empty() {
            flags = self.flags(marker, kind, end_token);
        }
        self.nodes.push(Node {
            kind,
            flags,
            len: self.nodes.len() as u32 - marker.node + 1,
            first_token: marker.token,
            end_token,
        });
    }

    #[cold]
    fn flags(&mut self, marker: Marker, kind: SyntaxKind, end_token: u32) -> NodeFlags {
        let mut flags = NodeFlags::default();
        if self.damage > marker.damage {
            flags = NodeFlags::CONTAINS_ERROR;
            // What no node below has claimed is wrong in this one.
            if self.damage > self.claimed.max(marker.damage) {
                flags = flags.with(NodeFlags::HAS_ERROR);
            }
            self.claimed = self.damage;
        }
        let range = TextRange::new(
            self.tokens.start(marker.token),
            self.tokens.start(end_token),
        );
        let first = self
            .lexical
            .partition_point(|error| error.range().start() < range.start());
        if self
            .lexical
            .get(first)
            .is_some_and(|error| error.range().start() < range.end())
        {
            flags = flags.with(NodeFlags::CONTAINS_ERROR);
            if self.nodes.len() as u32 == marker.node {
                flags = flags.with(NodeFlags::HAS_ERROR);
            }
        }
        if matches!(
            kind,
            SyntaxKind::BogusExpr | SyntaxKind::BogusItem | SyntaxKind::BogusDirective
        ) {
            flags = flags
                .with(NodeFlags::HAS_ERROR)
                .with(NodeFlags::CONTAINS_ERROR);
        }
        flags
    }

    /// The bytes of the node that was finished last.
    pub(crate) fn last_range(&self) -> TextRange {
        let Some(node) = self.nodes.last() else {
            return TextRange::empty(0);
        };
        TextRange::new(
            self.tokens.start(node.first_token),
            self.tokens.start(node.end_token),
        )
    }

    /// Reports something that has its own place.
    pub(crate) fn report(&mut self, error: SyntaxError) {
        self.damage += 1;
        self.blame_line(error.range().start());
        self.errors.push(error);
        self.blamed = self.current;
    }

    /// Whether anything was reported, by the lexer too.
    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty() || !self.lexical.is_empty()
    }

    /// Notes the line of `offset` as one that was reported.
    fn blame_line(&mut self, offset: u32) {
        if offset >= self.blamed_line {
            let rest = &self.source.as_bytes()[offset as usize..];
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.blamed_line = offset + end as u32;
        }
    }

    /// Whether the line of the current token was reported, by the parser or as a bad token by the lexer.
    fn is_line_blamed(&mut self) -> bool {
        let start = self.tokens.start(self.current);
        if start <= self.blamed_line && self.blamed_line > 0 {
            return true;
        }
        let before = self
            .lexical
            .partition_point(|error| error.range().start() < start);
        let bad = self.lexical[..before]
            .last()
            .filter(|error| is_bad_token(error.code()));
        if let Some(bad) = bad.copied() {
            self.blame_line(bad.range().start());
        }
        start <= self.blamed_line && self.blamed_line > 0
    }

    /// Reports that something else was expected than the current token. Of several such reports on one line only the first
    /// counts: the others are likely to be its consequences. So are all at and after a token that the lexer reported.
    pub(crate) fn unexpected(&mut self, code: Code, related: Option<TextRange>) {
        // A missing quote is never a consequence: it is what went wrong before.
        let is_cause = code == Code::LexNewlineInQuoted;
        if self.is_blamed() || (!is_cause && self.is_line_blamed()) {
            self.damage += 1;
            return;
        }
        let error = SyntaxError::new(code, self.place());
        self.report(match related {
            Some(range) => error.related(range),
            None => error,
        });
    }

    /// Reports that the closer of what `opener` opened is missing before the current token.
    pub(crate) fn unclosed(&mut self, code: Code, opener: u32) {
        let range = self.range_of(opener);
        if self.blamed == self.current || self.explains_unclosed(range) {
            self.damage += 1;
            return;
        }
        let mut place = self.tokens.range(self.current);
        if self.tokens.kind(self.current) == SyntaxKind::Ident {
            // Where an item begins, what makes it one belongs to the place.
            let (next, _) = self.peek_from(self.current + 1, true);
            place = place.cover(self.range_of(next));
        }
        let mut error = SyntaxError::new(code, range).related(place);
        if let Some(outer) = self.opener_of_virtual_closer() {
            error = error.opener(self.range_of(outer));
        }
        self.report(error);
    }

    /// Whether what was reported last tells why `opener` is not closed: something wrong stands before it, or where its closer
    /// should stand.
    fn explains_unclosed(&self, opener: TextRange) -> bool {
        let before = self
            .lexical
            .partition_point(|error| error.range().start() < opener.start());
        let bad = self.lexical[..before].last();
        if bad.is_some_and(|error| {
            is_bad_token(error.code()) && error.range().end() == opener.start()
        }) {
            return true;
        }
        let mut behind = self.behind;
        while behind > 0 && self.tokens.kind(behind - 1) == SyntaxKind::Newline {
            behind -= 1;
        }
        let end = self.tokens.start(behind);
        self.errors.last().is_some_and(|error| {
            error.code() == Code::BodyItemRequired
                && error.range().end() <= end
                && end - error.range().end() <= 2
        })
    }

    /// The opener that the closer at the current virtual end belongs to.
    fn opener_of_virtual_closer(&self) -> Option<u32> {
        let end = self.ends.first().filter(|end| end.token == self.current)?;
        let below = self.openers.partition_point(|&opener| opener < end.opener);
        let outer = *self.openers.get(below.checked_sub(1)?)?;
        let closer = self.tokens.kind(self.current);
        crate::lexer::recovery::closes(self.tokens.kind(outer), closer).then_some(outer)
    }

    /// Whether the current token was reported already.
    pub(crate) fn is_blamed(&self) -> bool {
        self.blamed == self.current || self.kind.is_bad()
    }

    /// The place of the current token. A line ending is seen as the gap before it, since its own bytes show nothing.
    pub(crate) fn place(&self) -> TextRange {
        match self.kind {
            SyntaxKind::Newline => {
                let from = self.tokens.start(self.behind);
                let comment = (self.behind..self.current)
                    .find(|&token| self.tokens.kind(token) == SyntaxKind::LineComment);
                TextRange::new(from, self.tokens.start(comment.unwrap_or(self.current)))
            }
            SyntaxKind::EndOfFile => TextRange::empty(self.tokens.start(self.current)),
            _ => self.tokens.range(self.current),
        }
    }
}

impl Parser<'_> {
    /// Reports `range`; what follows is silent up to the next token.
    pub(crate) fn report_at(&mut self, code: Code, range: TextRange) {
        self.report(SyntaxError::new(code, range));
    }

    /// The last report concerned something that is over: the current token may be blamed for something of its own.
    pub(crate) fn forgive(&mut self) {
        self.blamed = u32::MAX;
    }

    /// Something is missing whose absence another report will explain.
    pub(crate) fn damage(&mut self) {
        self.damage += 1;
    }
}

/// Whether the lexer reports this of a token that has no place in the grammar.
fn is_bad_token(code: Code) -> bool {
    matches!(
        code,
        Code::LexInvalidChar
            | Code::LexBadUtf8
            | Code::LexBitwiseOp
            | Code::LexBacktick
            | Code::LexSingleQuote
            | Code::LexSemicolon
            | Code::LexCurlyQuote
            | Code::LexUnterminatedComment
    )
}
