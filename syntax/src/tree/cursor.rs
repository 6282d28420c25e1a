//! Handles: copyable references to a node or a token of a tree.

use std::fmt;

use pcl_diagnostics::TextRange;

use super::{NodeId, SyntaxTree};
use crate::kind::SyntaxKind;

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct SyntaxNode<'t> {
    tree: &'t SyntaxTree,
    id: NodeId,
}

/// A token of a tree.
#[derive(Clone, Copy)]
pub struct SyntaxToken<'t> {
    tree: &'t SyntaxTree,
    index: u32,
}

/// A child of a node: either of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element<'t> {
    /// A node.
    Node(SyntaxNode<'t>),
    /// A token, trivia included.
    Token(SyntaxToken<'t>),
}

impl<'t> SyntaxNode<'t> {
    pub(crate) fn new(tree: &'t SyntaxTree, id: NodeId) -> Self {
        Self { tree, id }
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'t SyntaxTree {
        self.tree
    }

    /// Its name in the tree.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The production of the grammar.
    pub fn kind(self) -> SyntaxKind {
        self.tree.nodes.get(self.id).kind
    }

    /// Its bytes, from its first token to its last one; spaces and comments around it are not part
    /// of it.
    pub fn range(self) -> TextRange {
        let (first, end) = self.tree.nodes.tokens(self.id);
        self.tree.tokens.between(first, end)
    }

    /// Its text, as written in the source.
    pub fn text(self) -> &'t str {
        self.tree.slice(self.range())
    }

    /// Returns whether something is wrong in this node itself.
    pub fn has_error(self) -> bool {
        self.tree.nodes.get(self.id).flags.has_error
    }

    /// Returns whether something is wrong in this node or below. Without it the node matches its
    /// production.
    pub fn contains_error(self) -> bool {
        self.tree.nodes.get(self.id).flags.contains_error
    }

    /// The nodes directly below.
    pub fn children(self) -> Children<'t> {
        Children {
            tree: self.tree,
            next: self.id.0 + 1,
            end: self.id.0 + self.tree.nodes.get(self.id).len,
        }
    }

    /// This node and every node below, parents first.
    pub fn descendants(self) -> Descendants<'t> {
        Descendants {
            tree: self.tree,
            next: self.id.0,
            end: self.id.0 + self.tree.nodes.get(self.id).len,
        }
    }

    /// Nodes and tokens directly below, in the order of the text, trivia included.
    pub fn elements(self) -> Elements<'t> {
        let (token, end_token) = self.tree.nodes.tokens(self.id);
        Elements { children: self.children(), token, end_token }
    }

    /// All tokens of the node, those of nodes below included.
    pub fn tokens(self) -> TokenRange<'t> {
        let (next, end) = self.tree.nodes.tokens(self.id);
        TokenRange { tree: self.tree, next, end }
    }

    /// The tokens directly below, trivia left out.
    pub fn own_tokens(self) -> impl Iterator<Item = SyntaxToken<'t>> {
        self.elements().filter_map(|element| match element {
            Element::Token(token) if !token.kind().is_trivia() => Some(token),
            _ => None,
        })
    }

    /// The tokens before the first node below, trivia left out; of a node without such nodes all of
    /// them.
    pub(crate) fn opening_tokens(self) -> impl Iterator<Item = SyntaxToken<'t>> {
        self.elements().take_tokens().filter(|token| !token.kind().is_trivia())
    }

    /// The tokens behind `child`, a node directly below; those of later nodes included.
    pub(crate) fn tokens_after(self, child: SyntaxNode<'t>) -> TokenRange<'t> {
        TokenRange { next: self.tree.nodes.get(child.id).end_token, ..self.tokens() }
    }

    /// The first token of this kind directly below.
    pub fn own_token(self, kind: SyntaxKind) -> Option<SyntaxToken<'t>> {
        self.own_tokens().find(|token| token.kind() == kind)
    }

    /// The first token in it, however deep; `None` of an empty node, such as a body without items.
    pub fn first_token(self) -> Option<SyntaxToken<'t>> {
        self.tokens().next()
    }

    /// The last token in it, however deep; `None` of an empty node.
    pub fn last_token(self) -> Option<SyntaxToken<'t>> {
        let (first, end) = self.tree.nodes.tokens(self.id);
        (first < end).then(|| SyntaxToken::new(self.tree, end - 1))
    }
}

impl<'t> SyntaxToken<'t> {
    pub(crate) fn new(tree: &'t SyntaxTree, index: u32) -> Self {
        Self { tree, index }
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'t SyntaxTree {
        self.tree
    }

    /// The production or token of the grammar.
    pub fn kind(self) -> SyntaxKind {
        self.tree.tokens.kind(self.index)
    }

    /// Its bytes. Tokens tile the text: each begins where the one before it ends.
    pub fn range(self) -> TextRange {
        self.tree.tokens.range(self.index)
    }

