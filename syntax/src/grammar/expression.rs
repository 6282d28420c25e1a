//! Expressions: conditionals and terms.
//!
//! The rules, with examples: `tests/spec/syntax/expression.md`.

use pcl_diagnostics::Code;

use super::{collection, for_expr, operator, template};
use crate::kind::SyntaxKind as K;
use crate::parser::Parser;

/// `Conditional = Binary [ '?' Expr ':' Expr ]`; reports when there is none. Returns whether a node
/// was finished.
pub(super) fn expression(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        return too_deep(p);
    }
    let marker = p.here();
    let found = operator::binary(p, operator::LOOSEST);
    if found && p.at(K::Question) {
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
    p.leave();
    found
}

/// As `expression`, where there need not be one.
pub(super) fn opt_expression(p: &mut Parser<'_>) -> bool {
    p.kind().starts_expression() && expression(p)
}

/// A term without what may follow it. Gives whether a node was finished.
pub(super) fn term(p: &mut Parser<'_>) -> bool {
    match p.kind() {
        K::Ident => word(p),
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

/// A name, a literal that is a word, or the name of a call and its arguments.
fn word(p: &mut Parser<'_>) {
    let word = p.token();
    let kind = match p.bytes_of(word) {
        b"true" | b"false" | b"null" => K::Literal,
        _ => K::Name,
    };
    p.take_to(word);
    if matches!(p.kind(), K::LParen | K::ColonColon) {
        return collection::call(p, word);
    }
    p.finish_leaf(word, kind);
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
