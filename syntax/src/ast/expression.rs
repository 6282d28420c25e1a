//! Expressions: literals, and those made of operators.

use pcl_diagnostics::TextRange;

use crate::ast::collection::{Call, Object, Tuple};
use crate::ast::for_expr::For;
use crate::ast::heredoc::Heredoc;
use crate::ast::template::Template;
use crate::ast::traversal::{Index, Splat, Traversal};
use crate::ast::view::{AstNode, node};
use crate::kind::SyntaxKind;
use crate::tree::{Element, NodeId, SyntaxNode, SyntaxToken};

/// A view of an expression, by its production.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expr<'t> {
    /// A number, `true`, `false`, `null`.
    Literal(Literal<'t>),
    /// `".."`
    Template(Template<'t>),
    /// `<<MARKER ..`
    Heredoc(Heredoc<'t>),
    /// A variable.
    Name(Name<'t>),
    /// `a.b[0]`: parts known when parsing.
    Traversal(Traversal<'t>),
    /// `a.*`, `a[*]`
    Splat(Splat<'t>),
    /// `a[key]` with a computed key.
    Index(Index<'t>),
    /// `f(..)`
    Call(Call<'t>),
    /// `[..]`
    Tuple(Tuple<'t>),
    /// `{..}`
    Object(Object<'t>),
    /// `[for ..]`, `{for ..}`
    For(For<'t>),
    /// `a ? b : c`
    Conditional(Conditional<'t>),
    /// `a + b`
    Binary(Binary<'t>),
    /// `-a`, `!a`
    Unary(Unary<'t>),
    /// `(a)`
    Paren(Paren<'t>),
    /// Text that could not be understood.
    Bogus(SyntaxNode<'t>),
}

impl<'t> AstNode<'t> for Expr<'t> {
    fn cast(node: SyntaxNode<'t>) -> Option<Self> {
        use SyntaxKind as K;
        Some(match node.kind() {
            K::Literal => Self::Literal(Literal(node)),
            K::Template => Self::Template(Template(node)),
            K::Heredoc => Self::Heredoc(Heredoc(node)),
            K::Name => Self::Name(Name(node)),
            K::Traversal => Self::Traversal(Traversal(node)),
            K::Splat => Self::Splat(Splat(node)),
            K::Index => Self::Index(Index(node)),
            K::Call => Self::Call(Call(node)),
            K::Tuple => Self::Tuple(Tuple(node)),
            K::Object => Self::Object(Object(node)),
            K::ForTuple | K::ForObject => Self::For(For(node)),
            K::Conditional => Self::Conditional(Conditional(node)),
            K::Binary => Self::Binary(Binary(node)),
            K::Unary => Self::Unary(Unary(node)),
            K::Paren => Self::Paren(Paren(node)),
            K::BogusExpr => Self::Bogus(node),
            _ => return None,
        })
    }

    fn syntax(self) -> SyntaxNode<'t> {
        match self {
            Self::Literal(view) => view.0,
            Self::Template(view) => view.0,
            Self::Heredoc(view) => view.0,
            Self::Name(view) => view.0,
            Self::Traversal(view) => view.0,
            Self::Splat(view) => view.0,
            Self::Index(view) => view.0,
            Self::Call(view) => view.0,
            Self::Tuple(view) => view.0,
            Self::Object(view) => view.0,
            Self::For(view) => view.0,
            Self::Conditional(view) => view.0,
            Self::Binary(view) => view.0,
            Self::Unary(view) => view.0,
            Self::Paren(view) => view.0,
            Self::Bogus(node) => node,
        }
    }
}

impl<'t> Expr<'t> {
    /// The node that this is a view of.
    pub fn syntax(self) -> SyntaxNode<'t> {
        AstNode::syntax(self)
    }

    /// Its bytes, without spaces and comments around it.
    pub fn range(self) -> TextRange {
        self.syntax().range()
    }
}

node! {
    /// A variable.
    Name = Name
}

impl<'t> Name<'t> {
    /// The name as it is written, which is not normalised.
    pub fn text(self) -> &'t str {
        self.0.text()
    }

    /// The traversal that begins with the name.
    pub fn traversal(self) -> Option<Traversal<'t>> {
        // A node comes directly before its first child.
        let before = NodeId(self.0.id().0.checked_sub(1)?);
        let traversal = Traversal::cast(self.0.tree().node(before))?;
        (traversal.receiver() == Expr::Name(self)).then_some(traversal)
    }
}

/// An operator between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

impl BinaryOperator {
    fn of(kind: SyntaxKind) -> Option<Self> {
        use SyntaxKind as K;
        Some(match kind {
            K::OrOr => Self::Or,
            K::AndAnd => Self::And,
            K::EqualEqual => Self::Equal,
            K::NotEqual => Self::NotEqual,
            K::Less => Self::Less,
            K::LessEqual => Self::LessEqual,
            K::Greater => Self::Greater,
            K::GreaterEqual => Self::GreaterEqual,
            K::Plus => Self::Add,
            K::Minus => Self::Subtract,
            K::Star => Self::Multiply,
            K::Slash => Self::Divide,
            K::Percent => Self::Modulo,
            _ => return None,
        })
    }

    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
        }
    }
}

node! {
    /// `left operator right`
    Binary = Binary
}

impl<'t> Binary<'t> {
    /// The token of the operator.
    pub fn operator_token(self) -> Option<SyntaxToken<'t>> {
        let left = self.0.children().next()?;
        self.0.tokens_after(left).find(|token| BinaryOperator::of(token.kind()).is_some())
    }

    /// The operator. The parser makes the node for the operator's sake, so there always is one.
    pub fn operator(self) -> BinaryOperator {
        self.operator_token()
            .and_then(|token| BinaryOperator::of(token.kind()))
            .unwrap_or(BinaryOperator::Add)
    }

    /// The left operand. A chain of operators leans to the left: descend in a loop.
    pub fn left(self) -> Option<Expr<'t>> {
        expressions(self.0).next()
    }

    /// The right operand; `None` when the text ends before it.
    pub fn right(self) -> Option<Expr<'t>> {
        expressions(self.0).nth(1)
    }
}

/// An operator before its operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
}

impl UnaryOperator {
    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Negate => "-",
            Self::Not => "!",
        }
    }
}

node! {
    /// `operator operand`
    Unary = Unary
}

impl<'t> Unary<'t> {
    /// The operator, which is the first token.
    pub fn operator(self) -> UnaryOperator {
        match self.0.first_token() {
            Some(token) if token.kind() == SyntaxKind::Bang => UnaryOperator::Not,
            _ => UnaryOperator::Negate,
        }
    }

    /// The operand; `None` when nothing follows the operator.
    pub fn operand(self) -> Option<Expr<'t>> {
        expressions(self.0).next()
    }
}

node! {
    /// `condition ? if_true : if_false`
    Conditional = Conditional
}

impl<'t> Conditional<'t> {
    /// The condition: the expression before `?`.
    pub fn condition(self) -> Option<Expr<'t>> {
        expressions(self.0).next()
    }

    /// The value when the condition holds.
    pub fn if_true(self) -> Option<Expr<'t>> {
        if !self.0.contains_error() {
            return expressions(self.0).nth(1);
        }
        let value = expression_after(self.0, SyntaxKind::Question)?;
        // `a ? : b` has nothing between the two.
        let colon = self.0.own_token(SyntaxKind::Colon);
        match colon {
            Some(colon) if value.range().start() > colon.range().start() => None,
            _ => Some(value),
        }
    }

    /// The value when it does not.
    pub fn if_false(self) -> Option<Expr<'t>> {
        if !self.0.contains_error() {
            return expressions(self.0).nth(2);
        }
        expression_after(self.0, SyntaxKind::Colon)
    }
}

