//! The productions of the grammar, as the parts of a node that holds no error.

use super::{Element, SyntaxNode};
use crate::kind::SyntaxKind as K;

/// Stands for an expression of any kind among the parts of a node.
const EXPR: K = K::Name;

/// Returns whether the node has all parts of its production, in their order, and no others.
pub(super) fn is_whole(node: SyntaxNode<'_>) -> bool {
    let parts: Vec<K> = node.elements().filter_map(part).collect();
    match (node.kind(), &parts[..]) {
        (K::File, _) => true,
        (K::Body, [K::LBrace, items @ .., K::RBrace] | items) => all(items, is_item),
        (K::Attribute, parts) => *parts == [K::Ident, K::Equals, EXPR],
        (K::Block, [K::Ident, labels @ .., K::Body]) => all(labels, |kind| kind == K::Label),
        (K::Label, [K::QuoteOpen, text @ .., K::QuoteClose]) => all(text, |kind| kind == K::Text),
        (K::Label | K::Name, parts) => *parts == [K::Ident],
        (K::Literal, [part]) => matches!(part, K::Number | K::Ident),
        (K::Template, [K::QuoteOpen, parts @ .., K::QuoteClose]) => all(parts, is_template_part),
        (K::Heredoc, [K::HeredocOpen, parts @ .., K::HeredocClose]) => all(parts, is_template_part),
        (K::Traversal, [EXPR, steps @ ..]) => {
            !steps.is_empty() && all(steps, |kind| kind == K::Step)
        }
        (K::Step, [K::Dot, name]) => matches!(name, K::Ident | K::Number),
        (K::Step | K::SplatIndex, parts) => *parts == [K::LBracket, EXPR, K::RBracket],
        (K::Index, parts) => *parts == [EXPR, K::LBracket, EXPR, K::RBracket],
        (K::Splat, [EXPR, K::SplatMarker, steps @ ..]) => {
            all(steps, |kind| matches!(kind, K::Step | K::SplatIndex | K::SplatMarker))
        }
        (K::SplatMarker, parts) => {
            matches!(parts, [K::Dot, K::Star] | [K::LBracket, K::Star, K::RBracket])
        }
        (K::Call, [K::Ident, parts @ .., K::RParen]) => is_rest_of_call(parts),
        (K::Tuple, [K::LBracket, list @ .., K::RBracket]) => is_list(list, EXPR),
        // Items may be separated by lines alone, which are not among the parts.
        (K::Object, [K::LBrace, items @ .., K::RBrace]) => {
            items.split(|kind| *kind == K::ObjectItem).skip(1).all(|gap| gap.len() <= 1)
                && items.first() != Some(&K::Comma)
                && all(items, |kind| matches!(kind, K::ObjectItem | K::Comma))
        }
        (K::ObjectItem, parts) => matches!(parts, [EXPR, K::Equals | K::Colon, EXPR]),
        (K::ForTuple, [K::LBracket, parts @ .., K::RBracket]) => {
            matches!(after_for(parts), Some([K::Colon, EXPR] | [K::Colon, EXPR, K::Ident, EXPR]))
        }
        (K::ForObject, [K::LBrace, parts @ .., K::RBrace]) => match after_for(parts) {
            Some([K::Colon, EXPR, K::FatArrow, EXPR, rest @ ..]) => {
                let rest = rest.strip_prefix(&[K::Ellipsis]).unwrap_or(rest);
                matches!(rest, [] | [K::Ident, EXPR])
            }
            _ => false,
        },
        (K::Conditional, parts) => *parts == [EXPR, K::Question, EXPR, K::Colon, EXPR],
        (K::Binary, parts) => matches!(parts, [EXPR, operator, EXPR] if operator.is_token()),
        (K::Unary, parts) => matches!(parts, [K::Minus | K::Bang, EXPR]),
        (K::Paren, parts) => *parts == [K::LParen, EXPR, K::RParen],
        (K::Interpolation, parts) => *parts == [K::InterpolationOpen, EXPR, K::SequenceClose],
        (K::IfDirective, [K::IfHead, parts @ .., K::EndHead]) => {
            let mut branches = parts.split(|kind| *kind == K::ElseHead);
            branches.clone().count() <= 2 && branches.all(|parts| all(parts, is_template_part))
        }
        (K::ForDirective, [K::ForHead, parts @ .., K::EndHead]) => all(parts, is_template_part),
        (K::IfHead, parts) => *parts == [K::ControlOpen, K::Ident, EXPR, K::SequenceClose],
        (K::ElseHead | K::EndHead, parts) => *parts == [K::ControlOpen, K::Ident, K::SequenceClose],
        (K::ForHead, [K::ControlOpen, parts @ .., K::SequenceClose]) => {
            matches!(after_for(parts), Some([]))
        }
        _ => false,
    }
}

/// The kind of a part of a node; `None` for trivia and line endings.
fn part(element: Element<'_>) -> Option<K> {
    match element {
        Element::Node(node) if node.kind().is_expression() => Some(EXPR),
        Element::Node(node) => Some(node.kind()),
        Element::Token(token) if token.kind().is_trivia() || token.kind() == K::Newline => None,
        Element::Token(token) => Some(token.kind()),
    }
}

fn all(parts: &[K], belongs: impl Fn(K) -> bool) -> bool {
    parts.iter().all(|&kind| belongs(kind))
}

fn is_item(kind: K) -> bool {
    matches!(kind, K::Attribute | K::Block)
}

fn is_template_part(kind: K) -> bool {
    matches!(kind, K::Text | K::Interpolation | K::IfDirective | K::ForDirective)
}

/// Returns whether `parts` is `[ member { ',' member } [ ',' ] ]`.
fn is_list(parts: &[K], member: K) -> bool {
    let kinds = [member, K::Comma].into_iter().cycle();
    parts.iter().zip(kinds).all(|(part, kind)| *part == kind)
}

/// Returns whether `parts` is `{ '::' Ident } '(' [ Expr { ',' Expr } [ ',' | '...' ] ]`.
fn is_rest_of_call(mut parts: &[K]) -> bool {
    while let [K::ColonColon, K::Ident, rest @ ..] = parts {
        parts = rest;
    }
    match parts {
        [K::LParen, list @ .., EXPR, K::Ellipsis] => {
            is_list(list, EXPR) && list.last() != Some(&EXPR)
        }
        [K::LParen, list @ ..] => is_list(list, EXPR),
        _ => false,
    }
}

/// The parts after `'for' Ident [ ',' Ident ] 'in' Expr`; `None` when they are not there.
fn after_for(parts: &[K]) -> Option<&[K]> {
    match parts {
        [K::Ident, K::Ident, K::Comma, K::Ident, K::Ident, EXPR, rest @ ..]
        | [K::Ident, K::Ident, K::Ident, EXPR, rest @ ..] => Some(rest),
        _ => None,
    }
}
