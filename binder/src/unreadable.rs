//! The parts of a file that its syntax errors make unreadable.
//!
//! A value with a syntax error may mean anything, so nothing else is reported about it: one mistake
//! has one diagnostic. The rule, with examples: `tests/spec/syntax/unreadable.md`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::ast::{self, AstNode as _};
use pcl_syntax::{SyntaxError, SyntaxKind, SyntaxNode, SyntaxTree};

/// The values of attributes, items of objects and headers of blocks that syntax errors are in, in
/// the order of the text and without overlaps.
pub(crate) fn unreadable_ranges(tree: &SyntaxTree) -> Vec<TextRange> {
    let errors = tree.errors().iter();
    let errors = errors.filter(|error| error.is_error() && !is_harmless(error.code()));
    let mut ranges: Vec<TextRange> = errors.flat_map(|error| around(tree, error)).collect();
    ranges.sort_by_key(|range| (range.start(), u32::MAX - range.end()));
    ranges.dedup_by(|inner, outer| inner.end() <= outer.end());
    ranges
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
            | Code::EscUnknown
            | Code::NumInvalid
            | Code::AttrComma
            | Code::BodyAttrRedefined
            | Code::HeredocNoFinalNewline
    ) || (Code::ForeignStatement..=Code::UnquotedString).contains(&code)
}

/// The entries that an error is in or between.
fn around(tree: &SyntaxTree, error: &SyntaxError) -> Vec<TextRange> {
    let range = error.range();
    let own = entry(tree.covering(range));
    // What is left over behind a value belongs to it, and is read as the next item.
    let is_between = matches!(error.code(), Code::AttrMissingNewline | Code::ObjMissingSep);
    let mut before =
        std::iter::successors(tree.token_at(range.start()).previous(), |token| token.previous());
    let before = before.find(|token| !token.kind().is_trivia()).filter(|_| is_between);
    let before = before.and_then(|token| entry(token.parent()));
    own.into_iter().chain(before).collect()
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
