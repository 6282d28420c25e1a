//! Expressions: conditionals and terms.
//!
//! The rules, with examples: `tests/spec/syntax/expression.md`.

use pcl_diagnostics::Code;

use super::fast_path::{self, Taken};
use super::{collection, for_expr, operator, template, traversal};
use crate::kind::SyntaxKind as K;
use crate::parser::{Marker, Parser};

/// An expression; reports when there is none. Returns whether a node was finished.
pub(super) fn expression(p: &mut Parser<'_>) -> bool {
    match fast_path::take(p) {
        Taken::Nothing => conditional(p),
        Taken::All => true,
        Taken::First(first, kind) => {
            rest(p, first, kind);
            true
        }
    }
}

/// The rest of a conditional after its first term, which was taken.
#[inline(never)]
fn rest(p: &mut Parser<'_>, first: u32, kind: K) {
    p.enter();
    let marker = p.here_from(first);
    word_or_call(p, first, kind);
    traversal::steps(p, marker);
    operator::operations(p, marker, operator::LOOSEST);
    branches(p, marker);
    p.leave();
}

/// `Conditional = Binary [ '?' Expr ':' Expr ]`
#[inline(never)]
fn conditional(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        return too_deep(p);
    }
    let marker = p.here();
    let found = operator::binary(p, operator::LOOSEST);
    if found {
        branches(p, marker);
    }
    p.leave();
    found
}

/// `[ '?' Expr ':' Expr ]`, after the condition that began at `marker`.
#[inline]
fn branches(p: &mut Parser<'_>, marker: Marker) {
    if p.at(K::Question) {
        some_branches(p, marker);
    }
}

/// As `branches`, where there are some.
fn some_branches(p: &mut Parser<'_>, marker: Marker) {
    p.bump();
    expression(p);
    if p.eat(K::Colon) {
        expression(p);
    } else {
        let from = p.range_of(marker.token());
        p.unexpected(Code::CondMissingColon, Some(from));
    }
    p.wrap(marker, K::Conditional);
    p.end_wraps(marker);
}

/// As `expression`, where there need not be one.
pub(super) fn opt_expression(p: &mut Parser<'_>) -> bool {
    p.kind().starts_expression() && expression(p)
}

/// A term without what may follow it. Gives whether a node was finished.
pub(super) fn term(p: &mut Parser<'_>) -> bool {
    match p.kind() {
        K::Ident => {
            let (first, kind) = (p.token(), p.kind_of_word(p.token()));
            p.take_to(first);
            word_or_call(p, first, kind);
        }
        K::Number => p.leaf(K::Literal, p.token()),
        K::QuoteOpen => match p.end_of_plain_template() {
            Some(close) => p.leaf(K::Template, close),
            None => template::template(p),
        },
        K::HeredocOpen => template::heredoc(p),
        K::LParen => collection::paren(p),
        K::LBracket if for_expr::begins(p) => for_expr::for_expr(p, K::ForTuple),
        K::LBracket => collection::tuple(p),
        K::LBrace if for_expr::begins(p) => for_expr::for_expr(p, K::ForObject),
        K::LBrace => collection::object(p),
        _ => return missing(p),
    }
    true
}

/// A term that was taken: one without parts, of this kind; or the name of a call.
#[inline(always)]
fn word_or_call(p: &mut Parser<'_>, first: u32, kind: K) {
    if matches!(p.kind(), K::LParen | K::ColonColon) && p.kind_of(first) == K::Ident {
        return collection::call(p, first);
    }
    p.finish_leaf(first, kind);
}

impl Parser<'_> {
    /// The kind of the term that is a word.
    #[inline]
    pub(super) fn kind_of_word(&self, token: u32) -> K {
        match self.bytes_of(token) {
            b"true" | b"false" | b"null" => K::Literal,
            _ => K::Name,
        }
    }
}

/// Reports that there is no term here; keeps what is clearly part of one.
fn missing(p: &mut Parser<'_>) -> bool {
    let code = if p.at(K::EndOfFile) {
        Code::ExprMissing
    } else {
        Code::ExprInvalid
    };
    p.unexpected(code, None);
    let kind = p.kind();
    if !kind.is_bad() && !is_misplaced(kind) {
        return false;
    }
    let marker = p.start();
    // A wrongly quoted string is a whole operand; anything else comes before one.
    let whole = matches!(kind, K::SingleQuote | K::Backtick)
        || (kind == K::BadCharacter && p.text().starts_with(['“', '”']));
    p.bump();
    while !whole && p.kind().is_bad() {
        p.bump();
    }
    if !whole && p.kind().starts_expression() {
        operator::unary(p);
    }
    p.finish(marker, K::BogusExpr);
    true
}

/// Operators and points that may have slipped in before an operand.
fn is_misplaced(kind: K) -> bool {
    matches!(
        kind,
        K::Plus
            | K::Star
            | K::Slash
            | K::Percent
            | K::OrOr
            | K::AndAnd
            | K::EqualEqual
            | K::NotEqual
            | K::Less
            | K::LessEqual
            | K::Greater
            | K::GreaterEqual
            | K::Equals
            | K::Dot
    )
}

/// Takes, flat, an expression that nests too deep.
pub(super) fn too_deep(p: &mut Parser<'_>) -> bool {
    let marker = p.start();
    let found = p.skip_to(|kind| matches!(kind, K::Comma | K::Newline));
    if found {
        p.finish(marker, K::BogusExpr);
    } else {
        p.abandon(marker);
    }
    found
}
