//! A tree as text, for people and for snapshots.

use std::fmt::Write;

use super::{Element, SyntaxNode, SyntaxTree};

/// The tree with kinds, ranges and the text of each token, one line each, indented by depth; then
/// the errors.
///
/// White space is left out: a token's place is seen from its range.
#[must_use]
pub fn dump(tree: &SyntaxTree) -> String {
    let mut text = String::new();
    write_node(&mut text, tree.root());
    for error in tree.errors() {
        let _ = writeln!(text, "error {:?} {}", error.range(), error.code().name());
    }
    text
}

/// Writes iteratively: a tree may be as deep as a chain of operators is long.
fn write_node(out: &mut String, root: SyntaxNode<'_>) {
    let mut open = vec![root.elements()];
    line(out, 0, &format!("{:?}@{:?}", root.kind(), root.range()));
    while let Some(elements) = open.last_mut() {
        match elements.next() {
            None => {
                open.pop();
            }
            Some(Element::Token(token)) => {
                if token.kind() != crate::SyntaxKind::Whitespace {
                    line(out, open.len(), &format!("{token:?}"));
                }
            }
            Some(Element::Node(node)) => {
                let mark = if node.has_error() { " !" } else { "" };
                line(out, open.len(), &format!("{:?}@{:?}{mark}", node.kind(), node.range()));
                open.push(node.elements());
            }
        }
    }
}

fn line(out: &mut String, depth: usize, text: &str) {
    // Deep chains would make the dump quadratic in size.
    for _ in 0..depth.min(40) {
        out.push_str("  ");
    }
    out.push_str(text);
    out.push('\n');
}
