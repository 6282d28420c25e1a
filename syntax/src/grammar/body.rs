//! Bodies: the items between braces, or in a file.
//!
//! The rules, with examples: `tests/spec/syntax/body.md`.

use pcl_diagnostics::Code;

use super::{attribute, block, expression};
use crate::kind::SyntaxKind as K;
use crate::parser::{BodyNames, Parser};

/// The layout that a body allows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One item a line.
    Lines,
    /// Anything: that the layout is wrong was reported.
    Broken,
    /// One item a line, but the opening brace was lost, so that the closing one seems to close
    /// nothing.
    Headless,
}

/// `{ Attribute | Block }`, in a block up to its closing brace. `block` says how a block's body is
/// laid out.
pub(super) fn items(p: &mut Parser<'_>, block: Option<Layout>) {
    let mut names = p.names_of_body();
    more_items(p, &mut names, block);
    p.forget_names(names);
}

/// As `items`, in a body that has set `names` so far.
pub(super) fn more_items(p: &mut Parser<'_>, names: &mut BodyNames, block: Option<Layout>) {
    loop {
        p.skip_newlines();
        if p.at(K::Ident) {
            item(p, names, block);
            continue;
        }
        match p.kind() {
            K::EndOfFile => break,
            K::RBrace if block == Some(Layout::Headless) => break,
            K::RBrace if block.is_some() && !p.at_stray_closer() => break,
            K::Comma | K::Semicolon if block == Some(Layout::Broken) => p.bump(),
            K::QuoteOpen => attribute::quoted(p, block),
            _ => stray(p, block),
        }
    }
}

/// An attribute or a block, as the token after its name decides.
fn item(p: &mut Parser<'_>, names: &mut BodyNames, block: Option<Layout>) {
    let (next, kind) = p.peek_from(p.token() + 1, true);
    if kind == K::Equals {
        return attribute::attribute(p, names, next, block);
    }
    match kind {
        K::QuoteOpen | K::LBrace | K::Ident => block::block(p, block),
        K::LBracket | K::LParen if block::is_before_labels(p, p.token() + 1) => {
            block::block(p, block);
        }
        kind => incomplete(p, kind, block),
    }
}

/// A name that is neither: what was meant is kept as far as it can be guessed.
fn incomplete(p: &mut Parser<'_>, next: K, block: Option<Layout>) {
    match next {
        // `port : 80` and `port == 80`
        K::Colon | K::EqualEqual => return attribute::wrong_sign(p, block),
        _ => {}
    }
    if !next.is_bad() {
        p.unexpected(Code::BodyItemIncomplete, None);
    }
    let marker = p.start();
    if matches!(next, K::Dot | K::LBracket) {
        // `a.b = 1`
        expression::expression(p);
        if p.eat(K::Equals) {
            expression::opt_expression(p);
        }
    } else {
        p.bump();
    }
    rest_of_line(p);
    p.finish(marker, K::BogusItem);
}

/// Something that begins no item.
fn stray(p: &mut Parser<'_>, block: Option<Layout>) {
    p.unexpected(Code::BodyItemRequired, None);
    let marker = p.start();
    let closer = matches!(
        p.kind(),
        K::RBrace | K::RParen | K::RBracket | K::SequenceClose
    );
    // A bracket too many says nothing about what follows it.
    let doubled = p.at(K::LBrace) && block.is_some();
    if closer || doubled || !p.skip_line() {
        p.bump();
    }
    p.finish(marker, K::BogusItem);
}

/// Takes the rest of a line that was reported.
pub(super) fn rest_of_line(p: &mut Parser<'_>) {
    if !matches!(p.kind(), K::Newline | K::EndOfFile) {
        p.skip_line();
    }
}

/// Returns whether an item begins at the current token.
pub(super) fn at_item(p: &Parser<'_>) -> bool {
    p.at(K::Ident) && matches!(p.peek(true), K::Equals | K::QuoteOpen | K::LBrace)
}
