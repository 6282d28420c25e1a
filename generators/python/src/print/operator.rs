//! Operators: parentheses, and the lines of what does not fit on one.

use pcl_codegen::{Layout, Part};

use super::Formatter;
use super::tree::{Id, Key, Node, is_tall};

/// The strength with which an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Strength(u8);

impl Strength {
    pub(super) const LAMBDA: Self = Self(1);
    pub(super) const CONDITIONAL: Self = Self(2);
    const OR: Self = Self(3);
    /// The least strength of what is behind `in` and `if` of a comprehension.
    pub(super) const OR_ABOVE: Self = Self::OR;
    const NOT: Self = Self(5);
    const COMPARISON: Self = Self(6);
    /// The least strength of what is behind a star.
    pub(super) const STARRED: Self = Self(7);
    const NEGATION: Self = Self(9);
    pub(super) const ACCESS: Self = Self(10);

    fn of_operator(operator: &str) -> Self {
        match operator {
            "or" => Self::OR,
            "and" => Self(4),
            "+" | "-" => Self(7),
            "*" | "/" | "%" => Self(8),
            _ => Self::COMPARISON,
        }
    }

    pub(super) fn of(node: &Node) -> Self {
        match node {
            Node::Lambda { .. } => Self::LAMBDA,
            Node::Conditional { .. } => Self::CONDITIONAL,
            Node::Binary { operator, .. } => Self::of_operator(operator),
            Node::Unary { operator: "not ", .. } => Self::NOT,
            Node::Unary { .. } => Self::NEGATION,
            Node::Tuple(_) | Node::Star(_) => Self(0),
            // The dot behind a number would be a part of it.
            Node::Name(name) if name.starts_with(|c: char| c.is_ascii_digit()) => Self::NEGATION,
            _ => Self::ACCESS,
        }
    }
}

/// The two layouts of an expression.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    /// Inside of parentheses, where operators may be on lines of their own.
    pub enclosed: Part,
    /// Elsewhere: only what is inside of brackets may break.
    pub open: Part,
}

impl From<Part> for Parts {
    fn from(part: Part) -> Self {
        Self { enclosed: part, open: part }
    }
}

