//! Python as a tree: a table of expressions and statements, parts before what contains them.

use std::collections::BinaryHeap;

/// A node of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Id(pub(super) u32);

/// An expression, a statement or a part of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// A name, which may have dots, or a number, `True` and so on.
    Name(String),
    /// A variable of a function or loop inside of a value.
    Local(String),
    /// A text in quotes.
    Text(String),
    /// An f-string: one text more than there are values.
    Template {
        texts: Vec<String>,
        values: Vec<Id>,
    },
    Member {
        object: Id,
        name: String,
    },
    Index {
        object: Id,
        key: Id,
    },
    Call {
        callee: Id,
        arguments: Vec<Item>,
        expanded: bool,
    },
    Dict {
        items: Vec<Item>,
        expanded: bool,
    },
    List(Vec<Id>),
    /// Values with commas between them, without parentheses.
    Tuple(Vec<Id>),
    /// `lambda parameters, capture=capture: body`
    Lambda {
        parameters: Vec<String>,
        captures: Vec<String>,
        body: Id,
    },
    /// `-operand` or `not operand`.
    Unary {
        operator: &'static str,
        operand: Id,
    },
    Binary {
        operator: &'static str,
        left: Id,
        right: Id,
    },
    /// `if_true if condition else if_false`
    Conditional {
        condition: Id,
        if_true: Id,
        if_false: Id,
    },
    /// `[element for target in iterable if condition]`; with a key, a dict.
    Comprehension {
        key: Option<Id>,
        element: Id,
        target: Vec<String>,
        iterable: Id,
        condition: Option<Id>,
    },
    /// `*value`
    Star(Id),

    /// `target: ty = value`
    Assign {
        target: Id,
        ty: Option<String>,
        value: Option<Id>,
    },
    Evaluate(Id),
    Return(Id),
    If {
        condition: Id,
        body: Vec<Id>,
    },
    For {
        target: String,
        iterable: Id,
        body: Vec<Id>,
    },
    Def {
        name: String,
        parameters: Vec<String>,
        returns: String,
        body: Vec<Id>,
    },
    Class {
        name: String,
        base: String,
        body: Vec<Id>,
    },
    /// A line as it is.
    Line(String),
    /// A documentation text.
    Documentation(Vec<String>),
    /// Lines of a comment, without `#`.
    Comment(Vec<String>),
    /// A statement with a comment behind it.
    WithComment {
        node: Id,
        comment: String,
    },
    /// A blank line.
    Empty,
}

/// An argument of a call, or an entry of a dict.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Item {
    /// The lines of comments above it.
    pub comments: Vec<String>,
    pub key: Key,
    pub value: Id,
    /// The comment behind it.
    pub trailing: Option<String>,
}

/// The key of an [`Item`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// An argument without a name.
    Position,
    /// The name of an argument.
    Keyword(String),
    /// The key of an entry: a text.
    Text(String),
    /// The key of an entry that is computed.
    Computed(Id),
    /// `**value`
    Spread,
}

impl Item {
    pub fn new(key: Key, value: Id) -> Self {
        Self { comments: Vec::new(), key, value, trailing: None }
    }

    /// `name=value`
    pub fn keyword(name: impl Into<String>, value: Id) -> Self {
        Self::new(Key::Keyword(name.into()), value)
    }

    /// `"key": value`
    pub fn entry(key: impl Into<String>, value: Id) -> Self {
        Self::new(Key::Text(key.into()), value)
    }
}

impl From<Id> for Item {
    fn from(value: Id) -> Self {
        Self::new(Key::Position, value)
    }
}

