//! `for` expressions.
//!
//! The rules, with examples: `tests/spec/syntax/for_expr.md`.

use pcl_diagnostics::Code;

use super::expression::expression;
use crate::kind::SyntaxKind as K;
use crate::parser::Parser;

/// Returns whether the bracket at the current token opens a `for`.
pub(super) fn begins(p: &Parser<'_>) -> bool {
    let (token, kind) = p.peek_from(p.token() + 1, false);
    kind == K::Ident && p.bytes_of(token) == b"for"
}

/// `'[' 'for' Ident [ ',' Ident ] 'in' Expr ':' Expr [ '=>' Expr ] [ '...' ] [ 'if' Expr ] ']'`, or
/// in braces. What only one of the two may have is reported and kept.
pub(super) fn for_expr(p: &mut Parser<'_>, kind: K) {
    let marker = p.start();
    let opened = p.open(false);
    let closer = if kind == K::ForTuple { K::RBracket } else { K::RBrace };
    p.bump();
    let found = clauses(p, kind, opened.token);
    if !p.at(closer) {
        if p.at_end() {
            p.unclosed(Code::ForTrailing, opened.token);
        } else {
            if found {
                p.unexpected(Code::ForTrailing, Some(p.range_of(opened.token)));
            }
            p.skip_to(|kind| kind == closer);
        }
    }
    p.close(opened, closer);
    p.finish(marker, kind);
}

/// Everything between `for` and the closer of the token `open`; gives whether all of it was there.
fn clauses(p: &mut Parser<'_>, kind: K, open: u32) -> bool {
    let head = Head {
        variable: Code::ForMissingVar,
        second: Code::ForMissingValueVar,
        keyword: Code::ForMissingIn,
    };
    if !for_head(p, &head, open) {
        return false;
    }
    if !p.eat(K::Colon) {
        p.unexpected(Code::ForMissingColon, Some(p.range_of(open)));
        return false;
    }
    let value = p.token();
    expression(p);
    if p.at(K::FatArrow) {
        let value = p.range_since(value);
        p.bump();
        if kind == K::ForTuple {
            p.report_at(Code::ForTupleKey, value);
        }
        expression(p);
    } else if kind == K::ForObject && !p.is_blamed() && p.ends_for() {
        let value = p.range_since(value);
        p.report_at(Code::ForObjectNoKey, value);
        p.forgive();
    }
    if p.at(K::Ellipsis) {
        let dots = p.range_of(p.token());
        p.bump();
        if kind == K::ForTuple {
            p.report_at(Code::ForTupleGroup, dots);
        }
    }
    if p.at_word("if") {
        p.bump();
        expression(p);
    }
    true
}

/// The reports of the head of a `for`.
pub(super) struct Head {
    pub(super) variable: Code,
    pub(super) second: Code,
    pub(super) keyword: Code,
}

/// `Ident [ ',' Ident ] 'in' Expr` in what the token `open` opened; gives whether all of it was
/// there.
pub(super) fn for_head(p: &mut Parser<'_>, head: &Head, open: u32) -> bool {
    let missing = if !p.eat(K::Ident) {
        head.variable
    } else if p.eat(K::Comma) && !p.eat(K::Ident) {
        head.second
    } else if !p.at_word("in") {
        head.keyword
    } else {
        p.bump();
        expression(p);
        return true;
    };
    p.unexpected(missing, Some(p.range_of(open)));
    false
}
