//! Attributes.
//!
//! The rules, with examples: `tests/spec/syntax/attribute.md`.

use pcl_diagnostics::Code;

use super::body::{self, Layout};
use super::{collection, expression};
use crate::error::SyntaxError;
use crate::kind::SyntaxKind as K;
use crate::parser::{BodyNames, Marker, Parser};

/// `Attribute = Ident '=' Expr`, in a body that has set `names` so far. The sign is the token
/// `equals`.
pub(super) fn attribute<'s>(
    p: &mut Parser<'s>,
    names: &mut BodyNames<'s>,
    equals: u32,
    block: Option<Layout>,
) {
    let marker = p.start();
    declare(p, names);
    p.take_to(equals);
    value(p, marker);
    end(p, marker, block);
}

/// Notes the name at the current token; reports one that is set twice.
fn declare<'s>(p: &mut Parser<'s>, names: &mut BodyNames<'s>) {
    let name = p.token();
    if let Some(first) = p.set_name(names, name) {
        let (range, first) = (p.range_of(name), p.range_of(first));
        p.report(SyntaxError::new(Code::BodyAttrRedefined, range).with_related(first));
        // The value is read as any other.
        p.forgive();
    }
}

/// `"name" = Expr`: a name must not be quoted.
pub(super) fn quoted(p: &mut Parser<'_>, block: Option<Layout>) {
    let marker = p.start();
    let code = if block == Some(Layout::Broken) {
        Code::BodyItemRequired
    } else {
        Code::BodyQuotedArgName
    };
    let opener = p.token();
    let blamed = p.is_blamed();
    let opened = p.open(true);
    while matches!(p.kind(), K::Text | K::BadCharacter) {
        p.bump();
    }
    let closed = p.close(opened, K::QuoteClose);
    let is_name = closed && matches!(p.kind(), K::Equals | K::Colon);
    let range = p.range_of(opener);
    let range = if closed { range.cover(p.range_of(p.behind() - 1)) } else { range };
    // A quote too many shows at the end of the line.
    let open = match closed {
        true if is_name => None,
        true => p.open_quote_in_line(),
        false => Some(opener),
    };
    if let Some(open) = open {
        body::rest_of_line(p);
        p.unexpected(Code::LexNewlineInQuoted, Some(p.range_of(open)));
        return p.finish(marker, K::BogusItem);
    }
    if blamed {
        p.damage();
    } else {
        p.report(SyntaxError::new(code, range));
    }
    if is_name {
        p.bump();
        value(p, marker);
        // The comma of JSON belongs to the same habit.
        if p.at(K::Comma) && p.peek(true) == K::Newline {
            p.damage();
            p.bump();
        }
        return end(p, marker, block);
    }
    body::rest_of_line(p);
    p.finish(marker, K::BogusItem);
}

/// `name : Expr` or `name == Expr`
pub(super) fn wrong_sign(p: &mut Parser<'_>, block: Option<Layout>) {
    let marker = p.start();
    let name = p.range_of(p.token());
    p.bump();
    let sign = p.range_of(p.token());
    p.report(SyntaxError::new(Code::BodyItemIncomplete, name).with_related(sign));
    p.bump();
    value(p, marker);
    end(p, marker, block);
}

/// The value of the attribute that began at `attribute`.
fn value(p: &mut Parser<'_>, attribute: Marker) {
    if !expression::expression(p) || p.follows_foreign() {
        collection::displaced(p, attribute);
    }
}

/// The end of an attribute: that of its line.
#[inline(always)]
fn end(p: &mut Parser<'_>, marker: Marker, block: Option<Layout>) {
    if !matches!(p.kind(), K::Newline | K::EndOfFile) {
        other_end(p, marker, block);
    }
    p.finish(marker, K::Attribute);
}

/// The end of an attribute that is not that of its line.
fn other_end(p: &mut Parser<'_>, marker: Marker, block: Option<Layout>) {
    match p.kind() {
        K::RBrace | K::Comma | K::Semicolon | K::Ident if block == Some(Layout::Broken) => {}
        // In a heredoc without closing line the line ending is part of the text.
        _ if p.follows_open_heredoc() => {}
        kind => {
            let code = if kind == K::Comma { Code::AttrComma } else { Code::AttrMissingNewline };
            let name = p.range_of(marker.token());
            p.unexpected(code, Some(name));
            if matches!(kind, K::Comma | K::Semicolon) {
                p.bump();
            }
            let closes_block = p.at(K::RBrace) && block.is_some();
            if !body::at_item(p) && !closes_block {
                body::rest_of_line(p);
            }
        }
    }
}
