//! Expressions: conditionals and terms.

use pcl_diagnostics::Code;

use super::{collection, for_expr, operators, template};
use crate::kind::SyntaxKind as K;
use crate::parser::{Marker, Parser};

/// `Conditional = Binary [ '?' Expr ':' Expr ]`; reports when there is none. Gives whether a node was finished.
pub(super) fn expression(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        return too_deep(p);
    }
    let marker = p.here();
    let mut found = operators::binary(p, operators::LOOSEST);
    if p.at(K::Question) && found {
        conditional(p, marker);
        found = true;
    }
    p.leave();
    found
}

/// `'?' Expr ':' Expr`, after the condition that began at `marker`.
fn conditional(p: &mut Parser<'_>, marker: Marker) {
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
    starts_expression(p.kind()) && expression(p)
}

/// Whether an expression may begin with such a token.
pub(super) fn starts_expression(kind: K) -> bool {
    matches!(
        kind,
        K::Ident
            | K::Number
            | K::LParen
            | K::LBracket
            | K::LBrace
            | K::QuoteOpen
            | K::HeredocOpen
            | K::Minus
            | K::Bang
    )
}

/// A term without what may follow it. Gives whether a node was finished.
pub(super) fn term(p: &mut Parser<'_>) -> bool {
    match p.kind() {
        K::Ident => name_or_call(p),
        K::Number => p.leaf(K::Literal, p.token() + 1),
        K::QuoteOpen => match p.after_plain_template() {
            Some(end) => p.leaf(K::Template, end),
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

/// `Name`, a literal word, or a call.
fn name_or_call(p: &mut Parser<'_>) {
    let marker = p.start();
    let text = p.text();
    p.bump();
    let kind = match p.kind() {
        K::LParen => {
            collection::arguments(p, marker);
            K::Call
        }
        K::ColonColon => collection::namespaced(p, marker),
        _ if matches!(text, "true" | "false" | "null") => K::Literal,
        _ => K::Name,
    };
    p.finish(marker, kind);
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
    // What someone quoted the wrong way is a whole operand; anything else stands before one.
    let whole = matches!(kind, K::SingleQuote | K::Backtick)
        || (kind == K::BadCharacter && p.text().starts_with(['“', '”']));
    p.bump();
    while !whole && p.kind().is_bad() {
        p.bump();
    }
    if !whole && starts_expression(p.kind()) {
        operators::unary(p);
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
