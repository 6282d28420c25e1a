//! Parentheses, calls, tuples and objects.
//!
//! The rules, with examples: `tests/spec/syntax/collection.md`.

use pcl_diagnostics::Code;

use super::expression::expression;
use crate::kind::SyntaxKind as K;
use crate::parser::{Marker, Opened, Parser};

/// `Paren = '(' Expr ')'`
pub(super) fn paren(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(false);
    if !p.at_end() {
        expression(p);
    }
    if p.at_end() {
        p.unclosed(Code::ParenUnbalanced, opened.token);
    } else if !p.at(K::RParen) {
        let open = p.range_of(opened.token);
        p.unexpected(Code::ParenUnbalanced, Some(open));
        p.skip_to(|kind| kind == K::RParen);
    }
    p.close(opened, K::RParen);
    p.finish(marker, K::Paren);
}

/// The reports of a list of expressions in brackets.
struct List {
    closer: K,
    missing_comma: Code,
    unterminated: Code,
    /// Tells whether its opener is there; if not, its closer seems to close nothing.
    opened: bool,
}

impl List {
    /// Returns whether its closer is here.
    fn at_closer(&self, p: &Parser<'_>) -> bool {
        p.at(self.closer) && !(self.opened && p.at_stray_closer())
    }
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
            opened: true,
        },
    );
    p.finish(marker, K::Tuple);
}

/// `Call = Ident { '::' Ident } Arguments`, whose first name, the token `name`, was taken.
#[inline(never)]
pub(super) fn call(p: &mut Parser<'_>, name: u32) {
    let marker = p.start_at(name);
    while p.eat(K::ColonColon) {
        if !p.eat(K::Ident) {
            p.unexpected(Code::FnMissingName, Some(p.range_of(name)));
            break;
        }
    }
    if p.at(K::LParen) {
        arguments(p, marker);
        return p.finish(marker, K::Call);
    }
    p.unexpected(Code::FnMissingParen, Some(p.range_of(name)));
    p.finish(marker, K::BogusExpr);
}

/// `'(' [ Expr { ',' Expr } [ ',' | '...' ] ] ')'`, of the call that began at `name`.
fn arguments(p: &mut Parser<'_>, name: Marker) {
    list(
        p,
        name,
        &List {
            closer: K::RParen,
            missing_comma: Code::CallMissingComma,
            unterminated: Code::CallUnterminated,
            opened: true,
        },
    );
}

fn list(p: &mut Parser<'_>, from: Marker, list: &List) {
    let opened = p.open(false);
    members(p, list, from.token(), opened.token);
    if p.at(list.closer) {
        // As it should be.
    } else if p.at_end() {
        p.unclosed(list.unterminated, opened.token);
    } else {
        let from = p.range_of_both(from.token(), opened.token);
        p.unexpected(list.missing_comma, Some(from));
    }
    close(p, opened, list.closer);
}

/// Takes the closer of a list; one of the wrong kind, which was reported, counts too.
fn close(p: &mut Parser<'_>, opened: Opened, closer: K) {
    let closer = if p.at_wrong_closer() { p.kind() } else { closer };
    p.close(opened, closer);
}

/// The members of a list, up to its closer or where it ends without one. The tokens `first..=last`
/// are what the list belongs to.
fn members(p: &mut Parser<'_>, list: &List, first: u32, last: u32) {
    let is_call = list.closer == K::RParen;
    // One missing comma is likely to be followed by others.
    let mut reported = false;
    loop {
        let before = p.behind();
        if list.at_closer(p) || ends_list(p) {
            return;
        }
        if !expression(p) && !matches!(p.kind(), K::Comma | K::Semicolon | K::Ellipsis) {
            p.skip_to(|kind| matches!(kind, K::Comma | K::Semicolon) || kind == list.closer);
        }
        match p.kind() {
            K::Comma | K::Semicolon => p.bump(),
            _ if list.at_closer(p) => return,
            K::Ellipsis if is_call => expansion(p, list.closer),
            _ if ends_list(p) => return,
            kind => {
                if !reported {
                    let from = p.range_of_both(first, last);
                    p.unexpected(list.missing_comma, Some(from));
                }
                reported = true;
                separator(p, kind, list.closer);
            }
        }
        if p.behind() == before {
            return;
        }
    }
}

