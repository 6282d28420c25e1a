//! Typed views of the tree.
//!
//! *A view is a node*: copyable, made by a cast that looks at the kind, and it owns nothing. *A
//! view is lazy*: an accessor looks for its part among the node's children each time. *A view is
//! honest*: every part that a broken text may lack is an `Option`; what could not be understood is
//! a `Bogus` variant, never a guess. Of a node without
//! [`contains_error`](crate::SyntaxNode::contains_error) all parts that the production asks for are
//! there.
//!
//! Values are views too: escapes, strip markers, heredoc indentation and Unicode normalisation are
//! applied when a value is asked for and never change the text.
//!
//! Chains of operators and of postfix steps lean to the left and may be as long as the file:
//! descend [`Binary::left`], [`Index::collection`], [`Traversal::receiver`] and [`Splat::source`]
//! in a loop. All else nests at most [`MAX_DEPTH`](crate::MAX_DEPTH) deep.

mod body;
mod collection;
mod expression;
mod for_expr;
mod heredoc;
mod literal;
mod template;
mod text;
mod traversal;

use crate::kind::SyntaxKind;
use crate::tree::{SyntaxNode, SyntaxTree};

pub use body::{Attribute, Block, Body, File, Item, Label};
pub use collection::{Call, Object, ObjectItem, Tuple};
pub use expression::{
    Binary, BinaryOperator, Conditional, Expr, Name, Paren, Unary, UnaryOperator,
};
pub use for_expr::{For, loop_variables};
pub use heredoc::Heredoc;
pub use literal::{Literal, LiteralKind};
pub use template::{ForDirective, IfDirective, Template, TemplatePart, TemplateParts};
pub use traversal::{Index, Splat, SplatStep, Step, StepKind, Traversal};

impl SyntaxTree {
    /// The root as a file. Of a stand-alone expression its body is missing.
    #[must_use]
    pub fn file(&self) -> File<'_> {
        File::new(self.root())
    }

    /// The expression of a tree made by [`parse_expression`](crate::parse_expression).
    #[must_use]
    pub fn expression(&self) -> Option<Expr<'_>> {
        self.root().children().find_map(Expr::cast)
    }
}

/// A view of a node.
pub trait AstNode<'t>: Copy {
    /// The view, if the node is of its kind.
    fn cast(node: SyntaxNode<'t>) -> Option<Self>;

    /// The node.
    fn syntax(self) -> SyntaxNode<'t>;
}

/// Declares the view of one node kind, with its cast and `syntax`.
macro_rules! node {
    ($(#[$doc:meta])* $name:ident = $($kind:ident)|+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name<'t>(pub(super) crate::tree::SyntaxNode<'t>);

        impl<'t> crate::ast::AstNode<'t> for $name<'t> {
            fn cast(node: crate::tree::SyntaxNode<'t>) -> Option<Self> {
                matches!(node.kind(), $(crate::kind::SyntaxKind::$kind)|+).then_some(Self(node))
            }

            fn syntax(self) -> crate::tree::SyntaxNode<'t> {
                self.0
            }
        }

        impl<'t> $name<'t> {
            /// The node that this is a view of.
            #[must_use]
            pub fn syntax(self) -> crate::tree::SyntaxNode<'t> {
                self.0
            }

            /// Its bytes, without blanks and comments around it.
            #[must_use]
            pub fn range(self) -> pcl_diagnostics::TextRange {
                self.0.range()
            }
        }
    };
}
pub(crate) use node;

/// The expressions directly below a node.
fn expressions<'t>(node: SyntaxNode<'t>) -> impl Iterator<Item = Expr<'t>> {
    node.children().filter_map(Expr::cast)
}

/// The first expression directly below a node that stands after a token of this kind.
fn expression_after(node: SyntaxNode<'_>, kind: SyntaxKind) -> Option<Expr<'_>> {
    let mut seen = false;
    for element in node.elements() {
        match element {
            crate::tree::Element::Token(token) => seen |= token.kind() == kind,
            crate::tree::Element::Node(child) if seen => {
                if let Some(expr) = Expr::cast(child) {
                    return Some(expr);
                }
            }
            crate::tree::Element::Node(_) => {}
        }
    }
    None
}