impl Node {
    /// Calls `visit` with every part, in the order of the text.
    pub fn for_each_part(&self, mut visit: impl FnMut(Id)) {
        let items = |items: &[Item], visit: &mut dyn FnMut(Id)| {
            for item in items {
                if let Key::Computed(key) = item.key {
                    visit(key);
                }
                visit(item.value);
            }
        };
        match self {
            Self::Name(_) | Self::Local(_) | Self::Text(_) => {}
            Self::Line(_) | Self::Documentation(_) | Self::Comment(_) | Self::Empty => {}
            Self::Template { values: parts, .. } | Self::List(parts) | Self::Tuple(parts) => {
                parts.iter().copied().for_each(visit);
            }
            Self::Def { body: parts, .. } | Self::Class { body: parts, .. } => {
                parts.iter().copied().for_each(visit);
            }
            Self::Member { object: part, .. }
            | Self::Lambda { body: part, .. }
            | Self::Unary { operand: part, .. }
            | Self::Star(part)
            | Self::Evaluate(part)
            | Self::Return(part)
            | Self::WithComment { node: part, .. } => visit(*part),
            Self::Index { object, key } => [*object, *key].into_iter().for_each(visit),
            Self::Call { callee, arguments, .. } => {
                visit(*callee);
                items(arguments, &mut visit);
            }
            Self::Dict { items: entries, .. } => items(entries, &mut visit),
            Self::Binary { left, right, .. } => [*left, *right].into_iter().for_each(visit),
            Self::Conditional { condition, if_true, if_false } => {
                [*if_true, *condition, *if_false].into_iter().for_each(visit);
            }
            Self::Comprehension { key, element, iterable, condition, .. } => {
                let parts = key.iter().chain([element, iterable]).chain(condition);
                parts.copied().for_each(visit);
            }
            Self::Assign { target, value, .. } => {
                visit(*target);
                value.iter().copied().for_each(visit);
            }
            Self::If { condition: head, body } | Self::For { iterable: head, body, .. } => {
                visit(*head);
                body.iter().copied().for_each(visit);
            }
        }
    }
}

impl Node {
    /// The expression with other parts.
    pub fn map_parts(self, mut map: impl FnMut(Id) -> Id) -> Self {
        let items = |items: Vec<Item>, map: &mut dyn FnMut(Id) -> Id| {
            let items = items.into_iter().map(|item| Item {
                key: match item.key {
                    Key::Computed(key) => Key::Computed(map(key)),
                    key => key,
                },
                value: map(item.value),
                ..item
            });
            items.collect()
        };
        match self {
            Self::Template { texts, values } => {
                Self::Template { texts, values: values.into_iter().map(map).collect() }
            }
            Self::Member { object, name } => Self::Member { object: map(object), name },
            Self::Index { object, key } => Self::Index { object: map(object), key: map(key) },
            Self::Call { callee, arguments, expanded } => {
                let callee = map(callee);
                Self::Call { callee, arguments: items(arguments, &mut map), expanded }
            }
            Self::Dict { items: entries, expanded } => {
                Self::Dict { items: items(entries, &mut map), expanded }
            }
            Self::List(parts) => Self::List(parts.into_iter().map(map).collect()),
            Self::Tuple(parts) => Self::Tuple(parts.into_iter().map(map).collect()),
            Self::Lambda { parameters, captures, body } => {
                Self::Lambda { parameters, captures, body: map(body) }
            }
            Self::Unary { operator, operand } => Self::Unary { operator, operand: map(operand) },
            Self::Binary { operator, left, right } => {
                Self::Binary { operator, left: map(left), right: map(right) }
            }
            Self::Conditional { condition, if_true, if_false } => Self::Conditional {
                condition: map(condition),
                if_true: map(if_true),
                if_false: map(if_false),
            },
            Self::Comprehension { key, element, target, iterable, condition } => {
                Self::Comprehension {
                    key: key.map(&mut map),
                    element: map(element),
                    target,
                    iterable: map(iterable),
                    condition: condition.map(&mut map),
                }
            }
            Self::Star(value) => Self::Star(map(value)),
            other => other,
        }
    }
}

/// A table of nodes.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// The columns of each expression on one line, roughly; too many for what has several lines.
    widths: Vec<u32>,
}

/// Stands for what is not in the table.
static NOTHING: Node = Node::Name(String::new());

