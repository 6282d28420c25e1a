//! TypeScript as a tree. Nodes are in one table, parts before what contains them, so that nothing
//! recurses.

use std::collections::BinaryHeap;

/// A node: a position in a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Id(pub u32);

/// An expression, type or statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// A name, a number or a word such as `true`; also several names with dots between them.
    Name(String),
    /// A string.
    Text(String),
    /// A template: one text more than there are values.
    Template {
        /// The function that makes the value, such as `pulumi.interpolate`.
        tag: Option<&'static str>,
        texts: Vec<String>,
        values: Vec<Id>,
    },
    Member {
        object: Id,
        name: String,
        /// `?.`
        optional: bool,
    },
    Index {
        object: Id,
        key: Id,
        /// `?.[`
        optional: bool,
    },
    Call {
        callee: Id,
        /// The type arguments.
        types: Vec<Id>,
        arguments: Vec<Id>,
    },
    New {
        callee: Id,
        arguments: Vec<Id>,
    },
    Object {
        entries: Vec<Entry>,
        /// True if each entry is on a line of its own, even if all would fit on one line.
        expanded: bool,
    },
    Array(Vec<Id>),
    Arrow {
        is_async: bool,
        parameters: Vec<Id>,
        /// An expression or a block.
        body: Id,
    },
    Unary {
        operator: &'static str,
        operand: Id,
    },
    Binary {
        operator: &'static str,
        left: Id,
        right: Id,
    },
    Conditional {
        condition: Id,
        if_true: Id,
        if_false: Id,
    },
    /// `value as ty`
    As {
        value: Id,
        ty: Id,
    },
    /// `value!`
    NonNull(Id),
    Await(Id),
    /// `...value`
    Spread(Id),
    /// `name: ty`, a parameter.
    Parameter {
        name: String,
        /// `?:`
        optional: bool,
        ty: Id,
    },

    /// A type with arguments: `Record<string, number>`.
    Generic {
        name: String,
        arguments: Vec<Id>,
    },
    ObjectType(Vec<Field>),
    ArrayType(Id),
    TupleType(Vec<Id>),
    UnionType(Vec<Id>),

    /// `{ .. }`
    Block(Vec<Id>),
    /// `const name: ty = value;`, also with other words before it.
    Declare {
        words: &'static str,
        name: String,
        ty: Option<Id>,
        value: Option<Id>,
    },
    /// `target = value;`
    Assign {
        target: Id,
        value: Id,
    },
    /// `value;`
    Evaluate(Id),
    /// `throw value;` and `return value;`
    Leave {
        word: &'static str,
        value: Id,
    },
    /// `for (const name of values) body`
    ForOf {
        name: Id,
        values: Id,
        body: Id,
    },
    /// `export interface name { .. }`
    Interface {
        name: String,
        fields: Vec<Field>,
    },
    /// `export class name extends base { .. }`
    Class {
        name: String,
        base: &'static str,
        members: Vec<Id>,
    },
    /// `public readonly name: ty;`
    Property {
        name: String,
        ty: Id,
    },
    Constructor {
        parameters: Vec<Id>,
        body: Id,
    },
    /// `export { name as shown };`
    Export {
        name: String,
        shown: String,
    },
    /// `export = value;`
    ExportAll(Id),
    /// A line of text as it is, such as an import.
    Line(String),
    /// Comments in the lines above something.
    Comment(Vec<String>),
    /// Something with comments behind it on its line.
    WithComment {
        node: Id,
        comment: String,
    },
    /// An empty line.
    Empty,
}

/// An entry of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Entry {
    /// Lines above it.
    pub comments: Vec<String>,
    pub key: Key,
    pub value: Id,
    /// Text behind it on its line.
    pub trailing: Option<String>,
}

/// The key of an entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Name(String),
    /// `[expression]`
    Computed(Id),
    /// The value is spread.
    Spread,
}

