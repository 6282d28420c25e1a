//! Traversals, computed indexes and splats.

use pcl_diagnostics::TextRange;

use super::expression::{Expr, expressions};
use super::view::{AstNode, node};
use crate::kind::SyntaxKind;
use crate::tree::{SyntaxNode, SyntaxToken};

node! {
    /// `receiver.a[0]`: steps that are known when parsing. Consecutive steps are one node.
    Traversal = Traversal
}

impl<'t> Traversal<'t> {
    /// The expression that is reached into; a `Name` when the traversal begins at a variable.
    pub fn receiver(self) -> Expr<'t> {
        expressions(self.0).next().unwrap_or(Expr::Bogus(self.0))
    }

    /// Its steps; at least one.
    pub fn steps(self) -> impl Iterator<Item = Step<'t>> {
        self.0.children().filter_map(Step::cast)
    }
}

node! {
    /// `.name`, `.0`, `[0]`, `["key"]`; the range is from the dot or bracket to the end.
    Step = Step
}

/// The key of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind<'t> {
    /// `.name`
    Attribute(SyntaxToken<'t>),
    /// `.0`
    LegacyIndex(SyntaxToken<'t>),
    /// `[..]` around a literal, or a template that is one literal.
    Index(Expr<'t>),
    /// Something else; reported.
    Broken,
}

impl<'t> Step<'t> {
    /// The key that it reaches for.
    pub fn kind(self) -> StepKind<'t> {
        if let Some(key) = expressions(self.0).next() {
            return StepKind::Index(key);
        }
        match self.0.last_token() {
            Some(token) if token.kind() == SyntaxKind::Ident => StepKind::Attribute(token),
            Some(token) if token.kind() == SyntaxKind::Number && !token.text().contains('.') => {
                StepKind::LegacyIndex(token)
            }
            _ => StepKind::Broken,
        }
    }
}

node! {
    /// `collection[key]` with a computed key.
    Index = Index
}

impl<'t> Index<'t> {
    /// The expression that is indexed. A chain of indexes leans to the left: descend in a loop.
    pub fn collection(self) -> Option<Expr<'t>> {
        expressions(self.0).next()
    }

    /// The expression in the brackets; `None` when they are empty.
    pub fn key(self) -> Option<Expr<'t>> {
        expressions(self.0).nth(1)
    }

    /// The bytes from `[` to `]`.
    pub fn bracket_range(self) -> TextRange {
        bracket_range(self.0)
    }
}

fn bracket_range(node: SyntaxNode<'_>) -> TextRange {
    let open = node.own_token(SyntaxKind::LBracket);
    let start = open.map_or(node.range().start(), |token| token.range().start());
    TextRange::new(start, node.range().end())
}

node! {
    /// `source.*.a` or `source[*].a[0]`
    Splat = Splat
}

/// A step that follows the marker of a splat and belongs to each item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplatStep<'t> {
    /// A step that is known when parsing.
    Step(Step<'t>),
    /// A computed index.
    Index {
        /// The key; missing in a broken text.
        key: Option<Expr<'t>>,
        /// From `[` to `]`.
        range: TextRange,
    },
    /// A splat inside the splat. What follows belongs to it: after `[*]` everything, after `.*` the
    /// steps `.name` and `.0`.
    Marker {
        /// Tells whether it is `[*]`.
        full: bool,
        /// The marker.
        range: TextRange,
    },
}

impl<'t> Splat<'t> {
    /// The collection that is iterated over.
    pub fn source(self) -> Expr<'t> {
        expressions(self.0).next().unwrap_or(Expr::Bogus(self.0))
    }

    fn marker(self) -> Option<SyntaxNode<'t>> {
        self.0.children().find(|child| child.kind() == SyntaxKind::SplatMarker)
    }

    /// Returns whether the marker is `[*]`, not `.*`.
    pub fn is_full(self) -> bool {
        self.marker().is_some_and(is_full)
    }

    /// The bytes of `.*` or `[*]`.
    pub fn marker_range(self) -> TextRange {
        self.marker().map_or(self.range(), SyntaxNode::range)
    }

    /// The steps that follow the marker and belong to each item, from left to right.
    pub fn steps(self) -> impl Iterator<Item = SplatStep<'t>> {
        self.0.children().skip(2).filter_map(|child| match child.kind() {
            SyntaxKind::Step => Step::cast(child).map(SplatStep::Step),
            SyntaxKind::SplatIndex => {
                Some(SplatStep::Index { key: expressions(child).next(), range: child.range() })
            }
            SyntaxKind::SplatMarker => {
                Some(SplatStep::Marker { full: is_full(child), range: child.range() })
            }
            _ => None,
        })
    }
}

fn is_full(marker: SyntaxNode<'_>) -> bool {
    marker.first_token().is_some_and(|token| token.kind() == SyntaxKind::LBracket)
}
