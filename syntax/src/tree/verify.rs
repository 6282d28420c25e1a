//! The laws of a tree, checked.

use super::production::is_whole;
use super::{NodeId, SyntaxNode, SyntaxTree};
use crate::kind::SyntaxKind;

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
