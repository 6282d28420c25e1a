//! The laws of a tree, checked.

use super::{NodeId, SyntaxTree};
use crate::kind::SyntaxKind;

/// A law that does not hold; a fault of this crate, whatever the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeFault {
    /// The law, in a few words.
    pub law: &'static str,
    /// The token or node that breaks it.
    pub at: u32,
}

pub(super) fn verify(tree: &SyntaxTree) -> Result<(), TreeFault> {
    verify_tokens(tree)?;
    verify_nodes(tree)
}

fn check(holds: bool, law: &'static str, at: u32) -> Result<(), TreeFault> {
    if holds {
        Ok(())
    } else {
        Err(TreeFault { law, at })
    }
}

fn verify_tokens(tree: &SyntaxTree) -> Result<(), TreeFault> {
    let tokens = &tree.tokens;
    check(
        tokens.kinds.len() == tokens.starts.len(),
        "one start per token",
        0,
    )?;
    check(!tokens.kinds.is_empty(), "there is an end of file", 0)?;
    check(tokens.start(0) == 0, "tokens begin with the text", 0)?;
    let end = tokens.end();
    check(
        tokens.kind(end) == SyntaxKind::EndOfFile,
        "the last token is the end",
        end,
    )?;
    check(
        tokens.start(end) as usize == tree.source.len(),
        "tokens end with the text",
        end,
    )?;
    for index in 0..end {
        let range = tokens.range(index);
        check(!range.is_empty(), "tokens have text", index)?;
        check(
            tokens.kind(index).is_token(),
            "tokens are of a token kind",
            index,
        )?;
        check(
            tokens.kind(index) != SyntaxKind::EndOfFile,
            "the file ends once",
            index,
        )?;
        check(
            tree.source.is_char_boundary(range.start() as usize),
            "tokens begin at a character",
            index,
        )?;
    }
    Ok(())
}

fn verify_nodes(tree: &SyntaxTree) -> Result<(), TreeFault> {
    let count = tree.nodes.len() as u32;
    check(count > 0, "there is a root", 0)?;
    let root = tree.record(NodeId(0));
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
        let node = tree.record(NodeId(id));
        check(!node.kind.is_token(), "nodes are of a node kind", id)?;
        check(node.len >= 1, "a node holds itself", id)?;
        check(
            node.first_token <= node.end_token,
            "tokens of a node are in order",
            id,
        )?;
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
        check(
            node.first_token >= token,
            "tokens of siblings do not overlap",
            id,
        )?;
        token = node.first_token;
        open.push((id + node.len, node.end_token));
        if !matches!(node.kind, SyntaxKind::File | SyntaxKind::Body)
            && node.first_token < node.end_token
        {
            let trimmed = !tree.tokens.kind(node.first_token).is_trivia();
            check(trimmed, "a node does not begin with trivia", id)?;
        }
        let clean = !tree.node(NodeId(id)).contains_error();
        check(
            !clean || matches_production(tree, NodeId(id)),
            "a node without errors is whole",
            id,
        )?;
    }
    Ok(())
}

/// Whether the node has the parts that its production asks for.
fn matches_production(tree: &SyntaxTree, id: NodeId) -> bool {
    use SyntaxKind as K;
    let node = tree.node(id);
    let expressions = || {
        node.children()
            .filter(|child| child.kind().is_expression())
            .count()
    };
    let closed =
        |open: K, close: K| node.own_token(open).is_some() && node.own_token(close).is_some();
    match node.kind() {
        K::Attribute => node.own_token(K::Equals).is_some() && expressions() == 1,
        K::Block => node
            .children()
            .last()
            .is_some_and(|child| child.kind() == K::Body),
        K::Template => closed(K::QuoteOpen, K::QuoteClose),
        K::Heredoc => closed(K::HeredocOpen, K::HeredocClose),
        K::Traversal => node.children().count() >= 2,
        K::Index => closed(K::LBracket, K::RBracket) && expressions() == 2,
        K::Splat => node
            .children()
            .nth(1)
            .is_some_and(|child| child.kind() == K::SplatMarker),
        K::Call => closed(K::LParen, K::RParen),
        K::Tuple | K::ForTuple => closed(K::LBracket, K::RBracket),
        K::Object | K::ForObject => closed(K::LBrace, K::RBrace),
        K::ObjectItem | K::Binary => expressions() == 2,
        K::Conditional => expressions() == 3,
        K::Unary => expressions() == 1,
        K::Paren => closed(K::LParen, K::RParen) && expressions() == 1,
        K::Interpolation => closed(K::InterpolationOpen, K::SequenceClose) && expressions() == 1,
        K::BogusItem | K::BogusExpr | K::BogusDirective => false,
        _ => true,
    }
}
