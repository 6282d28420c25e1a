//! Files, bodies, attributes and blocks.

use std::borrow::Cow;

use pcl_diagnostics::TextRange;

use super::expression::{Expr, expressions};
use super::text;
use super::view::{AstNode, node};
use crate::kind::SyntaxKind;
use crate::tree::{Comments, SyntaxNode, SyntaxToken};

/// A whole file: its one body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct File<'t>(SyntaxNode<'t>);

impl<'t> File<'t> {
    pub(crate) fn new(root: SyntaxNode<'t>) -> Self {
        Self(root)
    }

    /// The root of the tree.
    pub fn syntax(self) -> SyntaxNode<'t> {
        self.0
    }

    /// The top-level body. A stand-alone expression has none: its root is treated as a body without
    /// items.
    pub fn body(self) -> Body<'t> {
        self.0.children().find_map(Body::cast).unwrap_or(Body(self.0))
    }
}

node! {
    /// Attributes and blocks, in the order of the text.
    Body = Body | File
}

impl<'t> Body<'t> {
    /// Attributes, blocks and what was neither, in the order of the text.
    pub fn items(self) -> impl Iterator<Item = Item<'t>> {
        self.0.children().filter_map(Item::cast)
    }

    /// Its attributes in order, without those of nested blocks.
    pub fn attributes(self) -> impl Iterator<Item = Attribute<'t>> {
        self.0.children().filter_map(Attribute::cast)
    }

    /// Its blocks in order, without those nested in them.
    pub fn blocks(self) -> impl Iterator<Item = Block<'t>> {
        self.0.children().filter_map(Block::cast)
    }

    /// Returns whether it is on one line with its braces: `{ a = 1 }`.
    pub fn is_one_line(self) -> bool {
        let mut after_brace = self.0.own_tokens().map(SyntaxToken::kind);
        after_brace.next() == Some(SyntaxKind::LBrace)
            && self.items().next().is_some()
            && after_brace.next() != Some(SyntaxKind::Newline)
    }

    /// The bytes from `{` to `}`; of the top level from its first token to the end of the file; of
    /// a body on one line those of its attribute.
    pub fn content_range(self) -> TextRange {
        match self.items().next() {
            Some(item) if self.is_one_line() => item.syntax().range(),
            _ => self.range(),
        }
    }
}

/// An item of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item<'t> {
    /// `name = value`
    Attribute(Attribute<'t>),
    /// `type "label" { .. }`
    Block(Block<'t>),
    /// Text that could not be understood.
    Bogus(SyntaxNode<'t>),
}

impl<'t> Item<'t> {
    fn cast(node: SyntaxNode<'t>) -> Option<Self> {
        match node.kind() {
            SyntaxKind::Attribute => Some(Self::Attribute(Attribute(node))),
            SyntaxKind::Block => Some(Self::Block(Block(node))),
            SyntaxKind::BogusItem => Some(Self::Bogus(node)),
            _ => None,
        }
    }

    /// The node of the item.
    pub fn syntax(self) -> SyntaxNode<'t> {
        match self {
            Self::Attribute(attribute) => attribute.0,
            Self::Block(block) => block.0,
            Self::Bogus(node) => node,
        }
    }
}

node! {
    /// `name = value`
    Attribute = Attribute
}

impl<'t> Attribute<'t> {
    /// The comments above it and behind it.
    pub fn comments(self) -> Comments<'t> {
        self.0.comments()
    }

    /// The name; of a name that was wrongly quoted the text between the quotes.
    pub fn name(self) -> Option<SyntaxToken<'t>> {
        let name = self.0.tokens().find(|token| !is_quote(*token))?;
        matches!(name.kind(), SyntaxKind::Ident | SyntaxKind::Text).then_some(name)
    }

    /// Returns whether it has that name.
    pub fn is_named(self, name: &str) -> bool {
        self.name().is_some_and(|own| own.text() == name)
    }

    /// The sign `=`; `None` if it is missing, or replaced by another sign.
    pub fn equals(self) -> Option<SyntaxToken<'t>> {
        self.0.own_token(SyntaxKind::Equals)
    }

    /// The value; `None` if there is none that can be parsed. A damaged value is returned and
    /// reports it.
    pub fn value(self) -> Option<Expr<'t>> {
        let mut values = expressions(self.0);
        if self.0.contains_error() { values.last() } else { values.next() }
    }
}

