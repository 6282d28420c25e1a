//! Java as a tree: the expressions and statements that generated programs have.

use rustc_hash::FxHashSet;

use super::scan::uses;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    /// A name, a literal, or a path of names: what is printed as it stands.
    Text(String),
    /// `source.name(arguments)`, or `name(arguments)` without a source; with the comments above it.
    Call {
        source: Option<Box<Self>>,
        /// The name, with the type arguments before it.
        name: String,
        arguments: Vec<Self>,
        comments: Vec<String>,
    },
    /// `source.name`
    Field(Box<Self>, String),
    /// `new class(arguments)`
    New { class: String, arguments: Vec<Self> },
    /// `parameters -> body`
    Lambda { parameters: String, body: Box<Body> },
    /// `c ? a : b`
    Conditional(Box<[Self; 3]>),
    /// `(ty) value`
    Cast(String, Box<Self>),
    /// `-x`, `!x`
    Unary(&'static str, Box<Self>),
    /// `a + b` and its like.
    Binary(&'static str, Box<Self>, Box<Self>),
}

/// The body of a function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Body {
    Value(Expr),
    Block(Vec<Stmt>),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stmt {
    /// An expression for its effect.
    Evaluate(Expr),
    /// `final ty name = value;`
    Define { ty: String, name: String, value: Option<Expr> },
    /// `target = value;`
    Assign { target: String, value: Expr },
    /// `if (condition) { body } else { otherwise }`
    If { condition: Expr, body: Vec<Self>, otherwise: Vec<Self> },
    /// `for (final var name : over) { body }`
    For { name: String, over: Expr, body: Vec<Self> },
    /// `return value;`
    Return(Expr),
    /// Comments, each on a line.
    Comment(Vec<String>),
    /// A blank line.
    Blank,
}

impl Expr {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// `null`
    pub fn null() -> Self {
        Self::text("null")
    }

    /// A text in quotes.
    pub fn quoted(text: &str) -> Self {
        super::quoted(text)
    }

    /// `name(arguments)`; a path before the name is the source.
    pub fn call(path: &str, arguments: impl Into<Vec<Self>>) -> Self {
        match path.rsplit_once('.') {
            Some((source, name)) => Self::text(source).method(name, arguments),
            None => Self::Call {
                source: None,
                name: path.to_owned(),
                arguments: arguments.into(),
                comments: Vec::new(),
            },
        }
    }

    /// `self.name(arguments)`
    pub fn method(self, name: &str, arguments: impl Into<Vec<Self>>) -> Self {
        Self::Call {
            source: Some(Box::new(self)),
            name: name.to_owned(),
            arguments: arguments.into(),
            comments: Vec::new(),
        }
    }

    /// `self.name`
    pub fn field(self, name: impl Into<String>) -> Self {
        Self::Field(Box::new(self), name.into())
    }

    /// `new class(arguments)`
    pub fn new(class: impl Into<String>, arguments: impl Into<Vec<Self>>) -> Self {
        Self::New { class: class.into(), arguments: arguments.into() }
    }

    pub fn lambda(parameters: impl Into<String>, body: Self) -> Self {
        Self::Lambda { parameters: parameters.into(), body: Box::new(Body::Value(body)) }
    }

    pub fn conditional(condition: Self, if_true: Self, if_false: Self) -> Self {
        Self::Conditional(Box::new([condition, if_true, if_false]))
    }

    pub fn cast(self, ty: impl Into<String>) -> Self {
        Self::Cast(ty.into(), Box::new(self))
    }

    pub fn unary(operator: &'static str, operand: Self) -> Self {
        Self::Unary(operator, Box::new(operand))
    }

    pub fn binary(operator: &'static str, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Returns true for `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Text(text) if text == "null")
    }

    /// Returns true if reading the expression twice costs nothing.
    pub fn is_simple(&self) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Field(source, _) => source.is_simple(),
            Self::Call { source: Some(source), name, arguments, .. } => {
                ["getKey", "getValue"].contains(&name.as_str())
                    && arguments.is_empty()
                    && source.is_simple()
            }
            _ => false,
        }
    }

    /// Returns true for a value that is certainly there.
    pub fn is_present(&self) -> bool {
        match self {
            Self::Text(text) => {
                text.starts_with(|c: char| c == '"' || c.is_ascii_digit())
                    || text == "true"
                    || text == "false"
            }
            Self::New { .. } | Self::Lambda { .. } | Self::Unary(..) | Self::Binary(..) => true,
            Self::Call { source, name, .. } => {
                let of = |class: &str| source.as_deref() == Some(&Self::text(class));
                name == "build"
                    || ["of", "ofEntries"].contains(&name.as_str()) && (of("List") || of("Map"))
                    || of("String") && ["format", "join", "valueOf"].contains(&name.as_str())
            }
            _ => false,
        }
    }

    /// Adds the names that the expression reads.
    pub fn names(&self, names: &mut FxHashSet<String>) {
        let mut add = |text: &str| {
            let read = uses(text).into_iter().filter(|it| !it.is_member);
            names.extend(read.map(|it| it.name.to_owned()));
        };
        match self {
            Self::Text(text) => add(text),
            Self::Call { source, name, arguments, .. } => {
                if name.contains('<') {
                    add(name);
                }
                source.iter().for_each(|source| source.names(names));
                arguments.iter().for_each(|argument| argument.names(names));
            }
            Self::New { class, arguments } => {
                add(class);
                arguments.iter().for_each(|argument| argument.names(names));
            }
            Self::Lambda { body, .. } => match &**body {
                Body::Value(value) => value.names(names),
                Body::Block(body) => body.iter().for_each(|statement| statement.names(names)),
            },
            Self::Conditional(parts) => parts.iter().for_each(|part| part.names(names)),
            Self::Cast(ty, value) => {
                add(ty);
                value.names(names);
            }
            Self::Field(part, _) | Self::Unary(_, part) => part.names(names),
            Self::Binary(_, left, right) => {
                left.names(names);
                right.names(names);
            }
        }
    }
}

impl Stmt {
    /// `final var name = value;`
    pub fn define(name: impl Into<String>, value: Expr) -> Self {
        Self::Define { ty: "var".to_owned(), name: name.into(), value: Some(value) }
    }

    pub fn assign(target: impl Into<String>, value: Expr) -> Self {
        Self::Assign { target: target.into(), value }
    }

    /// Adds the names that the statement reads.
    fn names(&self, names: &mut FxHashSet<String>) {
        match self {
            Self::Evaluate(value) | Self::Return(value) | Self::Assign { value, .. } => {
                value.names(names);
            }
            Self::Define { value, .. } => value.iter().for_each(|value| value.names(names)),
            Self::If { condition, body, otherwise } => {
                condition.names(names);
                body.iter().chain(otherwise).for_each(|statement| statement.names(names));
            }
            Self::For { over, body, .. } => {
                over.names(names);
                body.iter().for_each(|statement| statement.names(names));
            }
            Self::Comment(_) | Self::Blank => {}
        }
    }
}

/// Returns true if a name is read in statements.
pub(crate) fn mentions(body: &[Stmt], name: &str) -> bool {
    let mut names = FxHashSet::default();
    body.iter().for_each(|statement| statement.names(&mut names));
    names.contains(name)
}
