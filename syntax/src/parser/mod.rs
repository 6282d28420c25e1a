//! The machine that the grammar runs on: a cursor over the tokens, a sink for nodes, the reports of
//! errors, the context of the production that runs, and recovery.

mod context;
mod cursor;
mod recovery;
mod reports;
mod sink;

use std::ops::{Deref, DerefMut};

use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::lexer::Lexed;
use crate::tree::Nodes;

pub use context::MAX_DEPTH;
pub(crate) use context::{BodyNames, Context};
pub(crate) use cursor::{Cursor, Opened};
use reports::Reports;
pub(crate) use sink::Marker;
use sink::Sink;

/// The state of a run. A production reads and takes tokens by the methods of the cursor.
pub(crate) struct Parser<'s> {
    cursor: Cursor<'s>,
    sink: Sink<'s>,
    reports: Reports<'s>,
    pub(crate) context: Context,
}

impl<'s> Deref for Parser<'s> {
    type Target = Cursor<'s>;

    #[inline(always)]
    fn deref(&self) -> &Cursor<'s> {
        &self.cursor
    }
}

impl DerefMut for Parser<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.cursor
    }
}

impl<'s> Parser<'s> {
    pub(crate) fn new(source: &'s str, lexed: &'s Lexed) -> Self {
        Self {
            cursor: Cursor::new(source, lexed),
            sink: Sink::new(source, lexed),
            reports: Reports::new(source, lexed),
            context: Context::default(),
        }
    }

    /// The nodes and the errors of the run.
    pub(crate) fn finish_run(self) -> (Nodes, Vec<SyntaxError>) {
        (self.sink.into_nodes(), self.reports.into_errors())
    }

    /// A node begins at the current token. It must be finished or abandoned.
    pub(crate) fn start(&mut self) -> Marker {
        self.start_at(self.token())
    }

    /// A node begins at `token`.
    pub(crate) fn start_at(&mut self, token: u32) -> Marker {
        self.sink.start(token)
    }

    /// The current place, around which nodes may be wrapped later.
    pub(crate) fn here(&self) -> Marker {
        self.sink.here(self.token())
    }

    /// Finishes a node that reaches up to the last token that was taken.
    pub(crate) fn finish(&mut self, marker: Marker, kind: SyntaxKind) {
        self.finish_at(marker, kind, self.behind().max(marker.token()));
    }

    /// Finishes a node that ends before `end_token`.
    pub(crate) fn finish_at(&mut self, marker: Marker, kind: SyntaxKind, end_token: u32) {
        self.sink.finish(marker, kind, end_token);
    }

    /// Takes the tokens up to and with `last`, none of which is an opener, as a node without parts.
    pub(crate) fn leaf(&mut self, kind: SyntaxKind, last: u32) {
        let first = self.token();
        self.take_to(last);
        self.finish_leaf(first, kind);
    }

    /// Finishes a node without parts from `first_token` on, which took no place when it began.
    #[inline(always)]
    pub(crate) fn finish_leaf(&mut self, first_token: u32, kind: SyntaxKind) {
        self.sink.finish_leaf(first_token, kind, self.cursor.behind());
    }

    /// Forgets a node that was begun.
    pub(crate) fn abandon(&mut self, marker: Marker) {
        self.sink.abandon(marker);
    }

    /// Finishes a node around everything since `marker`, up to the last token that was taken; see
    /// [`Sink::wrap`].
    pub(crate) fn wrap(&mut self, marker: Marker, kind: SyntaxKind) {
        let end_token = self.behind().max(marker.token());
        self.sink.wrap(marker, kind, end_token);
    }

    /// Gives the nodes that were wrapped around `marker` their places.
    pub(crate) fn end_wraps(&mut self, marker: Marker) {
        self.sink.end_wraps(marker);
    }
}