fn is_quote(token: SyntaxToken<'_>) -> bool {
    token.kind() == SyntaxKind::QuoteOpen
}

node! {
    /// `type "label" { .. }`
    Block = Block
}

impl<'t> Block<'t> {
    /// The comments above it and behind it.
    pub fn comments(self) -> Comments<'t> {
        self.0.comments()
    }

    /// The word it begins with.
    pub fn keyword(self) -> Option<SyntaxToken<'t>> {
        self.0.first_token().filter(|token| token.kind() == SyntaxKind::Ident)
    }

    /// Returns whether it begins with that word.
    pub fn has_keyword(self, keyword: &str) -> bool {
        self.keyword().is_some_and(|word| word.text() == keyword)
    }

    /// Its labels in order, quoted or bare.
    pub fn labels(self) -> impl Iterator<Item = Label<'t>> {
        self.0.children().filter_map(Label::cast)
    }

    /// Its body; missing when the header is broken.
    pub fn body(self) -> Option<Body<'t>> {
        self.0.children().find_map(Body::cast)
    }

    /// The brace that opens the body; `None` when the header breaks off before it.
    pub fn open_brace(self) -> Option<SyntaxToken<'t>> {
        self.body()?.0.own_token(SyntaxKind::LBrace)
    }

    /// The brace that closes the body; `None` when it is not closed.
    pub fn close_brace(self) -> Option<SyntaxToken<'t>> {
        let last = self.body()?.0.last_token()?;
        (last.kind() == SyntaxKind::RBrace).then_some(last)
    }

    /// Returns whether something is wrong with its header, so that its labels may not be what they
    /// seem.
    pub fn has_broken_header(self) -> bool {
        if !self.0.contains_error() {
            return false;
        }
        let start = self.range().start();
        let end = self.open_brace().map_or(self.range().end(), |brace| brace.range().start());
        let errors = self.0.tree().errors();
        let first = errors.partition_point(|error| error.range().start() < start);
        let mut errors = errors.iter().skip(first).take_while(|error| error.range().start() <= end);
        errors.any(|error| error.starts_before(end))
    }

    /// The bytes from the keyword to the last label.
    pub fn header_range(self) -> TextRange {
        let keyword = self.0.first_token().map_or(self.range(), SyntaxToken::range);
        self.labels().fold(keyword, |range, label| range.cover(label.range()))
    }
}

node! {
    /// A label of a block: quoted or bare.
    Label = Label
}

impl<'t> Label<'t> {
    /// Returns whether it is in quotes.
    pub fn is_quoted(self) -> bool {
        self.0.first_token().is_some_and(|token| token.kind() == SyntaxKind::QuoteOpen)
    }

    /// The bytes between the quotes; of a bare label all of it.
    pub fn content_range(self) -> TextRange {
        if !self.is_quoted() {
            return self.range();
        }
        let range = self.range();
        let closed =
            self.0.last_token().is_some_and(|token| token.kind() == SyntaxKind::QuoteClose);
        TextRange::new(range.start() + 1, range.end() - u32::from(closed))
    }

    /// Its value: escapes decoded, not normalised.
    pub fn text(self) -> Cow<'t, str> {
        let tree = self.0.tree();
        if self.is_quoted() {
            text::decode_quoted(tree.slice(self.content_range()))
        } else {
            Cow::Borrowed(self.0.text())
        }
    }
}
