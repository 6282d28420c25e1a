//! Numbers, booleans and null.

use super::view::node;
use crate::kind::SyntaxKind;

node! {
    /// A number, `true`, `false` or `null`.
    Literal = Literal
}

/// The value of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralKind<'t> {
    /// A number as written: digits, an optional fraction, an optional exponent; no sign. A
    /// malformed number (which has an error) is given as written too.
    Number(&'t str),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
}

impl<'t> Literal<'t> {
    /// The value that is written, numbers still as text.
    #[must_use]
    pub fn kind(self) -> LiteralKind<'t> {
        let text = self.0.text();
        match text {
            "true" => LiteralKind::Bool(true),
            "false" => LiteralKind::Bool(false),
            "null" => LiteralKind::Null,
            _ => LiteralKind::Number(text),
        }
    }

    /// Returns whether it is a number.
    #[must_use]
    pub fn is_number(self) -> bool {
        self.0.first_token().is_some_and(|token| token.kind() == SyntaxKind::Number)
    }
}