node! {
    /// `(inner)`
    Paren = Paren
}

impl<'t> Paren<'t> {
    /// The expression between the parentheses.
    pub fn inner(self) -> Option<Expr<'t>> {
        expressions(self.0).next()
    }
}

/// The expressions directly below a node.
pub(super) fn expressions<'t>(node: SyntaxNode<'t>) -> impl Iterator<Item = Expr<'t>> {
    node.children().filter_map(Expr::cast)
}

/// The first expression directly below a node that comes after a token of this kind.
pub(super) fn expression_after(node: SyntaxNode<'_>, kind: SyntaxKind) -> Option<Expr<'_>> {
    let mut seen = false;
    for element in node.elements() {
        match element {
            Element::Token(token) => seen |= token.kind() == kind,
            Element::Node(child) if seen => {
                if let Some(expr) = Expr::cast(child) {
                    return Some(expr);
                }
            }
            Element::Node(_) => {}
        }
    }
    None
}

node! {
    /// A number, `true`, `false` or `null`.
    Literal = Literal
}

/// The value of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiteralKind<'t> {
    /// A number as written: digits, an optional fraction, an optional exponent; no sign. A
    /// malformed number (which has an error) is given as written too.
    Number(&'t str),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
}

impl<'t> Literal<'t> {
    /// The value that is written, numbers still as text.
    pub fn kind(self) -> LiteralKind<'t> {
        let text = self.0.text();
        match text {
            "true" => LiteralKind::Bool(true),
            "false" => LiteralKind::Bool(false),
            "null" => LiteralKind::Null,
            _ => LiteralKind::Number(text),
        }
    }

    /// Returns whether it is a number.
    pub fn is_number(self) -> bool {
        self.0.first_token().is_some_and(|token| token.kind() == SyntaxKind::Number)
    }
}
