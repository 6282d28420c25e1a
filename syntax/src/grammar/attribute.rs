//! Attributes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use pcl_diagnostics::{Code, TextRange};

use super::body::{self, Layout};
use super::{collection, expression};
use crate::error::SyntaxError;
use crate::kind::SyntaxKind as K;
use crate::parser::{Marker, Parser};

/// `Attribute = Ident '=' Expr`. The names of its body are those from `names` on.
pub(super) fn attribute(p: &mut Parser<'_>, names: usize, block: Option<Layout>) {
    let marker = p.start();
    declare(p, names);
    p.bump();
    p.bump();
    value(p, marker);
    end(p, marker, block);
}

/// Notes the name at the current token; reports one that is set twice.
fn declare(p: &mut Parser<'_>, names: usize) {
    let name = p.text();
    let range = p.range_of(p.token());
    match p.first_of_name(names, name, range) {
        Some(first) => {
            // The value is read as any other.
            p.report(SyntaxError::new(Code::BodyAttrRedefined, range).related(first));
            p.forgive();
        }
        None => p.names.push((name, range)),
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
    let range = if closed {
        range.cover(p.range_of(p.behind() - 1))
    } else {
        range
    };
    if !blamed {
        p.report(SyntaxError::new(code, range));
    }
    if is_name {
        p.bump();
        value(p, marker);
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
    p.report(SyntaxError::new(Code::BodyItemIncomplete, name).related(sign));
    p.bump();
    value(p, marker);
    end(p, marker, block);
}

/// The value of the attribute that began at `attribute`.
fn value(p: &mut Parser<'_>, attribute: Marker) {
    if !expression::expression(p) {
        collection::displaced(p, attribute);
    }
}

/// What follows an attribute: the end of the line.
fn end(p: &mut Parser<'_>, marker: Marker, block: Option<Layout>) {
    match p.kind() {
        K::Newline | K::EndOfFile => {}
        K::RBrace | K::Comma | K::Semicolon | K::Ident if block == Some(Layout::Broken) => {}
        // In a heredoc without closing line the line ending is part of the text.
        _ if p.follows_open_heredoc() => {}
        kind => {
            let code = if kind == K::Comma {
                Code::AttrComma
            } else {
                Code::AttrMissingNewline
            };
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
    p.finish(marker, K::Attribute);
}

/// From this many names on a body looks them up in a set.
const MANY: usize = 24;

impl<'s> Parser<'s> {
    /// Forgets the names of a body that is over, those from `names` on.
    pub(super) fn forget_names(&mut self, names: usize) {
        self.names.truncate(names);
        while self
            .large_bodies
            .last()
            .is_some_and(|(base, _)| *base >= names)
        {
            self.large_bodies.pop();
        }
    }

    /// Where `name`, which now stands at `range`, was set before, if it is among the names from `names` on.
    fn first_of_name(
        &mut self,
        names: usize,
        name: &'s str,
        range: TextRange,
    ) -> Option<TextRange> {
        let body = &self.names[names..];
        if body.len() < MANY {
            let first = body.iter().find(|(known, _)| *known == name);
            return first.map(|&(_, range)| range);
        }
        self.first_of_name_in_large(names, name, range)
    }

    /// As `first_of_name`, for a body of many attributes.
    fn first_of_name_in_large(
        &mut self,
        names: usize,
        name: &'s str,
        range: TextRange,
    ) -> Option<TextRange> {
        let body = &self.names[names..];
        let large = &mut self.large_bodies;
        if large.last().is_none_or(|(base, _)| *base < names) {
            large.push((names, body.iter().copied().collect::<HashMap<_, _>>()));
        }
        let (_, known) = large.last_mut()?;
        match known.entry(name) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(free) => {
                free.insert(range);
                None
            }
        }
    }
}
