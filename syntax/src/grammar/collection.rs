//! Parentheses, calls, tuples and objects.

use pcl_diagnostics::Code;

use super::expression::{expression, starts_expression};
use crate::kind::SyntaxKind as K;
use crate::parser::{Marker, Parser};

/// `Paren = '(' Expr ')'`
pub(super) fn paren(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(false);
    if !p.at(K::EndOfFile) {
        expression(p);
    }
    if p.at(K::EndOfFile) {
        p.unclosed(Code::ParenUnbalanced, opened.token);
    } else if !p.at(K::RParen) {
        let open = p.range_of(opened.token);
        p.unexpected(Code::ParenUnbalanced, Some(open));
        p.skip_to(|kind| kind == K::RParen);
    }
    p.close(opened, K::RParen);
    p.finish(marker, K::Paren);
}

/// What a list of expressions in brackets reports.
struct List {
    closer: K,
    missing_comma: Code,
    unterminated: Code,
}

/// `Tuple = '[' [ Expr { ',' Expr } [ ',' ] ] ']'`
pub(super) fn tuple(p: &mut Parser<'_>) {
    let marker = p.start();
    list(
        p,
        marker,
        &List {
            closer: K::RBracket,
            missing_comma: Code::TupleMissingComma,
            unterminated: Code::TupleUnterminated,
        },
    );
    p.finish(marker, K::Tuple);
}

/// `'(' [ Expr { ',' Expr } [ ',' | '...' ] ] ')'`, of the call that began at `name`.
pub(super) fn arguments(p: &mut Parser<'_>, name: Marker) {
    list(
        p,
        name,
        &List {
            closer: K::RParen,
            missing_comma: Code::CallMissingComma,
            unterminated: Code::CallUnterminated,
        },
    );
}

fn list(p: &mut Parser<'_>, from: Marker, list: &List) {
    let is_call = list.closer == K::RParen;
    let opened = p.open(false);
    let from = p.range_of(from.token()).cover(p.range_of(opened.token));
    // One missing comma is likely to be followed by others.
    let mut reported = false;
    loop {
        let before = p.behind();
        match p.kind() {
            K::EndOfFile => break,
            kind if kind == list.closer => break,
            K::QuoteClose | K::HeredocClose => break,
            kind if is_closer(kind) && p.is_awaited(kind) => break,
            _ => {}
        }
        if !expression(p) && !matches!(p.kind(), K::Comma | K::Semicolon | K::Ellipsis) {
            p.skip_to(|kind| matches!(kind, K::Comma | K::Semicolon) || kind == list.closer);
        }
        match p.kind() {
            K::Comma | K::Semicolon => p.bump(),
            K::EndOfFile => break,
            kind if kind == list.closer => break,
            K::Ellipsis if is_call => expansion(p, list.closer),
            kind => {
                if !reported {
                    p.unexpected(list.missing_comma, Some(from));
                }
                reported = true;
                separator(p, kind, list.closer);
            }
        }
        if p.behind() == before {
            break;
        }
    }
    if p.at(K::EndOfFile) {
        p.unclosed(list.unterminated, opened.token);
    } else if !p.at(list.closer) {
        p.unexpected(list.missing_comma, Some(from));
    }
    p.close(opened, list.closer);
}

/// `...` in a call: nothing may follow it.
fn expansion(p: &mut Parser<'_>, closer: K) {
    let dots = p.token();
    p.bump();
    if !p.at(closer) && !p.at(K::EndOfFile) {
        let range = p.range_of(dots);
        p.report_at(Code::CallExpandNotLast, range);
        p.eat(K::Comma);
    }
}

/// Something else than a comma stands between two members; takes what cannot begin the next one.
fn separator(p: &mut Parser<'_>, kind: K, closer: K) {
    match kind {
        // `f(a = 1)`
        K::Equals | K::Colon | K::FatArrow => p.bump(),
        kind if starts_expression(kind) => {}
        // The wrong bracket closes as well as the right one.
        K::RParen | K::RBracket | K::RBrace if !p.is_awaited(kind) => p.bump(),
        kind if is_closer(kind) => {}
        _ => {
            p.skip_to(|kind| matches!(kind, K::Comma | K::Semicolon) || kind == closer);
        }
    }
}