/// The width of what has several lines.
const TALL: u32 = 10_000;

impl Tree {
    pub fn add(&mut self, node: Node) -> Id {
        let width = self.measure(&node);
        self.widths.push(width);
        self.nodes.push(node);
        Id(u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX))
    }

    pub fn node(&self, id: Id) -> &Node {
        self.nodes.get(id.0 as usize).unwrap_or(&NOTHING)
    }

    pub fn nodes(&self) -> impl Iterator<Item = (Id, &Node)> {
        (0..).map(Id).zip(&self.nodes)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The columns of an expression on one line, roughly.
    pub fn width(&self, id: Id) -> usize {
        self.widths.get(id.0 as usize).copied().unwrap_or(0) as usize
    }

    fn measure(&self, node: &Node) -> u32 {
        let own = match node {
            Node::Name(text) | Node::Local(text) => text.len(),
            Node::Text(text) if is_tall(text) => TALL as usize,
            Node::Text(text) => text.len() + 2,
            Node::Template { texts, .. } if texts.iter().any(|text| is_tall(text)) => TALL as usize,
            Node::Template { texts, values } => {
                texts.iter().map(String::len).sum::<usize>() + 2 * values.len() + 3
            }
            Node::Member { name, .. } => name.len() + 1,
            Node::Call { arguments: items, expanded, .. } | Node::Dict { items, expanded } => {
                let keys = items.iter().map(|item| match &item.key {
                    Key::Keyword(name) | Key::Text(name) => name.len() + 5,
                    Key::Position | Key::Computed(_) | Key::Spread => 2,
                });
                let tall = if *expanded { TALL as usize } else { 0 };
                keys.sum::<usize>() + 2 + tall
            }
            Node::List(parts) | Node::Tuple(parts) => 2 * parts.len() + 2,
            Node::Lambda { parameters, captures, .. } => {
                let names = parameters.iter().chain(captures).chain(captures);
                names.map(|name| name.len() + 2).sum::<usize>() + 8
            }
            Node::Conditional { .. } => 10,
            Node::Comprehension { target, .. } => {
                target.iter().map(|name| name.len() + 2).sum::<usize>() + 12
            }
            _ => 4,
        };
        let mut width = own;
        node.for_each_part(|part| width = width.saturating_add(self.width(part)));
        u32::try_from(width).unwrap_or(u32::MAX).min(TALL)
    }

    /// A node and all that it is made of, parts first.
    pub fn subtree(&self, root: Id) -> Vec<Id> {
        let mut found = Vec::new();
        // A node is added after its parts, so that their ids are smaller: the largest one that is
        // left is part of no other one that is left.
        let mut open = BinaryHeap::from([root]);
        while let Some(id) = open.pop() {
            if found.last() != Some(&id) {
                found.push(id);
                self.node(id).for_each_part(|part| open.push(part));
            }
        }
        found.reverse();
        found
    }

    pub fn name(&mut self, name: impl Into<String>) -> Id {
        self.add(Node::Name(name.into()))
    }

    pub fn local(&mut self, name: impl Into<String>) -> Id {
        self.add(Node::Local(name.into()))
    }

    pub fn text(&mut self, text: impl Into<String>) -> Id {
        self.add(Node::Text(text.into()))
    }

    pub fn member(&mut self, object: Id, name: impl Into<String>) -> Id {
        self.add(Node::Member { object, name: name.into() })
    }

    pub fn index(&mut self, object: Id, key: Id) -> Id {
        self.add(Node::Index { object, key })
    }

    /// `object["key"]`
    pub fn entry(&mut self, object: Id, key: &str) -> Id {
        let key = self.text(key);
        self.index(object, key)
    }

    /// `callee(arguments)`, where the callee is a name that may have dots.
    pub fn call(
        &mut self,
        callee: &str,
        arguments: impl IntoIterator<Item = impl Into<Item>>,
    ) -> Id {
        let callee = self.name(callee);
        self.call_of(callee, arguments)
    }

    pub fn call_of(
        &mut self,
        callee: Id,
        arguments: impl IntoIterator<Item = impl Into<Item>>,
    ) -> Id {
        let arguments = arguments.into_iter().map(Into::into).collect();
        self.add(Node::Call { callee, arguments, expanded: false })
    }

    /// `object.name(arguments)`
    pub fn method(
        &mut self,
        object: Id,
        name: &str,
        arguments: impl IntoIterator<Item = impl Into<Item>>,
    ) -> Id {
        let callee = self.member(object, name);
        self.call_of(callee, arguments)
    }

    /// `object.name()`
    pub fn getter(&mut self, object: Id, name: &str) -> Id {
        self.method(object, name, [] as [Id; 0])
    }

    pub fn list(&mut self, elements: impl Into<Vec<Id>>) -> Id {
        self.add(Node::List(elements.into()))
    }

    pub fn dict(&mut self, items: Vec<Item>) -> Id {
        self.add(Node::Dict { items, expanded: false })
    }

    pub fn binary(&mut self, left: Id, operator: &'static str, right: Id) -> Id {
        self.add(Node::Binary { operator, left, right })
    }

    /// `not value`, or the opposite of a comparison with `None`.
    pub fn not(&mut self, value: Id) -> Id {
        let opposite = |operator| match operator {
            "is" => Some("is not"),
            "is not" => Some("is"),
            _ => None,
        };
        match *self.node(value) {
            Node::Binary { operator, left, right } if opposite(operator).is_some() => {
                let operator = opposite(operator).unwrap_or(operator);
                self.binary(left, operator, right)
            }
            _ => self.add(Node::Unary { operator: "not ", operand: value }),
        }
    }

    pub fn conditional(&mut self, condition: Id, if_true: Id, if_false: Id) -> Id {
        self.add(Node::Conditional { condition, if_true, if_false })
    }

    /// `name = value`
    pub fn assign(&mut self, name: &str, value: Id) -> Id {
        let target = self.name(name);
        self.add(Node::Assign { target, ty: None, value: Some(value) })
    }

    /// `name: ty = value`
    pub fn declare(&mut self, name: &str, ty: impl Into<String>, value: Option<Id>) -> Id {
        let target = self.name(name);
        self.add(Node::Assign { target, ty: Some(ty.into()), value })
    }

    /// The names of the variables of functions and loops that an expression uses and does not bind.
    pub fn free(&self, root: Id) -> Vec<String> {
        let mut free: Vec<String> = Vec::new();
        let mut bound: Vec<String> = Vec::new();
        let mut open = vec![root];
        // No two variables of a value have the same name, so their places do not matter.
        while let Some(id) = open.pop() {
            let node = self.node(id);
            match node {
                Node::Local(name) => free.push(name.clone()),
                Node::Lambda { parameters, captures, .. } => {
                    bound.extend(parameters.iter().cloned());
                    free.extend(captures.iter().cloned());
                }
                Node::Comprehension { target, .. } => bound.extend(target.iter().cloned()),
                _ => {}
            }
            node.for_each_part(|part| open.push(part));
        }
        free.retain(|name| !bound.contains(name));
        free.sort_unstable();
        free.dedup();
        free
    }

    /// Lets the functions in a body use some variables of the function around them: these do not
    /// change before the functions run.
    pub fn release(&mut self, body: Id, names: &[String]) {
        for id in self.subtree(body) {
            if let Some(Node::Lambda { captures, .. }) = self.nodes.get_mut(id.0 as usize) {
                captures.retain(|name| !names.contains(name));
            }
        }
    }

    /// Replaces a node.
    pub fn replace(&mut self, id: Id, node: Node) {
        if let Some(slot) = self.nodes.get_mut(id.0 as usize) {
            *slot = node;
        }
    }
}

/// Returns true for texts that are written on several lines.
pub(super) fn is_tall(text: &str) -> bool {
    text.strip_suffix('\n').unwrap_or(text).contains('\n')
}
