//! Typed expressions, and the checker that makes them from syntax.
//!
//! Expressions live in one [`ExprArena`] per program, operands before the expression that uses them, so that everything that belongs to an
//! expression is one stretch of the arena that ends with it ([`ExprArena::subtree`]). What is syntax only is gone: parentheses, a
//! template that is nothing but one interpolation, a minus before a number.

mod call;
mod collection;
mod conditional;
mod for_expr;
mod free_names;
mod literal;
mod operator;
mod splat;
mod template;
mod traversal;

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, FileId, Span, TextRange};
use pcl_syntax::NodeId;
use pcl_syntax::ast::{self, BinaryOperator, UnaryOperator};

pub use self::free_names::free_names;
use crate::functions::Signature;
use crate::relations::Key;
use crate::scope::{DefinitionId, ScopeId, Scopes};
use crate::types::{Symbol, TypeId, TypeStore};
use crate::value::Constant;

/// An expression in an [`ExprArena`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(u32);

impl ExprId {
    /// The position in the arena.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is, with its operands.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeId,
    /// The file it is written in.
    pub file: FileId,
    /// Its text, without parentheses around it.
    pub range: TextRange,
    /// The syntax node it was made from. Several expressions may come from one node.
    pub node: NodeId,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A value written out: a number, `true`, `false`, `null`, a bare object key, a run of text in a template.
    Literal(Constant),
    /// A quoted string or heredoc, or the body of a template directive. There is at least one part; plain text is a literal.
    Template(Box<[ExprId]>),
    /// `%{ for … }`: the strings of the loop one after the other.
    TemplateJoin(ExprId),
    /// `-x`, `!x`.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// What it applies to.
        operand: ExprId,
    },
    /// `a + b` and its like.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// What stands before it.
        left: ExprId,
        /// What stands after it.
        right: ExprId,
    },
    /// `c ? a : b`, or `%{ if c }a%{ else }b%{ endif }`.
    Conditional {
        /// What is asked.
        condition: ExprId,
        /// The value if so.
        if_true: ExprId,
        /// The value if not.
        if_false: ExprId,
    },
    /// `[a, b]`.
    Tuple(Box<[ExprId]>),
    /// `{ a = b }`: keys with their values.
    Object(Box<[(ExprId, ExprId)]>),
    /// `c[k]` where `k` is more than a literal.
    Index {
        /// What is reached into.
        collection: ExprId,
        /// The key.
        key: ExprId,
    },
    /// `[for …]`, `{for …}`, or the loop of a template.
    For(Box<For>),
    /// A name, and what is reached from it by fixed steps.
    Traversal(Box<Traversal>),
    /// Fixed steps from what is not a name.
    RelativeTraversal {
        /// Where the steps start.
        source: ExprId,
        /// The steps.
        steps: Box<[TraversalStep]>,
    },
    /// `xs[*].a`, `xs.*.a`.
    Splat(Box<Splat>),
    /// `f(a)`.
    Call(Box<Call>),
    /// Syntax that is no expression; it was reported by the parser.
    Error,
}

/// A loop that makes a collection.
#[derive(Clone, Debug)]
pub struct For {
    /// The variable for keys or positions.
    pub key_variable: Option<DefinitionId>,
    /// The variable for values; `None` when it has the name of the key variable.
    pub value_variable: Option<DefinitionId>,
    /// What is iterated over.
    pub collection: ExprId,
    /// The key of each entry; only in `{for …}`.
    pub key: Option<ExprId>,
    /// The value of each element or entry.
    pub value: ExprId,
    /// Which rounds count.
    pub condition: Option<ExprId>,
    /// `...`: values of equal keys are collected in lists.
    pub groups: bool,
}

/// A name and fixed steps from it.
#[derive(Clone, Debug)]
pub struct Traversal {
    /// The name; empty for the item of a splat.
    pub root: Symbol,
    /// The text of the name.
    pub root_range: TextRange,
    /// The type of the name alone.
    pub root_type: TypeId,
    /// What the name stands for; `None` when it is undefined.
    pub definition: Option<DefinitionId>,
    /// The steps.
    pub steps: Vec<TraversalStep>,
}

/// One step into a value by a key that is written out.
#[derive(Clone, Debug)]
pub struct TraversalStep {
    /// The name or the constant.
    pub key: Key,
    /// From the dot or bracket to the end of the step.
    pub range: TextRange,
    /// The type of what is reached.
    pub ty: TypeId,
}

/// One expression for every item of a list.
#[derive(Clone, Debug)]
pub struct Splat {
    /// The list; a tuple around the value when it is none.
    pub source: ExprId,
    /// The item, which `each` refers to.
    pub item: DefinitionId,
    /// What is made of an item.
    pub each: ExprId,
    /// `[*]` rather than `.*`.
    pub is_full: bool,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the function, with its name spaces.
    pub name: Symbol,
    /// The text of the name.
    pub name_range: TextRange,
    /// The arguments as written.
    pub arguments: Box<[ExprId]>,
    /// `...` after the last argument.
    pub expands_last: bool,
    /// What this call takes and gives. The call's own type may be the return type lifted.
    pub signature: Signature,
}

/// The expressions of a program.
#[derive(Default, Debug)]
pub struct ExprArena {
    exprs: Vec<Expr>,
}

impl ExprArena {
    /// An arena without expressions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of expressions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Whether there are no expressions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// Adds an expression whose operands are in the arena.
    pub fn push(&mut self, expr: Expr) -> ExprId {
        let id = ExprId(u32::try_from(self.exprs.len()).unwrap_or(u32::MAX));
        self.exprs.push(expr);
        id
    }

    /// Every expression with its id, operands first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ExprId, &Expr)> {
        self.exprs
            .iter()
            .enumerate()
            .map(|(index, expr)| (ExprId(index as u32), expr))
    }

    /// The text of `id`, if it is a quoted string or heredoc that is plain text.
    #[must_use]
    pub fn literal_string(&self, id: ExprId) -> Option<Arc<str>> {
        let ExprKind::Template(parts) = &self[id].kind else {
            return None;
        };
        let [part] = **parts else { return None };
        match &self[part].kind {
            ExprKind::Literal(Constant::String(text)) => Some(Arc::clone(text)),
            _ => None,
        }
    }
}

impl std::ops::Index<ExprId> for ExprArena {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
}

impl std::ops::IndexMut<ExprId> for ExprArena {
    fn index_mut(&mut self, id: ExprId) -> &mut Expr {
        &mut self.exprs[id.index()]
    }
}

/// What a program is allowed to leave open.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CheckOptions {
    /// An undefined variable is a warning.
    pub allow_missing_variables: bool,
    /// Iterating over or indexing what is no collection is a warning.
    pub skip_range_typecheck: bool,
    /// Parts of resources are not checked.
    pub skip_resource_typecheck: bool,
}

/// Makes typed expressions from the expressions of one file.
pub struct Checker<'a> {
    /// The types of the program.
    pub types: &'a mut TypeStore,
    /// The scopes of the program.
    pub scopes: &'a mut Scopes,
    /// Where the expressions go.
    pub exprs: &'a mut ExprArena,
    /// Where the findings go, in the order in which they are made.
    pub diagnostics: &'a mut Vec<Diagnostic>,
    /// What the program may leave open.
    pub options: CheckOptions,
    /// The file.
    pub file: FileId,
}