fn is_closer(kind: K) -> bool {
    matches!(
        kind,
        K::RParen | K::RBracket | K::RBrace | K::SequenceClose | K::QuoteClose | K::HeredocClose
    )
}

/// `Ident { '::' Ident } '(' .. ')'`, whose first name was taken; gives the kind of the node.
pub(super) fn namespaced(p: &mut Parser<'_>, marker: Marker) -> K {
    let from = p.range_of(marker.token());
    while p.eat(K::ColonColon) {
        if !p.eat(K::Ident) {
            p.unexpected(Code::FnMissingName, Some(from));
            break;
        }
    }
    if p.at(K::LParen) {
        arguments(p, marker);
        return K::Call;
    }
    p.unexpected(Code::FnMissingParen, Some(from));
    K::BogusExpr
}

/// `Object = '{' { Newline } [ ObjectItem { ( ',' | Newline ) { Newline } ObjectItem } [ ',' ] { Newline } ] '}'`
pub(super) fn object(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(true);
    let open = p.range_of(opened.token);
    loop {
        match p.kind() {
            K::Newline => {
                p.bump();
                continue;
            }
            K::EndOfFile | K::RBrace | K::QuoteClose | K::HeredocClose => break,
            kind if is_closer(kind) && p.is_awaited(kind) => break,
            K::Comma => {
                p.unexpected(Code::ExprInvalid, Some(open));
                p.bump();
                continue;
            }
            _ => {}
        }
        let before = p.behind();
        object_item(p);
        match p.kind() {
            K::Comma | K::Semicolon => p.bump(),
            K::Newline | K::RBrace | K::EndOfFile => {}
            kind => {
                p.unexpected(Code::ObjMissingSep, Some(open));
                separator_in_object(p, kind);
            }
        }
        if p.behind() == before {
            break;
        }
    }
    if p.at(K::EndOfFile) {
        p.unclosed(Code::ObjUnterminated, opened.token);
    } else if !p.at(K::RBrace) {
        p.unexpected(Code::ObjMissingSep, Some(open));
    }
    p.close(opened, K::RBrace);
    p.finish(marker, K::Object);
}

fn separator_in_object(p: &mut Parser<'_>, kind: K) {
    match kind {
        kind if starts_expression(kind) => {}
        K::RParen | K::RBracket if !p.is_awaited(kind) => p.bump(),
        kind if is_closer(kind) && p.is_awaited(kind) => {}
        _ => {
            p.skip_to(|kind| matches!(kind, K::Comma | K::Semicolon | K::Newline | K::RBrace));
        }
    }
}

/// `ObjectItem = Expr ( '=' | ':' ) Expr`
fn object_item(p: &mut Parser<'_>) {
    let marker = p.start();
    let key = p.token();
    let found = expression(p);
    let open = p.range_of(key);
    match p.kind() {
        K::Equals | K::Colon => {
            p.bump();
            expression(p);
        }
        K::Newline | K::Comma => p.unexpected(Code::ObjMissingValue, Some(open)),
        K::EndOfFile => p.damage(),
        K::Ident => {
            p.unexpected(Code::ObjMissingEqIdent, Some(open));
            // Either the sign is missing, or the value and a comma.
            if !matches!(p.peek(true), K::Equals | K::Colon) && found {
                expression(p);
            }
        }
        kind => {
            p.unexpected(Code::ObjMissingEq, Some(open));
            if kind == K::FatArrow {
                p.bump();
            }
            if starts_expression(p.kind()) && found {
                expression(p);
            }
        }
    }
    if p.behind() > key {
        p.finish(marker, K::ObjectItem);
    }
}
