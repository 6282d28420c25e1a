//! From the order in which the parser finishes nodes to the order in which they are read.

use super::Node;

/// Turns postorder into preorder. Every `len` counts the node's own subtree; the last node is the root.
pub(crate) fn to_preorder(postorder: &[Node]) -> Box<[Node]> {
    let Some(&root) = postorder.last() else {
        return Box::default();
    };
    let mut preorder = vec![root; postorder.len()];
    // Reversed postorder meets a node before its children, and its children from the last to the first. So each open node keeps
    // the end of the slots that are still free for its children.
    let mut open: Vec<(usize, usize)> = Vec::with_capacity(64);
    open.push((0, postorder.len()));
    for &node in postorder[..postorder.len() - 1].iter().rev() {
        while let Some(&(at, free)) = open.last() {
            if free > at + 1 || open.len() == 1 {
                break;
            }
            open.pop();
        }
        if let Some((_, free)) = open.last_mut() {
            let at = free.saturating_sub(node.len as usize);
            preorder[at] = node;
            let end = *free;
            *free = at;
            if node.len > 1 {
                open.push((at, end));
            }
        }
    }
    preorder.into_boxed_slice()
}
