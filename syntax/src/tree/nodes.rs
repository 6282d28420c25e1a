//! The nodes of a tree in preorder, eight bytes each.
//!
//! The first child of node `i` is at `i + 1`, its next sibling at `i + len(i)`. A record has the
//! kind, the flags and the first token in full; the numbers of nodes and of tokens in the subtree
//! share the rest. A node for which they are too large, such as the file, is *wide*: its record has
//! the index of its numbers in a second table. Of the 1.34 million nodes of a generated program of
//! 9.9 MB, only the file and its body are wide.
//!
//! These nodes take 10.7 MB; with four numbers of 32 bits each they took 21.4 MB, and parsing, with
//! fresh memory, 2,600 more page faults of 11,100. Packing costs 10 instructions a node.

use std::fmt;

use super::NodeId;
use crate::kind::SyntaxKind;

/// Flags of a node.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct NodeFlags(u8);

impl NodeFlags {
    /// Something is wrong in this node itself.
    pub(crate) const HAS_ERROR: Self = Self(1);
    /// Something is wrong in this node or below. Without it the node matches its production.
    pub(crate) const CONTAINS_ERROR: Self = Self(2);

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
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

/// A node as it is stored.
#[derive(Clone, Copy)]
struct Record {
    kind: SyntaxKind,
    /// Nodes of the subtree; [`WIDE`] if the node is wide.
    len: u8,
    /// Tokens of the subtree above the two bits of the flags.
    tokens_and_flags: u16,
    /// The first token; the index of a wide node in [`Nodes::wide`].
    first_token: u32,
}

const _: () = assert!(size_of::<Record>() == 8);

/// The length that marks a wide node.
const WIDE: u8 = u8::MAX;
/// The number of bits that flags take.
const FLAG_BITS: u32 = 2;
/// The most tokens that a record has room for.
const MOST_TOKENS: u32 = (1 << (u16::BITS - FLAG_BITS)) - 1;

/// The numbers of a wide node.
#[derive(Clone, Copy)]
struct Wide {
    len: u32,
    first_token: u32,
    end_token: u32,
}

/// The nodes of a tree, or of the part of one that was parsed so far.
#[derive(Clone, Default)]
pub(crate) struct Nodes {
    records: Vec<Record>,
    wide: Vec<Wide>,
}

impl Nodes {
    /// No nodes, with room for this number.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self { records: Vec::with_capacity(nodes), wide: Vec::new() }
    }

    /// The number of nodes.
    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.records.len() as u32
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the tree makes ids for its own nodes; `SyntaxTree::node` checks those of users"
    )]
    #[inline]
    fn record(&self, id: NodeId) -> Record {
        self.records[id.0 as usize]
    }

    #[cold]
    #[expect(
        clippy::indexing_slicing,
        reason = "the record of a wide node has the index of its numbers, which are never removed"
    )]
    fn wide(&self, record: Record) -> Wide {
        self.wide[record.first_token as usize]
    }

    #[inline]
    pub(crate) fn kind(&self, id: NodeId) -> SyntaxKind {
        self.record(id).kind
    }

    #[inline]
    pub(crate) fn flags(&self, id: NodeId) -> NodeFlags {
        self.record(id).flags()
    }

    /// The number of nodes of the subtree, this one included.
    #[inline]
    pub(crate) fn subtree_len(&self, id: NodeId) -> u32 {
        let record = self.record(id);
        if record.len == WIDE {
            return self.wide(record).len;
        }
        u32::from(record.len)
    }

    #[inline]
    pub(crate) fn first_token(&self, id: NodeId) -> u32 {
        let record = self.record(id);
        if record.len == WIDE {
            return self.wide(record).first_token;
        }
        record.first_token
    }

    #[inline]
    pub(crate) fn end_token(&self, id: NodeId) -> u32 {
        self.tokens(id).1
    }

    /// The first token, and the one behind the last one.
    #[inline]
    pub(crate) fn tokens(&self, id: NodeId) -> (u32, u32) {
        let record = self.record(id);
        if record.len == WIDE {
            let wide = self.wide(record);
            return (wide.first_token, wide.end_token);
        }
        let tokens = u32::from(record.tokens_and_flags >> FLAG_BITS);
        (record.first_token, record.first_token + tokens)
    }

    pub(crate) fn get(&self, id: NodeId) -> Node {
        let (first_token, end_token) = self.tokens(id);
        Node {
            kind: self.kind(id),
            flags: self.flags(id),
            len: self.subtree_len(id),
            first_token,
            end_token,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.len()).map(|id| self.get(NodeId(id)))
    }

    /// The parent of each node; the root is its own.
    pub(crate) fn parents(&self) -> Box<[NodeId]> {
        let mut open: Vec<(NodeId, u32)> = Vec::new();
        let parent = |id: u32| {
            while open.last().is_some_and(|&(_, end)| end <= id) {
                open.pop();
            }
            let parent = open.last().map_or(NodeId(0), |&(parent, _)| parent);
            open.push((NodeId(id), id + self.subtree_len(NodeId(id))));
            parent
        };
        (0..self.len()).map(parent).collect()
    }

    /// The last node whose first token is `token` or one before it; the root if there is none.
    pub(crate) fn last_from(&self, token: u32) -> NodeId {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.first_token(NodeId(middle)) <= token { low = middle + 1 } else { high = middle }
        }
        NodeId(low.saturating_sub(1))
    }

    /// Appends a place for a node that begins.
    #[inline]
    pub(crate) fn push_place(&mut self) {
        self.records.push(Record {
            kind: SyntaxKind::BogusExpr,
            len: 1,
            tokens_and_flags: 0,
            first_token: 0,
        });
    }

    // Calls of these would cost as much as what they do.
    #[inline(always)]
    pub(crate) fn push(&mut self, node: Node) {
        match Record::of(node) {
            Some(record) => self.records.push(record),
            None => self.push_wide(node.kind, node.flags, node.numbers()),
        }
    }

    /// Fills the place of a node, if it has one.
    #[inline(always)]
    pub(crate) fn set(&mut self, id: NodeId, node: Node) {
        match (Record::of(node), self.records.get_mut(id.0 as usize)) {
            (Some(record), Some(place)) => *place = record,
            (None, Some(_)) => self.set_wide(id, node.kind, node.flags, node.numbers()),
            _ => {}
        }
    }

    // The numbers are passed in registers only if they are not in one piece with the rest.
    #[cold]
    fn push_wide(&mut self, kind: SyntaxKind, flags: NodeFlags, numbers: Wide) {
        let record = Record::of_wide(kind, flags, numbers, &mut self.wide);
        self.records.push(record);
    }

    #[cold]
    fn set_wide(&mut self, id: NodeId, kind: SyntaxKind, flags: NodeFlags, numbers: Wide) {
        let record = Record::of_wide(kind, flags, numbers, &mut self.wide);
        if let Some(place) = self.records.get_mut(id.0 as usize) {
            *place = record;
        }
    }

    /// Inserts nodes before the one at `at`.
    pub(crate) fn insert(&mut self, at: u32, node: Node) {
        let record = self.pack(node);
        self.records.insert(at as usize, record);
    }

    /// Inserts several nodes before the one at `at`.
    pub(crate) fn insert_all(&mut self, at: u32, nodes: impl Iterator<Item = Node>) {
        let wide = &mut self.wide;
        let records = nodes.map(|node| pack(node, wide));
        self.records.splice(at as usize..at as usize, records);
    }

    /// Removes the place of a node that was begun, which has no parts.
    pub(crate) fn remove_place(&mut self, id: NodeId) {
        self.records.remove(id.0 as usize);
    }

    /// Gives back the memory that is not used.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.records.shrink_to_fit();
        self.wide.shrink_to_fit();
    }

    fn pack(&mut self, node: Node) -> Record {
        pack(node, &mut self.wide)
    }
}

