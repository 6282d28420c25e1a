//! The depth of expressions: the parser of Python refuses brackets that are nested more than 200
//! deep, and its compiler expressions that are some 3,000 deep.

use rustc_hash::FxHashMap;

use super::tree::{Id, Node, Tree};

/// The brackets around a part up to which an expression is written; statements, and the function
/// around them, have some of their own.
const MAX_BRACKETS: usize = 150;

/// The depth up to which an expression is written.
const MAX_DEPTH: usize = 2_000;

impl Tree {
    /// Returns true if Python does not read an expression, because it is nested too deeply.
    pub fn is_too_deep(&self, root: Id) -> bool {
        let mut depths: FxHashMap<Id, (usize, usize)> = FxHashMap::default();
        for id in self.subtree(root) {
            let node = self.node(id);
            let (mut brackets, mut depth) = (0, 0);
            node.for_each_part(|part| {
                let (inner, below) = depths.get(&part).copied().unwrap_or_default();
                let own = usize::from(self.may_have_brackets(node, part));
                brackets = brackets.max(inner + own);
                depth = depth.max(below + 1);
            });
            if brackets > MAX_BRACKETS || depth > MAX_DEPTH {
                return true;
            }
            depths.insert(id, (brackets, depth));
        }
        false
    }

    /// Returns true if a part of an expression may stand in brackets: chains of calls, of one
    /// operator and of conditionals need none.
    fn may_have_brackets(&self, node: &Node, part: Id) -> bool {
        match node {
            Node::Member { .. } => !matches!(
                self.node(part),
                Node::Member { .. } | Node::Call { .. } | Node::Index { .. }
            ),
            Node::Call { callee, .. } => part != *callee,
            Node::Index { object, .. } => part != *object,
            Node::Binary { operator, left, .. } => {
                let is_same = |other: &Node| matches!(other, Node::Binary { operator: own, .. } if own == operator);
                part != *left || !is_same(self.node(part))
            }
            Node::Conditional { if_false, .. } => part != *if_false,
            Node::Lambda { .. } => false,
            _ => true,
        }
    }
}
