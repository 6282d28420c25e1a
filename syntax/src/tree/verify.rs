//! The laws of a tree, checked: among them the productions of the grammar, as the parts of a node
//! that holds no error.

use crate::kind::{SyntaxKind, SyntaxKind as K};
use crate::tree::{Element, NodeId, SyntaxNode, SyntaxTree};

/// A law of the tree that does not hold: a bug of this crate for any input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenLaw {
    /// The law, in a few words.
    pub law: &'static str,
    /// The token or node that breaks it.
    pub at: u32,
}

pub(super) fn verify(tree: &SyntaxTree) -> Result<(), BrokenLaw> {
    verify_tokens(tree)?;
    verify_nodes(tree)
}

fn check(holds: bool, law: &'static str, at: u32) -> Result<(), BrokenLaw> {
    if holds { Ok(()) } else { Err(BrokenLaw { law, at }) }
}

fn verify_tokens(tree: &SyntaxTree) -> Result<(), BrokenLaw> {
    let tokens = &tree.tokens;
    check(!tokens.kinds.is_empty(), "there is an end of file", 0)?;
    check(tokens.start(0) == 0, "tokens begin with the text", 0)?;
    let end = tokens.end();
    check(tokens.kind(end) == SyntaxKind::EndOfFile, "the last token is the end", end)?;
    check(tokens.start(end) as usize == tree.source.len(), "tokens end with the text", end)?;
    for index in 0..end {
        let range = tokens.range(index);
        check(!range.is_empty(), "tokens have text", index)?;
        check(tokens.kind(index).is_token(), "tokens are of a token kind", index)?;
        check(tokens.kind(index) != SyntaxKind::EndOfFile, "the file ends once", index)?;
        check(
            tree.source.is_char_boundary(range.start() as usize),
            "tokens begin at a character",
            index,
        )?;
    }
    Ok(())
}

fn verify_nodes(tree: &SyntaxTree) -> Result<(), BrokenLaw> {
    let count = tree.nodes.len();
    check(count > 0, "there is a root", 0)?;
    let root = tree.nodes.get(NodeId(0));
    check(root.kind == SyntaxKind::File, "the root is a file", 0)?;
    check(root.len == count, "the root holds every node", 0)?;
    check(
        root.first_token == 0 && root.end_token == tree.tokens.end(),
        "the root holds every token",
        0,
    )?;
    // The end of the subtree, and of the tokens, of each open node.
    let mut open: Vec<(u32, u32)> = vec![(count, root.end_token)];
    let mut token = 0;
    for id in 0..count {
        let node = tree.nodes.get(NodeId(id));
        check(!node.kind.is_token(), "nodes are of a node kind", id)?;
        check(node.len >= 1, "a node holds itself", id)?;
        check(node.first_token <= node.end_token, "tokens of a node are in order", id)?;
        while let Some(&(end, end_token)) = open.last() {
            if id < end || open.len() == 1 {
                break;
            }
            token = end_token;
            open.pop();
        }
        if let Some(&(end, end_token)) = open.last() {
            check(id + node.len <= end, "nodes nest", id)?;
            check(node.end_token <= end_token, "tokens of nodes nest", id)?;
        }
        check(node.first_token >= token, "tokens of siblings do not overlap", id)?;
        token = node.first_token;
        open.push((id + node.len, node.end_token));
        if !matches!(node.kind, SyntaxKind::File | SyntaxKind::Body)
            && node.first_token < node.end_token
        {
            let trimmed = !tree.tokens.kind(node.first_token).is_trivia();
            check(trimmed, "a node does not begin with trivia", id)?;
        }
        let handle = tree.node(NodeId(id));
        if !handle.contains_error() {
            check(!handle.has_error(), "a node with an error contains one", id)?;
            let mut children = handle.children();
            check(
                !children.any(SyntaxNode::contains_error),
                "a node contains the errors of the nodes below",
                id,
            )?;
            check(is_whole(handle), "a node without errors is whole", id)?;
        }
    }
    Ok(())
}

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