impl Node {
    #[inline(always)]
    fn numbers(&self) -> Wide {
        Wide { len: self.len, first_token: self.first_token, end_token: self.end_token }
    }
}

impl Record {
    /// The record of a node; of a wide one there is none without its numbers.
    #[inline(always)]
    fn of(node: Node) -> Option<Self> {
        let tokens = node.end_token - node.first_token;
        (node.len < u32::from(WIDE) && tokens <= MOST_TOKENS).then(|| Self {
            kind: node.kind,
            len: node.len as u8,
            tokens_and_flags: (tokens << FLAG_BITS) as u16 | u16::from(node.flags.0),
            first_token: node.first_token,
        })
    }

    /// The record of a wide node, whose numbers are appended to `wide`.
    fn of_wide(kind: SyntaxKind, flags: NodeFlags, numbers: Wide, wide: &mut Vec<Wide>) -> Self {
        wide.push(numbers);
        Self {
            kind,
            len: WIDE,
            tokens_and_flags: u16::from(flags.0),
            first_token: wide.len() as u32 - 1,
        }
    }

    #[inline]
    fn flags(self) -> NodeFlags {
        NodeFlags(self.tokens_and_flags as u8 & ((1 << FLAG_BITS) - 1))
    }
}

/// The record of a node; the numbers of a wide one are appended to `wide`.
fn pack(node: Node, wide: &mut Vec<Wide>) -> Record {
    Record::of(node).unwrap_or_else(|| Record::of_wide(node.kind, node.flags, node.numbers(), wide))
}

impl PartialEq for Nodes {
    fn eq(&self, other: &Self) -> bool {
        // The order of the wide ones is that in which they were finished.
        self.iter().eq(other.iter())
    }
}

impl Eq for Nodes {}

impl fmt::Debug for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}[{}] {}..{}", self.kind, self.len, self.first_token, self.end_token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(len: u32, first_token: u32, end_token: u32) -> Node {
        Node {
            kind: SyntaxKind::Tuple,
            flags: NodeFlags::CONTAINS_ERROR,
            len,
            first_token,
            end_token,
        }
    }

    /// Lengths around those from which a node is wide.
    #[test]
    fn nodes_of_any_size() {
        let mut all = Vec::new();
        for len in [1, 254, 255, 256, 70_000] {
            for tokens in [0, 16_382, 16_383, 16_384, 4_000_000_000] {
                all.push(node(len, 5, 5 + tokens));
            }
        }
        let mut nodes = Nodes::default();
        all.iter().for_each(|&node| nodes.push(node));
        assert_eq!(Vec::from_iter(nodes.iter()), all);
        assert!(nodes.wide.len() < all.len());
    }
}
