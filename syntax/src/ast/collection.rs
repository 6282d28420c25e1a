//! Tuples, objects and calls.

use std::borrow::Cow;

use pcl_diagnostics::TextRange;

use super::expression::{Expr, expression_after, expressions};
use super::view::{AstNode, node};
use crate::kind::SyntaxKind;
use crate::tree::{Element, SyntaxToken};

node! {
    /// `[ element, .. ]`
    Tuple = Tuple
}

impl<'t> Tuple<'t> {
    /// Its elements, in the order of the text.
    pub fn elements(self) -> impl Iterator<Item = Expr<'t>> {
        expressions(self.0)
    }
}

node! {
    /// `{ key = value, .. }`
    Object = Object
}

impl<'t> Object<'t> {
    /// Its items, in the order of the text; a key may occur twice.
    pub fn items(self) -> impl Iterator<Item = ObjectItem<'t>> {
        self.0.children().filter_map(ObjectItem::cast)
    }
}

node! {
    /// `key = value`
    ObjectItem = ObjectItem
}

impl<'t> ObjectItem<'t> {
    fn separator(self) -> Option<SyntaxToken<'t>> {
        self.0
            .own_tokens()
            .find(|token| matches!(token.kind(), SyntaxKind::Equals | SyntaxKind::Colon))
    }

    /// The key as an expression. Of a key written as a bare name this is a `Name` or a `Literal`;
    /// see [`key_is_bare_name`](Self::key_is_bare_name).
    pub fn key(self) -> Option<Expr<'t>> {
        let key = expressions(self.0).next()?;
        if !self.0.contains_error() {
            return Some(key);
        }
        match self.separator() {
            Some(separator) if key.range().start() > separator.range().start() => None,
            _ => Some(key),
        }
    }

    /// The value; `None` where nothing follows the key, or no sign is between them.
    pub fn value(self) -> Option<Expr<'t>> {
        if !self.0.contains_error() {
            return expressions(self.0).nth(1);
        }
        let separator = self.separator()?;
        expression_after(self.0, separator.kind())
    }

    /// The word, if the key is a bare word: a name, `true`, `false` or `null`.
    pub fn key_is_bare_name(self) -> Option<SyntaxToken<'t>> {
        let first = self.0.children().next()?;
        if !matches!(first.kind(), SyntaxKind::Name | SyntaxKind::Literal) {
            return None;
        }
        let word = first.first_token()?;
        // After the separator it would be the value of an item without a key.
        let is_key = !self.0.contains_error() || self.key()?.syntax() == first;
        (word.kind() == SyntaxKind::Ident && is_key).then_some(word)
    }

    /// The bare word of [`key_is_bare_name`](Self::key_is_bare_name), and its text in normalisation
    /// form C.
    pub fn bare_key(self) -> Option<(SyntaxToken<'t>, Cow<'t, str>)> {
        let word = self.key_is_bare_name()?;
        Some((word, super::text::normalize(Cow::Borrowed(word.text()))))
    }
}

node! {
    /// `name(argument, ..)`
    Call = Call
}

impl<'t> Call<'t> {
    /// The name, if it is one word with the parenthesis right behind it.
    fn plain_name(self) -> Option<SyntaxToken<'t>> {
        let mut tokens = self.0.tokens();
        let name = tokens.next().filter(|name| name.kind() == SyntaxKind::Ident)?;
        tokens.next().is_some_and(|next| next.kind() == SyntaxKind::LParen).then_some(name)
    }

    fn name_tokens(self) -> impl Iterator<Item = SyntaxToken<'t>> {
        self.0.opening_tokens().take_while(|token| {
            matches!(token.kind(), SyntaxKind::Ident | SyntaxKind::ColonColon | SyntaxKind::Newline)
        })
    }

    /// The name; the parts of a name with a namespace are joined by `::`.
    pub fn name(self) -> Cow<'t, str> {
        if let Some(name) = self.plain_name() {
            return Cow::Borrowed(name.text());
        }
        let mut tokens = self.name_tokens().filter(|token| token.kind() != SyntaxKind::Newline);
        let first = tokens.next().map_or("", SyntaxToken::text);
        tokens.fold(Cow::Borrowed(first), |name, token| name + token.text())
    }

    /// The bytes of the name.
    pub fn name_range(self) -> TextRange {
        if let Some(name) = self.plain_name() {
            return name.range();
        }
        self.name_tokens()
            .filter(|token| token.kind() == SyntaxKind::Ident)
            .map(SyntaxToken::range)
            .reduce(TextRange::cover)
            .unwrap_or(TextRange::empty(self.range().start()))
    }

    /// Its arguments, in the order of the text; the one before `...` is the last.
    pub fn arguments(self) -> impl Iterator<Item = Expr<'t>> {
        expressions(self.0)
    }

    /// Returns whether the last argument is followed by `...`.
    pub fn expands_last(self) -> bool {
        self.0
            .elements()
            .any(|element| matches!(element, Element::Token(t) if t.kind() == SyntaxKind::Ellipsis))
    }
}
