//! Typed views of the tree.
//!
//! *A view is a node*: copyable, made by a cast that checks the kind, and it owns nothing. *A view
//! is lazy*: an accessor searches for its part among the node's children each time. *A view is
//! honest*: every part that may be missing in a broken text is an `Option`; syntax that could not
//! be understood is a `Bogus` variant, never a guess. A node without
//! [`contains_error`](crate::SyntaxNode::contains_error) has all parts that the production
//! requires.
//!
//! Values are views too: escapes, strip markers, heredoc indentation and Unicode normalisation are
//! applied when a value is requested and never change the text.
//!
//! Chains of operators and of postfix steps lean to the left and may be as long as the file:
//! descend [`Binary::left`], [`Index::collection`], [`Traversal::receiver`] and [`Splat::source`]
//! in a loop. Everything else nests at most [`MAX_DEPTH`](crate::MAX_DEPTH) deep.

mod body;
mod collection;
mod expression;
mod for_expr;
mod heredoc;
mod template;
mod text;
mod traversal;
mod view;

use crate::tree::SyntaxTree;

pub use body::{Attribute, Block, Body, File, Item, Label};
pub use collection::{Call, Object, ObjectItem, Tuple};
pub use expression::{
    Binary, BinaryOperator, Conditional, Expr, Literal, LiteralKind, Name, Paren, Unary,
    UnaryOperator,
};
pub use for_expr::{For, loop_variables};
pub use heredoc::Heredoc;
pub use template::{ForDirective, IfDirective, Template, TemplatePart, TemplateParts, exact_texts};
pub use traversal::{Index, Splat, SplatStep, Step, StepKind, Traversal};
pub use view::AstNode;

impl SyntaxTree {
    /// The root as a file. For a stand-alone expression it has no body.
    pub fn file(&self) -> File<'_> {
        File::new(self.root())
    }

    /// The expression of a tree made by [`parse_expression`](crate::parse_expression).
    pub fn expression(&self) -> Option<Expr<'_>> {
        self.root().children().find_map(Expr::cast)
    }
}
