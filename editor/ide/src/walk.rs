//! A walk over a tree that knows the way to each node, in time in proportion to the nodes.

use pcl::diagnostics::TextRange;
use pcl::syntax::{Children, SyntaxNode};

/// Calls `visit` with each node that touches a range, parents first, and with the nodes above it,
/// the innermost last.
pub(crate) fn each_node<'t>(
    root: SyntaxNode<'t>,
    range: TextRange,
    mut visit: impl FnMut(SyntaxNode<'t>, &[SyntaxNode<'t>]),
) {
    let mut above: Vec<SyntaxNode<'t>> = Vec::new();
    let mut open: Vec<Children<'t>> = Vec::new();
    let mut next = Some(root);
    loop {
        match next {
            Some(node) => {
                let own = node.range();
                if own.start() <= range.end() && range.start() <= own.end() {
                    visit(node, &above);
                    above.push(node);
                    open.push(node.children());
                }
            }
            None => {
                open.pop();
                above.pop();
            }
        }
        match open.last_mut() {
            Some(children) => next = children.next(),
            None => return,
        }
    }
}
