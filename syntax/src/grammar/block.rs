//! Blocks: the header and the body.
//!
//! The rules, with examples: `tests/spec/syntax/block.md`.

use pcl_diagnostics::Code;

use super::attribute;
use super::body::{self, Layout};
use crate::error::SyntaxError;
use crate::kind::SyntaxKind as K;
use crate::parser::{BodyNames, Opened, Parser};

/// `Block = Ident { Label } Body`, in a body that is a block's or a file's.
pub(super) fn block(p: &mut Parser<'_>, outer: Option<Layout>) {
    let marker = p.start();
    let keyword = p.token();
    p.bump();
    header(p, keyword);
    if p.at(K::LBrace) {
        if p.enter() {
            block_body(p, keyword);
            p.leave();
        } else {
            p.skip_line();
        }
        end(p, keyword, outer);
    } else if p.at(K::Newline) && is_body_below(p, p.token(), keyword) {
        headless_body(p);
    } else if !body::at_item(p) {
        body::rest_of_line(p);
    }
    p.finish(marker, K::Block);
}

/// Returns whether the lines after a header without a brace, which ends before `end`, are indented
/// like a body, or are the end of one.
pub(super) fn is_body_below(p: &Parser<'_>, end: u32, keyword: u32) -> bool {
    let (token, kind) = p.peek_from(end, false);
    match kind {
        K::Ident => p.is_indented_more(token, keyword),
        K::RBrace => p.is_stray_closer(token),
        _ => false,
    }
}

/// A body whose opening brace is missing, which was reported.
fn headless_body(p: &mut Parser<'_>) {
    let marker = p.start();
    p.damage();
    if p.enter() {
        body::items(p, Some(Layout::Headless));
        p.leave();
    }
    p.eat(K::RBrace);
    p.finish(marker, K::Body);
}

/// `{ Label }`; stops before the brace, or where there is none.
fn header(p: &mut Parser<'_>, keyword: u32) {
    loop {
        match p.kind() {
            K::Ident => p.leaf(K::Label, p.token()),
            K::QuoteOpen => match p.end_of_plain_template() {
                Some(close) => p.leaf(K::Label, close),
                None => quoted_label(p),
            },
            K::LBrace if p.next_kind() == K::Newline => return,
            K::LBrace | K::LBracket | K::LParen if is_before_labels(p, p.token()) => {
                p.unexpected(Code::BlockHeader, Some(p.range_of(keyword)));
                p.bump();
            }
            K::LBrace => return,
            K::Equals => {
                p.unexpected(Code::BlockEquals, Some(p.range_of(keyword)));
                p.bump();
                if !p.at(K::LBrace) {
                    return;
                }
            }
            K::Newline => {
                p.unexpected(Code::BlockNewline, Some(p.range_of(keyword)));
                // The brace may be alone on the next line.
                if p.peek(false) == K::LBrace {
                    p.skip_newlines();
                }
                return;
            }
            _ => {
                // A quote too many shows at the end of the line, unless its partner is of another
                // kind, which was reported.
                let quote = p.open_quote_in_line().filter(|_| !is_lone_foreign_quote(p.text()));
                if quote.is_none() {
                    p.unexpected(Code::BlockHeader, Some(p.range_of(keyword)));
                }
                // Brackets that do not belong here need not match.
                while !matches!(p.kind(), K::LBrace | K::Newline | K::EndOfFile) {
                    p.bump();
                }
                if let Some(quote) = quote {
                    p.unexpected(Code::LexNewlineInQuoted, Some(p.range_of(quote)));
                }
                return;
            }
        }
    }
}

fn is_lone_foreign_quote(text: &str) -> bool {
    matches!(text, "'" | "`" | "“" | "”" | "‘" | "’")
}

