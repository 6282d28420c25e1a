//! The sink: nodes in preorder, and errors.
//!
//! A node takes its place when it begins, before its parts, and is filled in when it is finished. What is only found to lean on
//! something that is already there, an operator or a step, is finished around it: see [`Parser::wrap`].

use pcl_diagnostics::{Code, TextRange};

use super::Parser;
use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::tree::{Node, NodeFlags};

/// Where a node begins or may begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marker {
    node: u32,
    token: u32,
    damage: u32,
    /// How many nodes waited for their places then.
    wraps: u32,
}

impl Marker {
    /// The first token.
    pub(crate) fn token(self) -> u32 {
        self.token
    }
}

impl Parser<'_> {
    /// A node begins at the current token. It must be finished or abandoned.
    #[inline]
    pub(crate) fn start(&mut self) -> Marker {
        self.start_at(self.current)
    }

    /// A node begins at `token`.
    #[inline]
    pub(crate) fn start_at(&mut self, token: u32) -> Marker {
        let marker = self.here_from(token);
        self.nodes.push(Node {
            kind: SyntaxKind::BogusExpr,
            flags: NodeFlags::default(),
            len: 1,
            first_token: token,
            end_token: token,
        });
        marker
    }

    /// The current place, around which nodes may be wrapped later.
    #[inline]
    pub(crate) fn here(&self) -> Marker {
        self.here_from(self.current)
    }

    /// The place of `token`, since which no node was finished.
    #[inline]
    pub(crate) fn here_from(&self, token: u32) -> Marker {
        Marker {
            node: self.nodes.len() as u32,
            token,
            damage: self.damage,
            wraps: self.wraps.len() as u32,
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
        let len = self.nodes.len() as u32 - marker.node;
        let node = Node {
            kind,
            flags: self.flags(marker, kind, end_token, len == 1),
            len,
            first_token: marker.token,
            end_token,
        };
        if let Some(place) = self.nodes.get_mut(marker.node as usize) {
            *place = node;
        }
    }

    /// Takes the tokens up to and with `last`, none of which opens anything that is looked for, as a node without parts.
    #[inline]
    pub(crate) fn leaf(&mut self, kind: SyntaxKind, last: u32) {
        let first = self.current;
        self.take_to(last);
        self.finish_leaf(first, kind);
    }

    /// Finishes a node without parts from `first_token` on, which took no place when it began.
    #[inline(always)]
    pub(crate) fn finish_leaf(&mut self, first_token: u32, kind: SyntaxKind) {
        let end_token = self.behind;
        let flags = self.flags(self.here_from(first_token), kind, end_token, true);
        self.nodes.push(Node {
            kind,
            flags,
            len: 1,
            first_token,
            end_token,
        });
    }

    /// Forgets a node that was begun.
    pub(crate) fn abandon(&mut self, marker: Marker) {
        self.nodes.remove(marker.node as usize);
    }

    /// Finishes a node around everything since `marker`, which took no place for it. It is the parent of nodes that were wrapped
    /// around the same marker before. All of them get their places with [`end_wraps`](Self::end_wraps), so that what they are
    /// around is moved once, however many they are.
    pub(crate) fn wrap(&mut self, marker: Marker, kind: SyntaxKind) {
        let end_token = self.behind.max(marker.token);
        let flags = self.flags(marker, kind, end_token, false);
        self.wraps.push(Node {
            kind,
            flags,
            // What is wrapped inside is counted when all of it is known.
            len: self.nodes.len() as u32 - marker.node + 1,
            first_token: marker.token,
            end_token,
        });
    }

    /// Gives the nodes that were wrapped around `marker` their places.
    #[inline]
    pub(crate) fn end_wraps(&mut self, marker: Marker) {
        if self.wraps.len() > marker.wraps as usize {
            self.place_wraps(marker);
        }
    }

    fn place_wraps(&mut self, marker: Marker) {
        let at = marker.node as usize;
        if self.wraps.len() == marker.wraps as usize + 1
            && let Some(only) = self.wraps.pop()
        {
            return self.nodes.insert(at, only);
        }
        let inside_out = self.wraps.drain(marker.wraps as usize..).enumerate();
        let outside_in = inside_out.rev().map(|(inner, node)| Node {
            len: node.len + inner as u32,
            ..node
        });
        self.nodes.splice(at..at, outside_in);
    }

    /// What is to be said of the node that is being finished.
    #[inline]
    fn flags(
        &mut self,
        marker: Marker,
        kind: SyntaxKind,
        end_token: u32,
        childless: bool,
    ) -> NodeFlags {
        if self.is_damaged {
            self.flags_of_damaged(marker, kind, end_token, childless)
        } else {
            NodeFlags::default()
        }
    }

    #[cold]
    fn flags_of_damaged(
        &mut self,
        marker: Marker,
        kind: SyntaxKind,
        end_token: u32,
        childless: bool,
    ) -> NodeFlags {
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
            if childless {
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

    /// The bytes from `token` to the last token that was taken.
    pub(crate) fn range_since(&self, token: u32) -> TextRange {
        let end = self.behind.max(token);
        TextRange::new(self.tokens.start(token), self.tokens.start(end))
    }

    /// Reports something that has its own place.
    pub(crate) fn report(&mut self, error: SyntaxError) {
        self.damage();
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
        if self.is_blamed() || (!is_cause && self.is_line_blamed()) || self.ends_open_string() {
            self.damage();
            return;
        }
        let error = SyntaxError::new(code, self.place());
        self.report(match related {
            Some(range) => error.with_related(range),
            None => error,
        });
    }

    /// Whether the current line is likely to hold the end of a string that was reported as open at the end of the line before: it
    /// is no item, and has a quote too many as well.
    fn ends_open_string(&mut self) -> bool {
        let Some(last) = self.errors.last() else {
            return false;
        };
        let source = self.source.as_bytes();
        let line = self.blamed_line as usize + 1;
        let start = self.tokens.start(self.current) as usize;
        if last.code() != Code::LexNewlineInQuoted
            || start < line
            || memchr::memchr(b'\n', &source[line..start]).is_some()
            || crate::lexer::recovery::is_item(&self.source[line..])
        {
            return false;
        }
        let rest = &source[line..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let quotes = memchr::memchr_iter(b'"', &rest[..end]).count();
        if quotes % 2 == 1 {
            self.blame_line(line as u32);
        }
        quotes % 2 == 1
    }

    /// Reports that the closer of what `opener` opened is missing before the current token.
    pub(crate) fn unclosed(&mut self, code: Code, opener: u32) {
        let range = self.range_of(opener);
        if self.blamed == self.current || self.explains_unclosed(range) {
            self.damage();
            return;
        }
        let mut place = self.tokens.range(self.current);
        if self.kind_of(self.current) == SyntaxKind::Ident {
            // Where an item begins, what makes it one belongs to the place.
            let (next, _) = self.peek_from(self.current + 1, true);
            place = place.cover(self.range_of(next));
        }
        let mut error = SyntaxError::new(code, range).with_related(place);
        if let Some(outer) = self.opener_of_virtual_closer() {
            error = error.with_opener(self.range_of(outer));
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
        while behind > 0 && self.kind_of(behind - 1) == SyntaxKind::Newline {
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
        let closer = self.kind_of(self.current);
        crate::lexer::recovery::closes(self.kind_of(outer), closer).then_some(outer)
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
                    .find(|&token| self.kind_of(token) == SyntaxKind::LineComment);
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
        self.is_damaged = true;
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
