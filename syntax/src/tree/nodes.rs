//! The nodes of a tree in preorder.
//!
//! The first child of node `i` is at `i + 1`, its next sibling at `i + len(i)`.

use std::fmt;

use super::NodeId;
use crate::kind::SyntaxKind;

/// The facts about the errors of a node.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct NodeFlags {
    /// Something is wrong in this node itself.
    pub(crate) has_error: bool,
    /// Something is wrong in this node or below. Without it the node matches its production.
    pub(crate) contains_error: bool,
}

/// A node. The tokens are `first_token..end_token`, without trivia at either end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: SyntaxKind,
    pub(crate) flags: NodeFlags,
    /// Nodes of the subtree, this one included.
    pub(crate) len: u32,
    pub(crate) first_token: u32,
    pub(crate) end_token: u32,
}

/// The nodes of a tree.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Nodes(Vec<Node>);

impl Nodes {
    /// No nodes yet, with room for so many.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self(Vec::with_capacity(nodes))
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.len() as u32
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the tree makes ids for its own nodes; `SyntaxTree::node` checks those of users"
    )]
    pub(crate) fn get(&self, id: NodeId) -> Node {
        self.0[id.0 as usize]
    }

    /// The tokens of a node, from the first to the end.
    pub(crate) fn tokens(&self, id: NodeId) -> (u32, u32) {
        let Node { first_token, end_token, .. } = self.get(id);
        (first_token, end_token)
    }

    /// The parent of each node; the root is its own.
    pub(crate) fn parents(&self) -> Box<[NodeId]> {
        let mut open: Vec<(NodeId, u32)> = Vec::new();
        let parent = |id: u32| {
            while open.last().is_some_and(|&(_, end)| end <= id) {
                open.pop();
            }
            let parent = open.last().map_or(NodeId(0), |&(parent, _)| parent);
            open.push((NodeId(id), id + self.get(NodeId(id)).len));
            parent
        };
        (0..self.len()).map(parent).collect()
    }

    /// The last node whose first token is `token` or one before it; the root if there is none.
    pub(crate) fn last_from(&self, token: u32) -> NodeId {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(NodeId(middle)).first_token <= token {
                low = middle + 1
            } else {
                high = middle
            }
        }
        NodeId(low.saturating_sub(1))
    }

    /// Adds a node that is not known yet, for [`Nodes::set`].
    pub(crate) fn push_place(&mut self) {
        self.push(Node {
            kind: SyntaxKind::BogusExpr,
            flags: NodeFlags::default(),
            len: 1,
            first_token: 0,
            end_token: 0,
        });
    }

    pub(crate) fn push(&mut self, node: Node) {
        self.0.push(node);
    }

    /// Replaces a node.
    pub(crate) fn set(&mut self, id: NodeId, node: Node) {
        if let Some(place) = self.0.get_mut(id.0 as usize) {
            *place = node;
        }
    }

    /// Puts nodes before the one at `at`.
    pub(crate) fn insert_all(&mut self, at: u32, nodes: impl Iterator<Item = Node>) {
        self.0.splice(at as usize..at as usize, nodes);
    }

    pub(crate) fn remove_place(&mut self, id: NodeId) {
        self.0.remove(id.0 as usize);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}[{}] {}..{}", self.kind, self.len, self.first_token, self.end_token)
    }
}