/// Returns whether the bracket at `token` or after it has slipped in before the labels of a header:
/// a label and a brace, or another label, follow it.
pub(super) fn is_before_labels(p: &Parser<'_>, token: u32) -> bool {
    let (bracket, _) = p.peek_from(token, true);
    let (token, kind) = p.peek_from(bracket + 1, true);
    let after = match kind {
        K::QuoteOpen => p.after_text(token + 1, K::QuoteClose),
        _ => None,
    };
    after.is_some_and(|after| matches!(p.peek_from(after, true).1, K::LBrace | K::QuoteOpen))
}

/// `Label = '"' { Text } '"'`
fn quoted_label(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(true);
    let opener = p.range_of(opened.token);
    loop {
        match p.kind() {
            K::Text => p.bump(),
            K::BadCharacter => p.bump(),
            K::InterpolationOpen | K::ControlOpen => {
                p.unexpected(Code::LabelTemplate, Some(opener));
                let sequence = p.open(false);
                p.skip_to(|_| false);
                p.close(sequence, K::SequenceClose);
            }
            _ => break,
        }
    }
    if !p.at(K::QuoteClose) {
        let code = match p.kind() {
            K::EndOfFile => Code::LabelUnterminated,
            // The label ended with its line, or before the brace at its end.
            _ => Code::LexNewlineInQuoted,
        };
        p.unexpected(code, Some(opener));
    }
    p.close(opened, K::QuoteClose);
    p.finish(marker, K::Label);
}

/// `Body = '{' { Attribute | Block } '}'`
fn block_body(p: &mut Parser<'_>, keyword: u32) {
    let marker = p.start();
    let opened = p.open(true);
    match p.kind() {
        K::Newline | K::EndOfFile | K::RBrace => body::items(p, Some(Layout::Lines)),
        _ => one_line(p, opened, keyword),
    }
    if !p.at(K::RBrace) {
        p.unclosed(Code::BodyUnclosedBlock, opened.token);
    }
    p.close(opened, K::RBrace);
    p.finish(marker, K::Body);
}

/// `Ident '=' Expr` on the line of the opening brace, with the closing one behind it.
fn one_line(p: &mut Parser<'_>, opened: Opened, keyword: u32) {
    let mut names = BodyNames::default();
    if !is_one_line(p, &mut names, opened, keyword) {
        body::more_items(p, &mut names, Some(Layout::Broken));
    }
}

/// The one attribute; gives whether nothing but it was there.
fn is_one_line<'s>(
    p: &mut Parser<'s>,
    names: &mut BodyNames<'s>,
    opened: Opened,
    keyword: u32,
) -> bool {
    let (next, kind) = p.peek_from(p.token() + 1, true);
    match (p.kind(), kind) {
        (K::Ident, K::Equals) => attribute::attribute(p, names, next, Some(Layout::Broken)),
        (K::Ident, K::QuoteOpen | K::LBrace | K::Ident) => {
            let range = p.range_of(p.token()).cover(p.range_of(next));
            p.report(SyntaxError::new(Code::BodyOnelineNested, range));
            return false;
        }
        (K::Ident, _) => return false,
        _ => {
            p.unexpected(Code::BodyItemRequired, None);
            return false;
        }
    }
    let from = p.range_of(keyword).cover(p.range_of(opened.token));
    match p.kind() {
        K::RBrace | K::EndOfFile => return true,
        K::Comma => p.unexpected(Code::BlockOnelineComma, Some(from)),
        K::Newline => p.unexpected(Code::BlockOnelineNewline, Some(from)),
        _ => p.unexpected(Code::BlockOnelineExtra, Some(from)),
    }
    false
}

/// The end of a block: that of its line.
fn end(p: &mut Parser<'_>, keyword: u32, outer: Option<Layout>) {
    if matches!(p.kind(), K::Newline | K::EndOfFile) || outer == Some(Layout::Broken) {
        return;
    }
    let closes_outer = p.at(K::RBrace);
    // Outside of any block a brace is one too many: it does not matter where this one begins.
    let is_stray = closes_outer && outer.is_none();
    let from = (!is_stray).then(|| p.range_of(keyword));
    p.unexpected(Code::BlockMissingNewline, from);
    if !closes_outer && !p.at(K::Ident) {
        body::rest_of_line(p);
    }
}
