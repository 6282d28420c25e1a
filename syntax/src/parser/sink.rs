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
        self.errors.push(error);
        self.blamed = self.current;
    }

    /// Whether anything was reported, by the lexer too.
    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty() || !self.lexical.is_empty()
    }

    /// Reports that something else was expected than the current token. Of several such reports at one token only the first
    /// counts: the others are its consequences. So are all at a token that the lexer reported.
    pub(crate) fn unexpected(&mut self, code: Code, related: Option<TextRange>) {
        if self.is_blamed() {
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
        if self.blamed == self.current {
            self.damage += 1;
            return;
        }
        let error = SyntaxError::new(code, self.range_of(opener));
        self.report(error.related(self.tokens.range(self.current)));
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

    /// Whatever is wrong with the current token is a consequence of what was reported.
    pub(crate) fn blame(&mut self) {
        self.blamed = self.current;
    }
}
