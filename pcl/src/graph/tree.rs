//! The order in which the text formats print nodes: each component with its nodes inside.

use super::{Component, Graph, Node};

/// The next thing to print.
pub(super) enum Step<'g> {
    /// A node and its position.
    Node(u32, &'g Node),
    /// The beginning of a component with its position.
    Open(u32, &'g Component),
    /// The end of the last component that has begun.
    Close,
}

/// The most levels of indentation, so that deep components do not make long lines.
const DEEPEST: usize = 32;

/// Calls `print` with everything in order. The second argument is the number of spaces in front of
/// it: two in the program, and two more in each component around it.
pub(super) fn each_step<'g>(graph: &'g Graph, mut print: impl FnMut(Step<'g>, usize)) {
    let mut print = |step, depth: usize| print(step, 2 * (depth.min(DEEPEST) + 1));
    let count = graph.components.len();
    // The nodes and components in the program, and in each component.
    let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); count + 1];
    let mut components: Vec<Vec<u32>> = vec![Vec::new(); count + 1];
    let slot = |component: Option<u32>| component.map_or(0, |at| at as usize + 1);
    let mut is_block = vec![false; graph.nodes.len()];
    for (at, component) in graph.components.iter().enumerate() {
        if let Some(siblings) = components.get_mut(slot(component.parent)) {
            siblings.push(at as u32);
        }
        let block = component.node.map(|node| node as usize);
        let block = block.and_then(|block| Some((block, is_block.get_mut(block)?)));
        if let Some((block, flag)) = block {
            // It is printed inside, before what it contains.
            *flag = true;
            if let Some(inside) = nodes.get_mut(at + 1) {
                inside.push(block as u32);
            }
        }
    }
    for (at, node) in graph.nodes.iter().enumerate() {
        if is_block.get(at) == Some(&false)
            && let Some(inside) = nodes.get_mut(slot(node.component))
        {
            inside.push(at as u32);
        }
    }
    let print_nodes = |of: Option<u32>, depth: usize, print: &mut dyn FnMut(Step<'g>, usize)| {
        for &at in nodes.get(slot(of)).into_iter().flatten() {
            if let Some(node) = graph.nodes.get(at as usize) {
                print(Step::Node(at, node), depth);
            }
        }
    };
    print_nodes(None, 0, &mut print);
    let inside = |of: Option<u32>| components.get(slot(of)).into_iter().flatten();
    let mut stack = vec![inside(None)];
    while let Some(rest) = stack.last_mut() {
        let Some(&at) = rest.next() else {
            stack.pop();
            if let Some(depth) = stack.len().checked_sub(1) {
                print(Step::Close, depth);
            }
            continue;
        };
        if let Some(component) = graph.components.get(at as usize) {
            print(Step::Open(at, component), stack.len() - 1);
            print_nodes(Some(at), stack.len(), &mut print);
            stack.push(inside(Some(at)));
        }
    }
}
