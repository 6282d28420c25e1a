//! Operators, by precedence.
//!
//! The rules, with examples: `tests/spec/syntax/operator.md`.

use super::{expression, traversal};
use crate::kind::SyntaxKind as K;
use crate::parser::Parser;

/// The precedence of `||`.
pub(super) const LOOSEST: u8 = 1;

/// The precedence of an operator; `None` for a token that is not an operator between operands.
fn precedence(kind: K) -> Option<u8> {
    Some(match kind {
        K::OrOr | K::BitwiseOperator => LOOSEST,
        K::AndAnd => 2,
        K::EqualEqual | K::NotEqual => 3,
        K::Less | K::LessEqual | K::Greater | K::GreaterEqual => 4,
        K::Plus | K::Minus => 5,
        K::Star | K::Slash | K::Percent => 6,
        _ => return None,
    })
}

/// `Binary = Unary { operator Unary }` of operators that bind as strongly as `least` or more; all
/// lean to the left. A bitwise operator, which the lexer has reported, is read like the others.
pub(super) fn binary(p: &mut Parser<'_>, least: u8) -> bool {
    let marker = p.here();
    if !unary(p) {
        return false;
    }
    while let Some(strength) = precedence(p.kind())
        && strength >= least
    {
        let kind = if p.at(K::BitwiseOperator) { K::BogusExpr } else { K::Binary };
        p.bump();
        if !binary(p, strength + 1) {
            operand_below(p, strength + 1);
        }
        p.wrap(marker, kind);
    }
    p.end_wraps(marker);
    true
}

/// A right operand in the next line, where line endings mean something; that was reported.
fn operand_below(p: &mut Parser<'_>, least: u8) {
    let (token, kind) = p.peek_from(p.token(), false);
    let is_item =
        matches!(p.peek_from(token + 1, true).1, K::Equals | K::Colon | K::LBrace | K::QuoteOpen);
    if p.at(K::Newline) && kind.starts_expression() && !is_item {
        p.skip_newlines();
        binary(p, least);
    }
}

/// `Unary = ( '-' | '!' ) Unary | Postfix`
pub(super) fn unary(p: &mut Parser<'_>) -> bool {
    if !matches!(p.kind(), K::Minus | K::Bang) {
        return traversal::postfix(p);
    }
    if !p.enter() {
        return expression::too_deep(p);
    }
    let marker = p.start();
    p.bump();
    unary(p);
    p.finish(marker, K::Unary);
    p.leave();
    true
}
