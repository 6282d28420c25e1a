//! The sink: nodes in preorder.
//!
//! A node takes its place when it begins, before its parts, and is filled in when it is finished.
//! A node that begins with something that is already there, such as an operation with its left
//! operand, is finished around it: see [`Sink::wrap`].

use pcl_diagnostics::TextRange;

use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::lexer::Lexed;
use crate::tree::{Node, NodeFlags, NodeId, Nodes, Tokens};

/// The place where a node begins or may begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marker {
    node: u32,
    token: u32,
    damage: u32,
    /// The number of nodes that waited for their places then.
    wraps: u32,
}

impl Marker {
    /// The first token.
    pub(crate) fn token(self) -> u32 {
        self.token
    }
}

/// The nodes so far.
pub(super) struct Sink<'s> {
    tokens: &'s Tokens,
    /// In preorder; those that are not finished hold their places.
    nodes: Nodes,
    /// Nodes that are to be placed before what is already there.
    wraps: Vec<Node>,
    /// Tells whether anything was wrong, for the lexer or here.
    is_damaged: bool,
    /// The number of times that something was wrong here, reported or silent as a consequence.
    damage: u32,
    /// Damage up to here belongs to a finished node.
    claimed: u32,
    /// The errors of the lexer, in order.
    lexical: &'s [SyntaxError],
}

impl<'s> Sink<'s> {
    pub(super) fn new(source: &str, lexed: &'s Lexed) -> Self {
        Self {
            tokens: &lexed.tokens,
            // Measured on formatted programs: 12 bytes a node; 7 on one of short lines. The surplus
            // is given back.
            nodes: Nodes::with_capacity(source.len() / 7 + 4),
            wraps: Vec::new(),
            is_damaged: !lexed.errors.is_empty(),
            damage: 0,
            claimed: 0,
            lexical: &lexed.errors,
        }
    }

    pub(super) fn into_nodes(self) -> Nodes {
        self.nodes
    }

    /// Gives a node that begins at `token` its place.
    pub(super) fn start(&mut self, token: u32) -> Marker {
        let marker = self.here(token);
        self.nodes.push_place();
        marker
    }

    /// The place of `token`, since which no node was finished.
    pub(super) fn here(&self, token: u32) -> Marker {
        Marker {
            node: self.nodes.len(),
            token,
            damage: self.damage,
            wraps: self.wraps.len() as u32,
        }
    }

    /// Finishes a node that ends before `end_token`.
    pub(super) fn finish(&mut self, marker: Marker, kind: SyntaxKind, end_token: u32) {
        let len = self.nodes.len() - marker.node;
        let node = Node {
            kind,
            flags: self.flags(marker, kind, end_token, len == 1),
            len,
            first_token: marker.token,
            end_token,
        };
        self.nodes.set(NodeId(marker.node), node);
    }

    /// Finishes a node without parts, which took no place when it began.
    #[inline(always)]
    pub(super) fn finish_leaf(&mut self, first_token: u32, kind: SyntaxKind, end_token: u32) {
        let flags = self.flags(self.here(first_token), kind, end_token, true);
        self.nodes.push(Node { kind, flags, len: 1, first_token, end_token });
    }

    /// Forgets a node that was begun.
    pub(super) fn abandon(&mut self, marker: Marker) {
        self.nodes.remove_place(NodeId(marker.node));
    }

    /// Finishes a node around everything since `marker`, which took no place for it. It is the
    /// parent of nodes that were wrapped around the same marker before. All of them get their
    /// places with [`end_wraps`](Self::end_wraps), so that what they are around is moved once,
    /// however many they are.
    pub(super) fn wrap(&mut self, marker: Marker, kind: SyntaxKind, end_token: u32) {
        let flags = self.flags(marker, kind, end_token, false);
        self.wraps.push(Node {
            kind,
            flags,
            // What is wrapped inside is counted when all of it is known.
            len: self.nodes.len() - marker.node + 1,
            first_token: marker.token,
            end_token,
        });
    }

    /// Gives the nodes that were wrapped around `marker` their places.
    pub(super) fn end_wraps(&mut self, marker: Marker) {
        if self.wraps.len() > marker.wraps as usize {
            self.place_wraps(marker);
        }
    }

    fn place_wraps(&mut self, marker: Marker) {
        let inside_out = self.wraps.drain(marker.wraps as usize..).enumerate();
        let outside_in =
            inside_out.rev().map(|(inner, node)| Node { len: node.len + inner as u32, ..node });
        self.nodes.insert_all(marker.node, outside_in);
    }

    /// Notes that something is wrong in the innermost node that is not finished.
    pub(super) fn damage(&mut self) {
        self.damage += 1;
        self.is_damaged = true;
    }

    /// The flags of the node that is being finished.
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
            flags.contains_error = true;
            // What no node below has claimed is wrong in this one.
            flags.has_error = self.damage > self.claimed.max(marker.damage);
            self.claimed = self.damage;
        }
        let range = TextRange::new(self.tokens.start(marker.token), self.tokens.start(end_token));
        let first = self.lexical.partition_point(|error| error.range().start() < range.start());
        if self.lexical.get(first).is_some_and(|error| error.range().start() < range.end()) {
            flags.contains_error = true;
            flags.has_error |= childless;
        }
        if matches!(
            kind,
            SyntaxKind::BogusExpr | SyntaxKind::BogusItem | SyntaxKind::BogusDirective
        ) {
            flags = NodeFlags { has_error: true, contains_error: true };
        }
        flags
    }
}
