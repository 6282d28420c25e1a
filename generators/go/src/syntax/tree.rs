//! Go as a tree: the expressions and statements that generated programs have.

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    /// A name, a literal, or a path of names: what is printed as it stands and binds most tightly.
    Text(String),
    /// `source.name`
    Selector(Box<Self>, String),
    /// `callee(arguments)`, with `...` behind the last one if it `expands`.
    Call { callee: Box<Self>, arguments: Vec<Self>, expands: bool },
    /// `source[key]`
    Index(Box<Self>, Box<Self>),
    /// `source.(type)`
    Assert(Box<Self>, String),
    /// `type{items}`: each on a line of its own if `on_lines`.
    Composite { ty: String, items: Vec<Item>, on_lines: bool },
    /// `func(parameters) results { .. }`
    Function { parameters: String, results: String, body: Vec<Stmt> },
    /// `-x`, `!x`, `*x`, `&x`
    Unary(&'static str, Box<Self>),
    /// `a + b` and its like.
    Binary(&'static str, Box<Self>, Box<Self>),
}

/// An item of a composite literal.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Item {
    /// The comments above it.
    pub comments: Vec<String>,
    pub key: Option<String>,
    pub value: Expr,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stmt {
    /// An expression for its effect.
    Evaluate(Expr),
    /// `names := value`, or with `=` where the names are known. [`tidy`](super::tidy) decides that.
    Define { names: Vec<String>, value: Expr, is_new: bool },
    /// `target = value`
    Assign { target: Expr, value: Expr },
    /// `var name type = value`
    Declare { name: String, ty: String, value: Option<Expr> },
    /// `if condition { body } else { otherwise }`
    If { condition: Expr, body: Vec<Self>, otherwise: Vec<Self> },
    /// `for key, value := range over { body }`, without the names that are not used.
    Range { key: String, value: String, over: Expr, body: Vec<Self> },
    /// `return values`
    Return(Vec<Expr>),
    /// `return .., err`: the values depend on the function, which is not complete yet.
    Fail,
    /// Comments, each on a line.
    Comment(Vec<String>),
    /// A blank line.
    Blank,
}

/// A field of a struct.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Field {
    pub comments: Vec<String>,
    pub name: String,
    /// The type; empty for an embedded one.
    pub ty: String,
}

/// A declaration of a file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Declaration {
    /// `func head { body }`
    Function { comments: Vec<String>, head: String, body: Vec<Stmt> },
    /// `type name struct { fields }`
    Struct { comments: Vec<String>, name: String, fields: Vec<Field> },
}

impl Expr {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// `nil`
    pub fn nil() -> Self {
        Self::text("nil")
    }

    /// A text in quotes.
    pub fn quoted(text: &str) -> Self {
        Self::Text(super::quoted(text))
    }

    /// `function(arguments)`
    pub fn call(function: impl Into<String>, arguments: impl Into<Vec<Self>>) -> Self {
        Self::text(function).called(arguments)
    }

    /// `self(arguments)`
    pub fn called(self, arguments: impl Into<Vec<Self>>) -> Self {
        Self::Call { callee: Box::new(self), arguments: arguments.into(), expands: false }
    }

    /// `self.name`
    pub fn member(self, name: impl Into<String>) -> Self {
        Self::Selector(Box::new(self), name.into())
    }

    /// `self.name(arguments)`
    pub fn method(self, name: &str, arguments: impl Into<Vec<Self>>) -> Self {
        self.member(name).called(arguments)
    }

    /// `self[key]`
    pub fn index(self, key: Self) -> Self {
        Self::Index(Box::new(self), Box::new(key))
    }

    /// `self.(ty)`
    pub fn assert(self, ty: impl Into<String>) -> Self {
        Self::Assert(Box::new(self), ty.into())
    }

    pub fn unary(operator: &'static str, operand: Self) -> Self {
        Self::Unary(operator, Box::new(operand))
    }

    pub fn binary(operator: &'static str, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    /// `ty{a, b}` with the items on one line.
    pub fn list(ty: impl Into<String>, values: impl IntoIterator<Item = Self>) -> Self {
        let items: Vec<Item> = values.into_iter().map(Item::of).collect();
        let on_lines = !items.is_empty();
        Self::Composite { ty: ty.into(), items, on_lines }
    }

    /// Returns true for `nil`.
    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Text(text) if text == "nil")
    }

    /// Returns true if reading the expression twice costs nothing.
    pub fn is_simple(&self) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Selector(source, _) => source.is_simple(),
            _ => false,
        }
    }

    /// Calls `visit` with each expression directly inside.
    pub fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        match self {
            Self::Text(_) | Self::Function { .. } => {}
            Self::Selector(part, _) | Self::Assert(part, _) | Self::Unary(_, part) => visit(part),
            Self::Index(left, right) | Self::Binary(_, left, right) => {
                visit(left);
                visit(right);
            }
            Self::Call { callee, arguments, .. } => {
                visit(callee);
                arguments.iter().for_each(visit);
            }
            Self::Composite { items, .. } => items.iter().for_each(|item| visit(&item.value)),
        }
    }
}

impl Item {
    /// An element.
    pub fn of(value: Expr) -> Self {
        Self { comments: Vec::new(), key: None, value }
    }

    /// `key: value`
    pub fn keyed(key: impl Into<String>, value: Expr) -> Self {
        Self { comments: Vec::new(), key: Some(key.into()), value }
    }
}

impl Stmt {
    /// `names := value`
    pub fn define<const N: usize>(names: [&str; N], value: Expr) -> Self {
        Self::Define { names: names.map(str::to_owned).into(), value, is_new: true }
    }

    /// `name = value`
    pub fn assign(name: &str, value: Expr) -> Self {
        Self::Assign { target: Expr::text(name), value }
    }

    /// `if err != nil { return .., err }`
    pub fn check() -> Self {
        let condition = Expr::binary("!=", Expr::text("err"), Expr::nil());
        Self::If { condition, body: vec![Self::Fail], otherwise: Vec::new() }
    }
}