/// A property of an object type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Field {
    /// Lines above it, for a documentation comment.
    pub description: Vec<String>,
    pub name: String,
    pub optional: bool,
    pub ty: Id,
}

impl Entry {
    pub fn new(key: impl Into<String>, value: Id) -> Self {
        Self::with_key(Key::Name(key.into()), value)
    }

    pub fn with_key(key: Key, value: Id) -> Self {
        Self { comments: Vec::new(), key, value, trailing: None }
    }
}

/// A table of nodes.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

/// Stands for what is not in the table.
static NOTHING: Node = Node::Name(String::new());

impl Tree {
    pub fn add(&mut self, node: Node) -> Id {
        self.nodes.push(node);
        Id(u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX))
    }

    pub fn node(&self, id: Id) -> &Node {
        self.nodes.get(id.0 as usize).unwrap_or(&NOTHING)
    }

    pub fn nodes(&self) -> impl Iterator<Item = (Id, &Node)> {
        (0..).map(Id).zip(&self.nodes)
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

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn name(&mut self, name: impl Into<String>) -> Id {
        self.add(Node::Name(name.into()))
    }

    pub fn text(&mut self, text: impl Into<String>) -> Id {
        self.add(Node::Text(text.into()))
    }

    pub fn member(&mut self, object: Id, name: &str) -> Id {
        self.access(object, name, false)
    }

    /// `object.name`, or `object["name"]` if the name is no identifier.
    pub fn access(&mut self, object: Id, name: &str, optional: bool) -> Id {
        if is_identifier(name) {
            let name = name.to_owned();
            return self.add(Node::Member { object, name, optional });
        }
        let key = self.text(name);
        self.add(Node::Index { object, key, optional })
    }

    pub fn index(&mut self, object: Id, key: Id, optional: bool) -> Id {
        self.add(Node::Index { object, key, optional })
    }

    /// `name(arguments)`, where the name may have dots.
    pub fn call(&mut self, callee: &str, arguments: impl Into<Vec<Id>>) -> Id {
        self.typed_call(callee, [], arguments)
    }

    /// `name<types>(arguments)`, where the name may have dots.
    pub fn typed_call(
        &mut self,
        callee: &str,
        types: impl Into<Vec<Id>>,
        arguments: impl Into<Vec<Id>>,
    ) -> Id {
        let callee = self.path(callee);
        self.add(Node::Call { callee, types: types.into(), arguments: arguments.into() })
    }

    /// `new name(arguments)`, where the name may have dots.
    pub fn construct(&mut self, class: &str, arguments: impl Into<Vec<Id>>) -> Id {
        let callee = self.path(class);
        self.add(Node::New { callee, arguments: arguments.into() })
    }

    pub fn call_of(&mut self, callee: Id, arguments: impl Into<Vec<Id>>) -> Id {
        let arguments = arguments.into();
        self.add(Node::Call { callee, types: Vec::new(), arguments })
    }

    /// `object.method(arguments)`
    pub fn method(&mut self, object: Id, method: &str, arguments: impl Into<Vec<Id>>) -> Id {
        let callee = self.member(object, method);
        self.call_of(callee, arguments)
    }

    /// `object.method<types>(arguments)`
    pub fn typed_method(
        &mut self,
        object: Id,
        method: &str,
        types: Vec<Id>,
        arguments: impl Into<Vec<Id>>,
    ) -> Id {
        let callee = self.member(object, method);
        self.add(Node::Call { callee, types, arguments: arguments.into() })
    }

    /// Names with dots between them, as accesses.
    pub fn path(&mut self, path: &str) -> Id {
        let mut names = path.split('.');
        let mut node = self.name(names.next().unwrap_or_default());
        for name in names {
            node = self.member(node, name);
        }
        node
    }

    pub fn object(&mut self, entries: Vec<Entry>) -> Id {
        let expanded = false;
        self.add(Node::Object { entries, expanded })
    }

    pub fn array(&mut self, elements: impl Into<Vec<Id>>) -> Id {
        self.add(Node::Array(elements.into()))
    }

    pub fn arrow(&mut self, parameters: impl Into<Vec<Id>>, body: Id) -> Id {
        let parameters = parameters.into();
        let is_async = false;
        self.add(Node::Arrow { is_async, parameters, body })
    }

    pub fn binary(&mut self, left: Id, operator: &'static str, right: Id) -> Id {
        self.add(Node::Binary { operator, left, right })
    }

    /// `const name = value;`
    pub fn constant(&mut self, name: String, value: Id) -> Id {
        self.add(Node::Declare { words: "const", name, ty: None, value: Some(value) })
    }

    pub fn conditional(&mut self, condition: Id, if_true: Id, if_false: Id) -> Id {
        self.add(Node::Conditional { condition, if_true, if_false })
    }

    /// Returns true for `[]`.
    pub fn is_empty_array(&self, id: Id) -> bool {
        matches!(self.node(id), Node::Array(elements) if elements.is_empty())
    }

    pub fn generic(&mut self, name: &str, arguments: impl Into<Vec<Id>>) -> Id {
        let (name, arguments) = (name.to_owned(), arguments.into());
        self.add(Node::Generic { name, arguments })
    }
}