/// Returns whether a list ends at the current token, which is not its closer.
fn ends_list(p: &Parser<'_>) -> bool {
    match p.kind() {
        _ if p.at_end() => true,
        K::RParen | K::RBracket | K::RBrace | K::SequenceClose => {
            !p.at_stray_closer() && (p.at_wrong_closer() || p.is_awaited(p.kind()))
        }
        _ => false,
    }
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

/// Handles something other than a comma between two members; takes tokens that cannot begin the
/// next one.
fn separator(p: &mut Parser<'_>, kind: K, closer: K) {
    match kind {
        // `f(a = 1)`
        K::Equals | K::Colon | K::FatArrow => p.bump(),
        kind if kind.starts_expression() => {}
        K::RParen | K::RBracket | K::RBrace | K::SequenceClose => p.bump(),
        _ => {
            p.skip_to(|kind| matches!(kind, K::Comma | K::Semicolon) || kind == closer);
        }
    }
}

/// ```text
/// Object = '{' { Newline }
///          [ ObjectItem { ( ',' | Newline ) { Newline } ObjectItem } [ ',' ] { Newline } ]
///          '}'
/// ```
pub(super) fn object(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(true);
    object_items(p, opened.token, true);
    if p.at(K::RBrace) {
        // As it should be.
    } else if p.at_end() {
        p.unclosed(Code::ObjUnterminated, opened.token);
    } else {
        let open = p.range_of(opened.token);
        p.unexpected(Code::ObjMissingSep, Some(open));
    }
    close(p, opened, K::RBrace);
    p.finish(marker, K::Object);
}

/// The items of an object, up to its brace or where it ends without one. If an object has lost its
/// opening brace, the closing one seems to close nothing; the token `open` then takes the place of
/// the opening brace.
fn object_items(p: &mut Parser<'_>, open: u32, opened: bool) {
    loop {
        p.skip_newlines();
        if p.at(K::RBrace) && !(opened && p.at_stray_closer()) {
            return;
        }
        match p.kind() {
            K::Comma => {
                p.unexpected(Code::ExprInvalid, Some(p.range_of(open)));
                p.bump();
                continue;
            }
            _ if ends_list(p) => return,
            _ => {}
        }
        let before = p.behind();
        object_item(p, open);
        match p.kind() {
            K::Comma | K::Semicolon => p.bump(),
            K::Newline | K::EndOfFile => {}
            K::RBrace if !(opened && p.at_stray_closer()) => {}
            _ if ends_list(p) => return,
            _ => {
                p.unexpected(Code::ObjMissingSep, Some(p.range_of(open)));
                if !at_item(p) {
                    p.skip_to(|kind| {
                        matches!(kind, K::Comma | K::Semicolon | K::Newline | K::RBrace)
                    });
                }
                if p.behind() == before {
                    // A closer that nothing waits for.
                    p.bump();
                }
            }
        }
        if p.behind() == before {
            return;
        }
    }
}

/// Returns whether an item of an object begins at the current token: a name or a string before `=`
/// or `:`.
fn at_item(p: &Parser<'_>) -> bool {
    let after = match p.kind() {
        K::Ident => p.token() + 1,
        K::QuoteOpen => match p.after_text(p.token() + 1, K::QuoteClose) {
            Some(after) => after,
            None => return false,
        },
        _ => return false,
    };
    matches!(p.peek_from(after, true).1, K::Equals | K::Colon)
}

/// `ObjectItem = Expr ( '=' | ':' ) Expr`, in the object that the token `open` opened.
fn object_item(p: &mut Parser<'_>, open: u32) {
    let marker = p.start();
    let from = p.behind();
    let found = expression(p);
    match p.kind() {
        K::Equals | K::Colon => {
            p.bump();
            value(p, marker);
        }
        kind => without_sign(p, marker, open, kind, found),
    }
    if p.behind() > from {
        p.finish(marker, K::ObjectItem);
    } else {
        p.abandon(marker);
    }
}

/// The rest of an item whose key is followed by neither `=` nor `:`. `found` says whether there is
/// a key.
fn without_sign(p: &mut Parser<'_>, item: Marker, open: u32, kind: K, found: bool) {
    let open = p.range_of(open);
    match kind {
        K::Newline if matches!(p.peek_from(p.token(), false).1, K::Equals | K::Colon) => {
            // The sign is on the next line.
            p.unexpected(Code::ObjMissingValue, Some(open));
            p.skip_newlines();
            p.bump();
            value(p, item);
        }
        K::Newline | K::Comma => p.unexpected(Code::ObjMissingValue, Some(open)),
        K::EndOfFile => p.damage(),
        kind => {
            let code = match kind {
                K::Ident => Code::ObjMissingEqIdent,
                _ => Code::ObjMissingEq,
            };
            p.unexpected(code, Some(open));
            if kind == K::FatArrow {
                p.bump();
            }
            // Either the sign is missing, or the value and what separates it from the next item.
            if found && p.kind().starts_expression() && !at_item(p) {
                expression(p);
            }
        }
    }
}

/// The value of an item that began at `item`.
fn value(p: &mut Parser<'_>, item: Marker) {
    if !expression(p) || p.follows_foreign() {
        displaced(p, item);
    }
}

/// A value that does not stand where it should, which was reported: it follows in the next line, or
/// has lost the bracket it began with. `owner` is what it belongs to.
pub(super) fn displaced(p: &mut Parser<'_>, owner: Marker) {
    if !p.at(K::Newline) {
        return;
    }
    let (token, kind) = p.peek_from(p.token(), false);
    if !kind.starts_expression() || !p.is_indented_more(token, owner.token()) {
        return;
    }
    p.skip_newlines();
    // The damage belongs to what is found here.
    let marker = p.here();
    p.damage();
    if at_item(p) {
        object_items(p, p.token(), false);
        p.eat(K::RBrace);
        p.wrap(marker, K::Object);
        return p.end_wraps(marker);
    }
    let before = p.behind();
    if !expression(p) || !p.at(K::Comma) {
        return;
    }
    // More values than one: a list.
    p.set_newlines(false);
    let rest = List {
        closer: K::RBracket,
        missing_comma: Code::TupleMissingComma,
        unterminated: Code::TupleUnterminated,
        opened: false,
    };
    p.bump();
    members(p, &rest, before, before);
    p.set_newlines(true);
    p.eat(K::RBracket);
    p.wrap(marker, K::Tuple);
    p.end_wraps(marker);
}
