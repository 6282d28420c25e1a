//! Navigation: from a place to the token there, and from a node to its surroundings.
//!
//! Nodes do not know their parents. The ancestors of a node are found from the root down, past the
//! siblings on each level; that is fast enough for an editor, which needs them once per request,
//! and costs no space in the tree.

use pcl_diagnostics::{FileId, TextRange};

use super::{NodeId, SyntaxNode, SyntaxToken, SyntaxTree};

/// Names a node of one file of a program, without holding on to its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SyntaxPtr {
    /// The file.
    pub file: FileId,
    /// The node in the tree of that file.
    pub node: NodeId,
}

impl SyntaxPtr {
    /// The name of `node`, whose tree is that of `file`.
    #[must_use]
    pub fn new(file: FileId, node: SyntaxNode<'_>) -> Self {
        Self {
            file,
            node: node.id(),
        }
    }

    /// The node. `tree` is the tree of the file, unchanged since.
    #[must_use]
    pub fn to_node(self, tree: &SyntaxTree) -> SyntaxNode<'_> {
        tree.node(self.node)
    }
}

impl SyntaxTree {
    /// The innermost node that has all of `range`; the first one where several touch an empty
    /// range.
    #[must_use]
    pub fn covering(&self, range: TextRange) -> SyntaxNode<'_> {
        self.root().innermost(|node| {
            let own = node.range();
            own.start() <= range.start() && range.end() <= own.end()
        })
    }

    /// The token with the byte at `offset`; the end of the file at and beyond the end of the text.
    #[must_use]
    pub fn token_at(&self, offset: u32) -> SyntaxToken<'_> {
        let behind = self.tokens.first_from(offset.saturating_add(1));
        SyntaxToken::new(self, behind.saturating_sub(1))
    }
}

impl<'t> SyntaxNode<'t> {
    /// The node itself, its parent, and so on up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = SyntaxNode<'t>> {
        let mut path = Vec::new();
        let mut at = Some(self.tree().root());
        while let Some(node) = at {
            path.push(node);
            at = node.children().find(|child| child.has_below(self.id()));
        }
        path.into_iter().rev()
    }

    /// The node directly above; the root has none.
    #[must_use]
    pub fn parent(self) -> Option<SyntaxNode<'t>> {
        self.ancestors().nth(1)
    }

    /// Returns whether `id` is this node or one below.
    fn has_below(self, id: NodeId) -> bool {
        let first = self.id().0;
        (first..first + self.tree().nodes.subtree_len(self.id())).contains(&id.0)
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
    #[must_use]
    pub fn parent(self) -> SyntaxNode<'t> {
        let tree = self.tree();
        tree.root().innermost(|node| {
            let (first, end) = tree.nodes.tokens(node.id());
            (first..end).contains(&self.index())
        })
    }

    /// The token before, trivia included.
    #[must_use]
    pub fn previous(self) -> Option<SyntaxToken<'t>> {
        let index = self.index().checked_sub(1)?;
        Some(SyntaxToken::new(self.tree(), index))
    }

    /// The token after, trivia included. The last one is the end of the file.
    #[must_use]
    pub fn next(self) -> Option<SyntaxToken<'t>> {
        let tree = self.tree();
        (self.index() < tree.tokens.end()).then(|| SyntaxToken::new(tree, self.index() + 1))
    }
}