impl Formatter<'_> {
    pub(super) fn binary(&mut self, id: Id) -> Parts {
        // What a longer operation contains is a part of that one.
        if let Some(Node::Binary { operator, left, .. }) = self.parent(id)
            && *left == id
            && let Node::Binary { operator: inner, .. } = self.node(id)
            && joins(operator, inner)
        {
            return Layout::EMPTY.into();
        }
        let mut links = Vec::new();
        let mut first = id;
        while let Node::Binary { operator, left, right } = self.node(first) {
            links.push((*operator, *right));
            first = *left;
            match self.node(first) {
                Node::Binary { operator: inner, .. } if joins(operator, inner) => {}
                _ => break,
            }
        }
        let Some(&(innermost, _)) = links.last() else { return Layout::EMPTY.into() };
        let first = self.term(first, innermost, false);
        let (mut enclosed, mut open) = (vec![first.enclosed], vec![first.open]);
        for (operator, right) in links.into_iter().rev() {
            let term = self.term(right, operator, true);
            let word = self.layout.texts([operator, " "]);
            let space = self.layout.text(" ");
            enclosed.extend([Layout::LINE, word, term.enclosed]);
            open.extend([space, word, term.open]);
        }
        let enclosed = self.layout.parts(enclosed);
        Parts { enclosed: self.layout.group(enclosed), open: self.layout.parts(open) }
    }

    /// An operand of an operator.
    fn term(&mut self, id: Id, operator: &str, is_right: bool) -> Parts {
        let own = Strength::of_operator(operator);
        let node = self.node(id);
        let encloses = match node {
            Node::Binary { operator: inner, .. } => {
                let strength = Strength::of_operator(inner);
                strength < own || strength == own && (is_right || !joins(operator, inner))
            }
            node => Strength::of(node) < own,
        };
        if encloses { self.in_parentheses(id).into() } else { self.parts_of(id) }
    }

    /// An expression in parentheses, which may break behind and before them.
    pub(super) fn in_parentheses(&mut self, id: Id) -> Part {
        let part = self.part(id);
        let all = self.enclosed("(", part, ")");
        self.layout.group(all)
    }

    /// An operand, in parentheses if it holds together less tightly than its place requires.
    pub(super) fn operand(&mut self, id: Id, least: Strength) -> Parts {
        if Strength::of(self.node(id)) >= least {
            return self.parts_of(id);
        }
        self.in_parentheses(id).into()
    }

    pub(super) fn unary(&mut self, operator: &str, operand: Id) -> Parts {
        let least = if operator == "not " { Strength::NOT } else { Strength::NEGATION };
        let inner = self.operand(operand, least);
        let word = self.layout.text(operator);
        Parts {
            enclosed: self.layout.parts([word, inner.enclosed]),
            open: self.layout.parts([word, inner.open]),
        }
    }

    pub(super) fn conditional(&mut self, condition: Id, if_true: Id, if_false: Id) -> Parts {
        let yes = self.operand(if_true, Strength::OR);
        let test = self.operand(condition, Strength::OR);
        let no = self.operand(if_false, Strength::CONDITIONAL);
        let [on, otherwise, space] = ["if ", "else ", " "].map(|word| self.layout.text(word));
        let enclosed = self.layout.parts([
            yes.enclosed,
            Layout::LINE,
            on,
            test.enclosed,
            Layout::LINE,
            otherwise,
            no.enclosed,
        ]);
        let open = [yes.open, space, on, test.open, space, otherwise, no.open];
        Parts { enclosed: self.layout.group(enclosed), open: self.layout.parts(open) }
    }

    /// An expression that is a value of a statement. One that does not fit on the line breaks
    /// inside of its brackets if it ends with them, or is in parentheses.
    pub(super) fn value(&mut self, id: Id) -> Part {
        let Parts { enclosed, open } = self.parts_of(id);
        match self.node(id) {
            Node::Text(text) if is_tall(text) => open,
            Node::Template { texts, .. } if texts.iter().any(|text| is_tall(text)) => open,
            Node::Name(_) | Node::Local(_) | Node::Text(_) | Node::Template { .. } => {
                self.layout.fitting(open)
            }
            Node::Member { .. } if self.is_plain_path(id) => self.layout.fitting(open),
            Node::Binary { .. }
            | Node::Unary { .. }
            | Node::Conditional { .. }
            | Node::Lambda { .. }
            | Node::Tuple(_) => {
                let inner = self.enclosed("(", enclosed, ")");
                let broken = self.layout.broken(inner);
                self.layout.parenthesized(open, broken, self.ends_in_brackets(id))
            }
            Node::Member { .. } | Node::Index { .. } | Node::Call { .. } => {
                let inner = self.enclosed("(", enclosed, ")");
                let broken = self.layout.broken(inner);
                let may_break = !self.is_fluent(id);
                self.layout.parenthesized(open, broken, may_break)
            }
            _ => open,
        }
    }

    /// Returns true for names with members, none of which is called.
    fn is_plain_path(&self, id: Id) -> bool {
        let mut id = id;
        loop {
            match self.node(id) {
                Node::Member { object, .. } => id = *object,
                Node::Name(_) | Node::Local(_) => return true,
                _ => return false,
            }
        }
    }

    /// Returns true if an operation may break inside of the brackets that it ends with, or begins
    /// with, so that it needs no parentheses.
    fn ends_in_brackets(&self, id: Id) -> bool {
        let mut loosest = Strength::ACCESS;
        let mut count = 0;
        let mut open = vec![id];
        let (mut first, mut last) = (id, id);
        let encloses = |parent: Strength, part: Id, open: &mut Vec<Id>| {
            if Strength::of(self.node(part)) >= parent {
                open.push(part);
            }
        };
        // The operations that are not inside of parentheses.
        while let Some(id) = open.pop() {
            match self.node(id) {
                Node::Binary { operator, left, right } => {
                    let strength = Strength::of_operator(operator);
                    if strength < loosest {
                        (loosest, count) = (strength, 0);
                    }
                    count += usize::from(strength == loosest);
                    encloses(strength, *left, &mut open);
                    encloses(strength, *right, &mut open);
                }
                Node::Unary { operand, .. } => encloses(Strength::NOT, *operand, &mut open),
                Node::Conditional { .. } | Node::Lambda { .. } | Node::Tuple(_) => return false,
                _ => {}
            }
        }
        if count > 1 {
            return false;
        }
        let mut parent = Strength(0);
        let starts = loop {
            match self.node(first) {
                node if Strength::of(node) < parent => break true,
                Node::Binary { operator, left, .. } => {
                    parent = Strength::of_operator(operator);
                    first = *left;
                }
                node => break matches!(node, Node::Dict { .. } | Node::List(_)),
            }
        };
        parent = Strength(0);
        starts
            || loop {
                match self.node(last) {
                    node if Strength::of(node) < parent => break true,
                    Node::Binary { operator, right, .. } => {
                        parent = Strength::of_operator(operator);
                        // Operations of the same strength on the right are in parentheses.
                        if let Node::Binary { operator: inner, .. } = self.node(*right)
                            && Strength::of_operator(inner) == parent
                        {
                            break true;
                        }
                        last = *right;
                    }
                    Node::Unary { operand, .. } => last = *operand,
                    Node::Call { arguments, .. } => break !arguments.is_empty(),
                    Node::List(elements) => break !elements.is_empty(),
                    Node::Dict { items, .. } => break !items.is_empty(),
                    Node::Comprehension { .. } => break true,
                    _ => break false,
                }
            }
    }

    /// Returns true for chains of calls in which two members or more are behind brackets: each of
    /// them may be on a line of its own.
    pub(super) fn is_fluent(&self, id: Id) -> bool {
        let mut count = 0;
        let mut id = id;
        loop {
            match self.node(id) {
                Node::Member { object, .. } => {
                    let is_bracket =
                        matches!(self.node(*object), Node::Call { .. } | Node::Index { .. });
                    count += usize::from(is_bracket || self.is_enclosed_object(*object));
                    id = *object;
                }
                Node::Call { callee, .. } => id = *callee,
                Node::Index { object, .. } => id = *object,
                _ => return count > 1,
            }
        }
    }

    /// Returns true if what is in front of a dot is in parentheses.
    pub(super) fn is_enclosed_object(&self, id: Id) -> bool {
        Strength::of(self.node(id)) < Strength::ACCESS
    }
}

/// Returns true if operations of both operators are beside each other, without parentheses.
/// Comparisons never are: Python would make a chain of them.
fn joins(outer: &str, inner: &str) -> bool {
    let strength = Strength::of_operator(outer);
    strength == Strength::of_operator(inner) && strength != Strength::COMPARISON
}

/// Returns true for arguments without a name.
pub(super) fn is_positional(key: &Key) -> bool {
    matches!(key, Key::Position)
}
