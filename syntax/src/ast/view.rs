//! The view of a node: the trait that all views share, and the macro that declares one.

use crate::tree::SyntaxNode;

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

        impl<'t> crate::ast::view::AstNode<'t> for $name<'t> {
            fn cast(node: crate::tree::SyntaxNode<'t>) -> Option<Self> {
                matches!(node.kind(), $(crate::kind::SyntaxKind::$kind)|+).then_some(Self(node))
            }

            fn syntax(self) -> crate::tree::SyntaxNode<'t> {
                self.0
            }
        }

        impl<'t> $name<'t> {
            /// The node that this is a view of.
            pub fn syntax(self) -> crate::tree::SyntaxNode<'t> {
                self.0
            }

            /// Its bytes, without spaces and comments around it.
            pub fn range(self) -> pcl_diagnostics::TextRange {
                self.0.range()
            }
        }
    };
}
pub(crate) use node;
