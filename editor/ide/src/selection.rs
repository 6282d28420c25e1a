//! The ranges that an editor selects around a place.

use pcl::diagnostics::{FileId, TextRange};
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};

use crate::Analysis;

/// The ranges around a place that an editor selects one after the other: each is in the next one
/// and shorter.
#[must_use]
pub fn selections(analysis: &Analysis, file: FileId, offset: u32) -> Vec<TextRange> {
    let (Some(tree), Some(token)) = (analysis.tree(file), analysis.token_at(file, offset)) else {
        return Vec::new();
    };
    let mut ranges = Vec::new();
    let mut add = |range: TextRange| {
        let last: Option<&TextRange> = ranges.last();
        let is_around = last.is_none_or(|last| range.contains_range(*last) && range != *last);
        let touches = range.start() <= offset && offset <= range.end();
        if is_around && touches && !range.is_empty() {
            ranges.push(range);
        }
    };
    if token.kind() != SyntaxKind::Newline && token.kind() != SyntaxKind::Whitespace {
        add(token.range());
    }
    for node in token.parent().ancestors() {
        if let Some(content) = content(node) {
            add(content);
        }
        add(node.range());
    }
    let length = u32::try_from(tree.text().len()).unwrap_or(u32::MAX);
    add(TextRange::new(0, length));
    if ranges.is_empty() {
        ranges.push(TextRange::empty(offset));
    }
    ranges
}

/// The text between the first and the last token of a string or of something in brackets.
fn content(node: SyntaxNode<'_>) -> Option<TextRange> {
    use SyntaxKind as K;
    let first = node.first_token()?;
    let last = node.last_token()?;
    let is_between = |open: SyntaxToken<'_>, close: SyntaxToken<'_>| {
        matches!(
            (open.kind(), close.kind()),
            (K::QuoteOpen, K::QuoteClose)
                | (K::HeredocOpen, K::HeredocClose)
                | (K::LBrace, K::RBrace)
                | (K::LBracket, K::RBracket)
                | (K::LParen, K::RParen)
                | (K::InterpolationOpen, K::SequenceClose)
        )
    };
    if !is_between(first, last) {
        return None;
    }
    let range = TextRange::new(first.range().end(), last.range().start());
    let text = node.tree().text().get(range.to_usize())?;
    if matches!(first.kind(), K::QuoteOpen | K::HeredocOpen) {
        return Some(range);
    }
    let start = range.start() + (text.len() - text.trim_start().len()) as u32;
    let end = range.start() + text.trim_end().len() as u32;
    Some(TextRange::new(start, end))
}
