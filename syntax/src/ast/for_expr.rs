//! `for` expressions.

use super::expression::{Expr, expression_after, expressions};
use super::view::{AstNode, node};
use crate::kind::SyntaxKind;
use crate::tree::{Element, SyntaxNode, SyntaxToken};

node! {
    /// `[for key, value in collection : value if condition]`, or in braces with `key => value`.
    For = ForTuple | ForObject
}

/// The variables that a loop declares for keys and values: of a `for`, or of the head of a
/// `%{ for .. }`.
pub fn loop_variables<'t>(
    head: SyntaxNode<'t>,
) -> (Option<SyntaxToken<'t>>, Option<SyntaxToken<'t>>) {
    let mut tokens = head
        .opening_tokens()
        .filter(|token| token.kind() != SyntaxKind::Newline)
        .skip_while(|token| token.kind() != SyntaxKind::Ident)
        .skip(1);
    let ident = |token: Option<SyntaxToken<'t>>| token.filter(|t| t.kind() == SyntaxKind::Ident);
    let first = ident(tokens.next());
    match tokens.next() {
        Some(comma) if comma.kind() == SyntaxKind::Comma => (first, ident(tokens.next())),
        _ => (None, first),
    }
}

/// The expression after the word `in`.
pub(super) fn collection(head: SyntaxNode<'_>) -> Option<Expr<'_>> {
    head.children().find_map(Expr::cast).filter(|expr| {
        head.own_token(SyntaxKind::Colon)
            .is_none_or(|colon| expr.range().start() < colon.range().start())
    })
}

impl<'t> For<'t> {
    /// Returns whether it makes an object.
    pub fn is_object(self) -> bool {
        self.0.kind() == SyntaxKind::ForObject
    }

    /// The variable for the key, of a `for` with two.
    pub fn key_variable(self) -> Option<SyntaxToken<'t>> {
        loop_variables(self.0).0
    }

    /// The variable for the value.
    pub fn value_variable(self) -> Option<SyntaxToken<'t>> {
        loop_variables(self.0).1
    }

    /// The collection that is iterated over.
    pub fn collection(self) -> Option<Expr<'t>> {
        if !self.0.contains_error() {
            return expressions(self.0).next();
        }
        collection(self.0)
    }

    /// The key that is made, before `=>`.
    pub fn key(self) -> Option<Expr<'t>> {
        if !self.0.contains_error() {
            return expressions(self.0).nth(1).filter(|_| self.is_object());
        }
        self.0.own_token(SyntaxKind::FatArrow)?;
        expression_after(self.0, SyntaxKind::Colon)
    }

    /// The value that is made.
    pub fn value(self) -> Option<Expr<'t>> {
        if !self.0.contains_error() {
            return expressions(self.0).nth(1 + usize::from(self.is_object()));
        }
        let after = match self.0.own_token(SyntaxKind::FatArrow) {
            Some(_) => SyntaxKind::FatArrow,
            None => SyntaxKind::Colon,
        };
        expression_after(self.0, after)
    }

    /// The condition on which an item is taken.
    pub fn condition(self) -> Option<Expr<'t>> {
        if !self.0.contains_error() {
            return expressions(self.0).nth(2 + usize::from(self.is_object()));
        }
        let mut colon = false;
        let mut seen = false;
        for element in self.0.elements() {
            match element {
                Element::Token(token) if token.kind() == SyntaxKind::Colon => colon = true,
                Element::Token(token) => {
                    seen |= colon && token.kind() == SyntaxKind::Ident && token.text() == "if";
                }
                Element::Node(node) if seen => return Expr::cast(node),
                Element::Node(_) => {}
            }
        }
        None
    }

    /// Returns whether values of equal keys are collected: `...`.
    pub fn groups(self) -> bool {
        self.0.own_token(SyntaxKind::Ellipsis).is_some()
    }
}
