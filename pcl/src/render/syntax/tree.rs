//! The tokens and nodes of the tree.

use pcl_syntax::{SyntaxKind, SyntaxToken, SyntaxTree};

use super::{Record, View};

/// A node or a token.
pub(super) struct Element<'t>(pcl_syntax::Element<'t>);

impl<'t> Element<'t> {
    pub(super) fn root(tree: &'t SyntaxTree) -> Self {
        Self(pcl_syntax::Element::Node(tree.root()))
    }
}

/// Every token of a file, including spaces and the end of the file.
pub(super) fn tokens(tree: &SyntaxTree) -> impl Iterator<Item = Element<'_>> {
    let first = tree.token_at(0);
    // Of several tokens at one place the end of the file is the last.
    let first = std::iter::successors(Some(first), |token| token.previous()).last();
    std::iter::successors(first, |token| SyntaxToken::next(*token))
        .map(|token| Element(pcl_syntax::Element::Token(token)))
}

impl View for Element<'_> {
    fn record(self) -> Record<Self> {
        match self.0 {
            pcl_syntax::Element::Token(token) => {
                Record::new(format!("{:?}", token.kind()), token.range()).text("text", token.text())
            }
            pcl_syntax::Element::Node(node) => {
                let shown = node.elements().filter(|element| {
                    !matches!(element, pcl_syntax::Element::Token(token)
                        if token.kind() == SyntaxKind::Whitespace)
                });
                Record::new(format!("{:?}", node.kind()), node.range())
                    .flag("has_error", node.has_error())
                    .parts("children", shown.map(Element))
            }
        }
    }
}
