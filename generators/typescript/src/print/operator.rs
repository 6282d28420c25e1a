//! Operators and conditionals: parentheses, and where lines break.

use super::Formatter;
use super::tree::{Id, Node};
use pcl_codegen::{Layout, Part};

/// The strength with which an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Strength(u8);

impl Strength {
    const ARROW: Self = Self(1);
    const CONDITIONAL: Self = Self(2);
    pub(super) const AS: Self = Self(7);
    pub(super) const UNARY: Self = Self(10);
    pub(super) const ACCESS: Self = Self(11);

    fn of_operator(operator: &str) -> Self {
        Self(match operator {
            "??" => 3,
            "||" => 4,
            "&&" => 5,
            "===" | "!==" | "==" | "!=" => 6,
            "<" | "<=" | ">" | ">=" | "in" => 7,
            "+" | "-" => 8,
            _ => 9,
        })
    }

    pub(super) fn of(node: &Node) -> Self {
        match node {
            Node::Arrow { .. } => Self::ARROW,
            Node::Conditional { .. } => Self::CONDITIONAL,
            Node::Binary { operator, .. } => Self::of_operator(operator),
            Node::As { .. } => Self::AS,
            Node::Unary { .. } | Node::Await(_) | Node::Spread(_) => Self::UNARY,
            _ => Self::ACCESS,
        }
    }
}

/// Returns true if operations of both operators stand side by side, without parentheses.
fn is_same_level(outer: &str, inner: &str) -> bool {
    let factors = ["*", "/", "%"];
    Strength::of_operator(outer) == Strength::of_operator(inner)
        && Strength::of_operator(outer) != Strength::of_operator("===")
        && !(outer != inner && factors.contains(&outer))
}

/// Returns true if an operation inside of another one has parentheses that say how they belong
/// together.
fn is_unclear(outer: &str, inner: &str) -> bool {
    let logical = ["&&", "||", "??"];
    let mixes = logical.contains(&outer) && logical.contains(&inner) && outer != inner;
    let remainder = inner == "%" && ["+", "-"].contains(&outer);
    mixes || remainder
}

impl Formatter<'_> {
    pub(super) fn binary(&mut self, id: Id) -> Part {
        // What a longer operation contains is a part of that one.
        if let Some(Node::Binary { operator, left, .. }) = self.parent(id)
            && *left == id
            && let Node::Binary { operator: inner, .. } = self.node(id)
            && is_same_level(operator, inner)
        {
            return Layout::EMPTY;
        }
        let mut links = Vec::new();
        let mut first = id;
        while let Node::Binary { operator, left, right } = self.node(first) {
            links.push((*operator, *right, first));
            first = *left;
            match self.node(first) {
                Node::Binary { operator: inner, .. } if is_same_level(operator, inner) => {}
                _ => break,
            }
        }
        let Some(&(innermost, ..)) = links.last() else { return Layout::EMPTY };
        let mut parts = vec![self.term(first, innermost, false)];
        let is_one = links.len() == 1;
        let parent = self.parent(id);
        let is_inner = matches!(parent, Some(Node::Binary { .. }));
        let is_operation = |formatter: &Self, id| matches!(formatter.node(id), Node::Binary { .. });
        for (operator, right, link) in links.into_iter().rev() {
            let term = self.term(right, operator, true);
            let between =
                if self.is_inline(self.node(link)) { self.layout.text(" ") } else { Layout::LINE };
            let side = row!(self, operator, between, term);
            let alone =
                is_one && !is_inner && !is_operation(self, right) && !is_operation(self, first);
            let side = if alone { self.layout.group(side) } else { side };
            parts.extend([self.layout.text(" "), side]);
        }
        let own = self.node(id);
        let stays = match parent {
            Some(
                Node::Leave { .. }
                | Node::Arrow { .. }
                | Node::Conditional { .. }
                | Node::Template { .. }
                | Node::Unary { .. }
                | Node::Declare { .. }
                | Node::Assign { .. }
                | Node::Object { .. },
            ) => true,
            _ => self.is_inline(own) && is_one,
        };
        let is_access =
            matches!(parent, Some(Node::Member { .. } | Node::Call { .. } | Node::NonNull(_)))
                && self.is_object_of_parent(id);
        if is_access {
            let inside = self.layout.parts(parts);
            let inside = self.layout.parts([Layout::SOFT_LINE, inside]);
            let inside = self.layout.indent(inside);
            let all = self.layout.parts([inside, Layout::SOFT_LINE]);
            return self.layout.group(all);
        }
        let all = if stays {
            self.layout.parts(parts)
        } else {
            let rest = parts.split_off(1);
            let rest = self.layout.parts(rest);
            parts.push(self.layout.indent(rest));
            self.layout.parts(parts)
        };
        self.layout.group(all)
    }

    /// Returns true if a node is what its parent accesses or calls.
    fn is_object_of_parent(&self, id: Id) -> bool {
        match self.parent(id) {
            Some(Node::Member { object, .. }) => *object == id,
            Some(Node::Call { callee, .. }) => *callee == id,
            Some(Node::NonNull(inner)) => *inner == id,
            _ => false,
        }
    }

    /// An operand of an operator.
    fn term(&mut self, id: Id, operator: &str, is_right: bool) -> Part {
        let own = Strength::of_operator(operator);
        let part = self.part(id);
        let encloses = match self.node(id) {
            Node::Binary { operator: inner, .. } => {
                let strength = Strength::of_operator(inner);
                strength < own
                    || strength == own && (is_right || !is_same_level(operator, inner))
                    || is_unclear(operator, inner)
            }
            Node::As { .. } => true,
            node => Strength::of(node) <= own,
        };
        if encloses { row!(self, "(", part, ")") } else { part }
    }

    pub(super) fn conditional(&mut self, id: Id, node: &Node) -> Part {
        let Node::Conditional { condition, if_true, if_false } = node else { return Layout::EMPTY };
        let condition = self.operand(*condition, Strength(3));
        let is_nested =
            |formatter: &Self, id| matches!(formatter.node(id), Node::Conditional { .. });
        let mut yes = self.operand(*if_true, Strength::CONDITIONAL);
        if is_nested(self, *if_true) {
            let (open, close) = (self.if_flat("("), self.if_flat(")"));
            yes = self.layout.indent(yes);
            yes = self.layout.parts([open, yes, close]);
        } else {
            yes = self.layout.indent(yes);
        }
        let mut no = self.operand(*if_false, Strength::CONDITIONAL);
        if !is_nested(self, *if_false) {
            no = self.layout.indent(no);
        }
        let branches = row!(self, Layout::LINE, "? ", yes, Layout::LINE, ": ", no);
        let parent = self.parent(id);
        let branches = self.layout.indent(branches);
        let ends = matches!(parent, Some(Node::Member { object, .. }) if *object == id);
        let end = if ends { Layout::SOFT_LINE } else { Layout::EMPTY };
        let all = self.layout.parts([condition, branches, end]);
        match parent {
            Some(Node::Conditional { .. }) => all,
            _ => self.layout.group(all),
        }
    }
}
