//! The parts of a file that its syntax errors make unreadable.
//!
//! A value with a syntax error may mean anything, so nothing else is reported about it: one mistake
//! has one diagnostic. The rule, with examples: `tests/spec/syntax/unreadable.md`.

use pcl_diagnostics::{Code, TextRange};

use crate::ast::{self, AstNode as _};
use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::tree::{SyntaxNode, SyntaxTree};

impl SyntaxTree {
    /// The values of attributes, items of objects and headers of blocks that syntax errors are in,
    /// and the items that a block swallows which is not closed: in the order of the text and
    /// without overlaps.
    pub fn unreadable(&self) -> Vec<TextRange> {
        let errors = self.errors().iter();
        let is_unclear = |code| !is_harmless(code) || code == Code::BodyAttrRedefined;
        let errors = errors.filter(|error| error.is_error() && is_unclear(error.code()));
        let mut ranges: Vec<TextRange> = errors.flat_map(|error| around(self, error)).collect();
        ranges.sort_by_key(|range| (range.start(), u32::MAX - range.end()));
        ranges.dedup_by(|inner, outer| inner.end() <= outer.end());
        ranges
    }
}

/// The errors of a tree without those that another one leads to: in a value with a syntax error,
/// only the first one is certain. A quote that is missing decides what the text around it is.
pub(crate) fn without_consequences(tree: &SyntaxTree) -> Vec<&SyntaxError> {
    let mut kept: Vec<&SyntaxError> = Vec::with_capacity(tree.errors().len());
    // The first error of the last value, as its position among those that are kept.
    let mut first: Option<(usize, TextRange)> = None;
    for error in tree.errors() {
        let is_near = |known: TextRange| {
            let is_in =
                known.start() <= error.range().start() && error.range().end() <= known.end();
            let line = |offset: u32| tree.line_index().line_of(offset);
            is_in && line(error.range().start()) == line(known.start())
        };
        if !error.is_error() || is_harmless(error.code()) {
            // Behind an error on its line, the notation of another language is a guess.
            if !(error.code().is_foreign() && first.is_some_and(|(_, known)| is_near(known))) {
                kept.push(error);
            }
            continue;
        }
        // A brace that is missing is missed whatever else is wrong.
        let is_own = matches!(error.code(), Code::BodyUnclosedBlock | Code::BlockMissingNewline);
        let range = around(tree, error).into_iter().next().filter(|_| !is_own);
        match (first, range) {
            (Some((at, known)), Some(range)) if known.contains_range(range) => {
                let first = kept.get_mut(at).filter(|first| is_cause(error.code(), first.code()));
                if let Some(first) = first {
                    *first = error;
                }
            }
            (_, range) => {
                first = range.map(|range| (kept.len(), range));
                kept.push(error);
            }
        }
    }
    kept
}

/// Returns true if an error behind the first one of a value is its cause: a quote that is missing,
/// or anything that keeps a bracket from being closed.
fn is_cause(code: Code, first: Code) -> bool {
    let is_unclosed = |code| {
        matches!(code, Code::CallUnterminated | Code::TupleUnterminated | Code::ObjUnterminated)
    };
    let is_quote = |code| code == Code::LexNewlineInQuoted;
    let is_of_text = |code| matches!(code, Code::InterpUnclosedEof | Code::InterpUnclosedQuote);
    is_quote(code) && !is_quote(first) && !is_of_text(first)
        || is_unclosed(first) && !is_unclosed(code)
}

/// Returns true if the text around an error of this kind can be read all the same.
fn is_harmless(code: Code) -> bool {
    matches!(
        code,
        Code::LexSemicolon
            | Code::LexSingleQuote
            | Code::LexBacktick
            | Code::LexCurlyQuote
            | Code::LexBitwiseOp
            | Code::EscShortU
            | Code::EscLongU
            | Code::EscNotEncodable
            | Code::EscUnknown
            | Code::NumInvalid
            | Code::AttrComma
            | Code::BodyAttrRedefined
            | Code::BodyItemIncomplete
            | Code::BodyQuotedArgName
            | Code::HeredocNoFinalNewline
    ) || code.is_foreign()
}

/// The entries that an error is in or between.
fn around(tree: &SyntaxTree, error: &SyntaxError) -> Vec<TextRange> {
    // A string without an end is where it begins.
    let opener = error.related().filter(|_| error.code() == Code::LexNewlineInQuoted);
    let range = opener.unwrap_or(error.range());
    let node = tree.token_at(range.start()).parent();
    if error.code() == Code::BodyUnclosedBlock {
        let block = node.ancestors().find_map(ast::Block::cast);
        return block.map(swallowed).unwrap_or_default();
    }
    let own = entry(node);
    // Which of the two values is meant to have the name is not known.
    if error.code() == Code::BodyAttrRedefined {
        let first = error.related().map(|name| tree.token_at(name.start()).parent());
        return first.and_then(entry).into_iter().chain(own).collect();
    }
    // What is left over behind a value belongs to it, and is read as the next item.
    let is_between = matches!(error.code(), Code::AttrMissingNewline | Code::ObjMissingSep);
    if !is_between {
        return own.into_iter().collect();
    }
    let before = tree.token_at(range.start()).previous();
    let mut before = std::iter::successors(before, |token| token.previous());
    let before = before.find(|token| !token.kind().is_trivia());
    let before = before.and_then(|token| entry(token.parent()));
    before.into_iter().chain(own).collect()
}

/// The value of the attribute, the item of an object, or the header of the broken block around a
/// node. The name of an attribute declares it all the same.
fn entry(node: SyntaxNode<'_>) -> Option<TextRange> {
    let around = node.ancestors().find_map(|node| match node.kind() {
        SyntaxKind::Attribute => {
            let name = node.first_token().map(|name| name.range().end());
            Some(name.map(|name| TextRange::new(name, node.range().end())))
        }
        SyntaxKind::ObjectItem => Some(Some(node.range())),
        SyntaxKind::Block => {
            let block = ast::Block::cast(node).filter(|_| node.has_error());
            Some(block.map(ast::Block::header_range))
        }
        SyntaxKind::Body => Some(None),
        _ => None,
    });
    around.flatten()
}

/// The items in a block without a closing brace that are meant to be behind it, as their
/// indentation shows, with the header that they may refer to.
fn swallowed(block: ast::Block<'_>) -> Vec<TextRange> {
    let tree = block.syntax().tree();
    let column = |node: SyntaxNode<'_>| {
        let start = node.range().start();
        let lines = tree.line_index();
        start - lines.line_start(lines.line_of(start)).unwrap_or(0)
    };
    let own = column(block.syntax());
    let mut items = block.body().into_iter().flat_map(ast::Body::items);
    let first = items.find(|item| column(item.syntax()) <= own);
    let first = first.map(|first| first.syntax().range().start());
    let end = block.syntax().range().end();
    first.map_or_else(Vec::new, |first| vec![block.header_range(), TextRange::new(first, end)])
}