impl Node {
    /// Calls `visit` with every part.
    pub fn for_each_part(&self, mut visit: impl FnMut(Id)) {
        match self {
            Self::Name(_)
            | Self::Text(_)
            | Self::Line(_)
            | Self::Comment(_)
            | Self::Export { .. }
            | Self::Empty => {}
            Self::Template { values: parts, .. }
            | Self::Array(parts)
            | Self::TupleType(parts)
            | Self::UnionType(parts)
            | Self::Block(parts)
            | Self::Generic { arguments: parts, .. }
            | Self::Class { members: parts, .. } => parts.iter().copied().for_each(visit),
            Self::Member { object: part, .. }
            | Self::Unary { operand: part, .. }
            | Self::NonNull(part)
            | Self::Await(part)
            | Self::Spread(part)
            | Self::Parameter { ty: part, .. }
            | Self::ArrayType(part)
            | Self::Evaluate(part)
            | Self::ExportAll(part)
            | Self::Leave { value: part, .. }
            | Self::Property { ty: part, .. }
            | Self::WithComment { node: part, .. } => visit(*part),
            Self::Index { object, key, .. } => [*object, *key].into_iter().for_each(visit),
            Self::Call { callee, types, arguments } => {
                visit(*callee);
                types.iter().chain(arguments).copied().for_each(visit);
            }
            Self::New { callee, arguments } => {
                visit(*callee);
                arguments.iter().copied().for_each(visit);
            }
            Self::Object { entries, .. } => {
                for entry in entries {
                    if let Key::Computed(key) = entry.key {
                        visit(key);
                    }
                    visit(entry.value);
                }
            }
            Self::Arrow { parameters, body, .. } | Self::Constructor { parameters, body } => {
                parameters.iter().copied().for_each(&mut visit);
                visit(*body);
            }
            Self::Binary { left, right, .. }
            | Self::As { value: left, ty: right }
            | Self::Assign { target: left, value: right } => {
                [*left, *right].into_iter().for_each(visit)
            }
            Self::Conditional { condition, if_true, if_false } => {
                [*condition, *if_true, *if_false].into_iter().for_each(visit)
            }
            Self::ObjectType(fields) | Self::Interface { fields, .. } => {
                fields.iter().for_each(|field| visit(field.ty));
            }
            Self::Declare { ty, value, .. } => ty.iter().chain(value).copied().for_each(visit),
            Self::ForOf { name, values, body } => {
                [*name, *values, *body].into_iter().for_each(visit);
            }
        }
    }
}

/// Returns true if a text is a plain identifier in ASCII, reserved or not.
pub(crate) fn is_identifier(text: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$');
    text.starts_with(is_start) && text.chars().all(|c| is_start(c) || c.is_ascii_digit())
}