    /// Its text, as written in the source.
    pub fn text(self) -> &'t str {
        self.tree.slice(self.range())
    }

    /// Returns whether it begins with this byte.
    pub(crate) fn begins_with(self, byte: u8) -> bool {
        let start = self.range().start() as usize;
        self.tree.source.as_bytes().get(start) == Some(&byte)
    }

    /// Returns whether it ends with this byte.
    pub(crate) fn ends_with(self, byte: u8) -> bool {
        let end = self.range().end() as usize;
        self.tree.source.as_bytes().get(end.wrapping_sub(1)) == Some(&byte)
    }

    /// Its place among the tokens of the file.
    pub fn index(self) -> u32 {
        self.index
    }
}

impl PartialEq for SyntaxNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }
}

impl Eq for SyntaxNode<'_> {}

impl PartialEq for SyntaxToken<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.index == other.index
    }
}

impl Eq for SyntaxToken<'_> {}

impl fmt::Debug for SyntaxNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{:?}", self.kind(), self.range())
    }
}

impl fmt::Debug for SyntaxToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{:?} {:?}", self.kind(), self.range(), self.text())
    }
}

/// The nodes directly below a node.
#[derive(Clone, Debug)]
pub struct Children<'t> {
    tree: &'t SyntaxTree,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = SyntaxNode<'t>;

    fn next(&mut self) -> Option<SyntaxNode<'t>> {
        if self.next >= self.end {
            return None;
        }
        let id = NodeId(self.next);
        self.next += self.tree.nodes.get(id).len;
        Some(SyntaxNode::new(self.tree, id))
    }
}

/// A node and all below it, parents first.
#[derive(Clone, Debug)]
pub struct Descendants<'t> {
    tree: &'t SyntaxTree,
    next: u32,
    end: u32,
}

impl Descendants<'_> {
    /// Leaves out what is below the node that came last.
    pub fn skip_below(&mut self) {
        let last = NodeId(self.next.saturating_sub(1));
        self.next = self.end.min(last.0 + self.tree.nodes.get(last).len);
    }
}

impl<'t> Iterator for Descendants<'t> {
    type Item = SyntaxNode<'t>;

    fn next(&mut self) -> Option<SyntaxNode<'t>> {
        if self.next >= self.end {
            return None;
        }
        let id = NodeId(self.next);
        self.next += 1;
        Some(SyntaxNode::new(self.tree, id))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end.saturating_sub(self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Descendants<'_> {}

/// Nodes and tokens directly below a node.
#[derive(Clone, Debug)]
pub struct Elements<'t> {
    children: Children<'t>,
    token: u32,
    end_token: u32,
}

impl<'t> Elements<'t> {
    /// Returns whether none is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.token >= self.end_token && self.children.next >= self.children.end
    }

    /// Takes the tokens before the next node, or all when there is none.
    pub(crate) fn take_tokens(&mut self) -> TokenRange<'t> {
        let tree = self.children.tree;
        let next = self.token;
        if self.children.next < self.children.end {
            let child = NodeId(self.children.next);
            self.token = next.max(tree.nodes.get(child).first_token);
        } else {
            self.token = self.end_token;
        }
        TokenRange { tree, next, end: self.token }
    }
}

impl<'t> Iterator for Elements<'t> {
    type Item = Element<'t>;

    fn next(&mut self) -> Option<Element<'t>> {
        let tree = self.children.tree;
        if self.children.next < self.children.end {
            let (first, end) = tree.nodes.tokens(NodeId(self.children.next));
            if first <= self.token {
                self.token = end;
                return self.children.next().map(Element::Node);
            }
        }
        if self.token >= self.end_token {
            return None;
        }
        let token = SyntaxToken::new(tree, self.token);
        self.token += 1;
        Some(Element::Token(token))
    }
}

/// The tokens of a node, or a run of them, in order.
#[derive(Clone, Debug)]
pub struct TokenRange<'t> {
    tree: &'t SyntaxTree,
    next: u32,
    end: u32,
}

impl<'t> TokenRange<'t> {
    /// Leaves out the tokens at either end for which `is_left_out` holds.
    pub(crate) fn trim(mut self, is_left_out: impl Fn(SyntaxKind) -> bool) -> Self {
        while self.next < self.end && is_left_out(self.tree.tokens.kind(self.next)) {
            self.next += 1;
        }
        while self.next < self.end && is_left_out(self.tree.tokens.kind(self.end - 1)) {
            self.end -= 1;
        }
        self
    }

    /// The bytes from the first token to the last one; `None` when there are none.
    pub(crate) fn range(&self) -> Option<TextRange> {
        (self.next < self.end).then(|| self.tree.tokens.between(self.next, self.end))
    }
}

impl<'t> Iterator for TokenRange<'t> {
    type Item = SyntaxToken<'t>;

    fn next(&mut self) -> Option<SyntaxToken<'t>> {
        if self.next >= self.end {
            return None;
        }
        let token = SyntaxToken::new(self.tree, self.next);
        self.next += 1;
        Some(token)
    }
}
