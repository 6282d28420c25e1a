//! Navigation: from a place to the token there, and from a node to its surroundings.
//!
//! Nodes do not know their parents. The first question about one builds a table of all parents,
//! four bytes a node, so that trees which nobody navigates do not pay for it.

use pcl_diagnostics::TextRange;

use super::{NodeId, SyntaxNode, SyntaxToken, SyntaxTree};

impl SyntaxTree {
    /// The innermost node that has all of `range`; the first one where several touch an empty
    /// range.
    pub fn covering(&self, range: TextRange) -> SyntaxNode<'_> {
        self.root().innermost(|node| {
            let own = node.range();
            own.start() <= range.start() && range.end() <= own.end()
        })
    }

    /// The parent of each node; the root is its own.
    fn parents(&self) -> &[NodeId] {
        self.parents.get_or_init(|| self.nodes.parents())
    }

    /// The token with the byte at `offset`; the end of the file at and beyond the end of the text.
    pub fn token_at(&self, offset: u32) -> SyntaxToken<'_> {
        let behind = self.tokens.first_from(offset.saturating_add(1));
        SyntaxToken::new(self, behind.saturating_sub(1))
    }
}

impl<'t> SyntaxNode<'t> {
    /// The node itself, its parent, and so on up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = SyntaxNode<'t>> {
        std::iter::successors(Some(self), |node| node.parent())
    }

    /// The node directly above; the root has none.
    pub fn parent(self) -> Option<SyntaxNode<'t>> {
        let tree = self.tree();
        let parent = *tree.parents().get(self.id().0 as usize)?;
        (self.id() != NodeId(0)).then(|| SyntaxNode::new(tree, parent))
    }

    /// The last node of the way down from here on which every node fits.
    fn innermost(self, fits: impl Fn(SyntaxNode<'t>) -> bool) -> SyntaxNode<'t> {
        let mut at = self;
        while let Some(child) = at.children().find(|&child| fits(child)) {
            at = child;
        }
        at
    }
}

impl<'t> SyntaxToken<'t> {
    /// The innermost node that the token belongs to.
    pub fn parent(self) -> SyntaxNode<'t> {
        let tree = self.tree();
        // Nodes are in preorder, so those that begin after the token are the last ones, and the
        // node before them is the one looked for or inside of it.
        let last = tree.nodes.last_from(self.index());
        let mut around = SyntaxNode::new(tree, last).ancestors();
        let found = around.find(|node| {
            let (first, end) = tree.nodes.tokens(node.id());
            (first..end).contains(&self.index())
        });
        found.unwrap_or_else(|| tree.root())
    }

    /// The token before, trivia included.
    pub fn previous(self) -> Option<SyntaxToken<'t>> {
        let index = self.index().checked_sub(1)?;
        Some(SyntaxToken::new(self.tree(), index))
    }

    /// The token after, trivia included. The last one is the end of the file.
    pub fn next(self) -> Option<SyntaxToken<'t>> {
        let tree = self.tree();
        (self.index() < tree.tokens.end()).then(|| SyntaxToken::new(tree, self.index() + 1))
    }
}
