//! Typed expressions as data: their kinds, and the operands of each.

use std::ops::Range;

use pcl_diagnostics::{FileId, TextRange};
use pcl_syntax::NodeId;
use pcl_syntax::ast::{BinaryOperator, UnaryOperator};
use smallvec::SmallVec;

use crate::functions::function::Signature;
use crate::relations::Key;
use crate::scope::definition::DefinitionId;
use crate::types::{Symbol, TypeId};
use crate::value::Constant;

/// An expression in an [`ExprArena`](super::ExprArena).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub(super) u32);

impl ExprId {
    /// The position in the arena.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A typed expression: its kind, its type, and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind, with its operands.
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

/// The operands of an expression. Most have few, which are stored inline.
pub type Operands = SmallVec<[ExprId; 4]>;

/// The items of an object: keys with their values. Few are stored inline.
pub type Items = SmallVec<[(ExprId, ExprId); 2]>;

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A value written out: a number, `true`, `false`, `null`, a bare object key, a run of text in
    /// a template.
    Literal(Constant),
    /// A quoted string or heredoc, or the body of a template directive. There is at least one part;
    /// plain text is a literal.
    Template(Operands),
    /// `%{ for … }`: the strings of the loop one after the other.
    TemplateJoin(ExprId),
    /// `-x`, `!x`.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The operand.
        operand: ExprId,
    },
    /// `a + b` and its like.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The operand before it.
        left: ExprId,
        /// The operand after it.
        right: ExprId,
    },
    /// `c ? a : b`, or `%{ if c }a%{ else }b%{ endif }`.
    Conditional {
        /// The condition.
        condition: ExprId,
        /// The value if so.
        if_true: ExprId,
        /// The value if not.
        if_false: ExprId,
    },
    /// `[a, b]`.
    Tuple(Operands),
    /// `{ a = b }`: keys with their values.
    Object(Items),
    /// `c[k]` where `k` is more than a literal.
    Index {
        /// The collection.
        collection: ExprId,
        /// The key.
        key: ExprId,
    },
    /// `[for …]`, `{for …}`, or the loop of a template.
    For(Box<For>),
    /// A name, and what is reached from it by fixed steps.
    Traversal(Traversal),
    /// Fixed steps from what is not a name.
    RelativeTraversal {
        /// The value that the steps start from.
        source: ExprId,
        /// The steps.
        steps: Steps,
    },
    /// `xs[*].a`, `xs.*.a`.
    Splat(Box<Splat>),
    /// `f(a)`.
    Call(Box<Call>),
    /// `__apply(a, b, eval(x, y, body))`. Made by lowering alone.
    Apply(Box<Apply>),
    /// `__convert(a)`: the value as one of the expression's type. Made by lowering alone.
    Convert(ExprId),
    /// Syntax that is not an expression; the parser has reported it.
    Error,
}

impl ExprKind {
    /// The name of the kind in machine formats.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Literal(_) => "literal",
            Self::Template(_) => "template",
            Self::TemplateJoin(_) => "template-join",
            Self::Unary { .. } => "unary",
            Self::Binary { .. } => "binary",
            Self::Conditional { .. } => "conditional",
            Self::Tuple(_) => "tuple",
            Self::Object(_) => "object",
            Self::Index { .. } => "index",
            Self::For(_) => "for",
            Self::Traversal(_) => "traversal",
            Self::RelativeTraversal { .. } => "relative-traversal",
            Self::Splat(_) => "splat",
            Self::Call(_) => "call",
            Self::Apply(_) => "apply",
            Self::Convert(_) => "convert",
            Self::Error => "error",
        }
    }
}

/// A loop that makes a collection.
#[derive(Clone, Debug)]
pub struct For {
    /// The variable for keys or positions.
    pub key_variable: Option<DefinitionId>,
    /// The variable for values; `None` when it has the name of the key variable.
    pub value_variable: Option<DefinitionId>,
    /// The collection of the loop.
    pub collection: ExprId,
    /// The key of each entry; only in `{for …}`.
    pub key: Option<ExprId>,
    /// The value of each element or entry.
    pub value: ExprId,
    /// The condition under which a round counts.
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
    /// The definition that the name refers to; `None` when it is undefined.
    pub definition: Option<DefinitionId>,
    /// The steps.
    pub steps: Steps,
}

/// The steps of one expression, in its arena: see [`ExprArena::steps`](super::ExprArena::steps).
/// They stay as they are; what has others gets new ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Steps {
    pub(super) start: u32,
    pub(super) count: u32,
}

impl Steps {
    /// The number of steps.
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// Returns whether there are none.
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    pub(super) fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + self.len()
    }
}

/// One step into a value by a literal key.
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
    /// The result for an item.
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
    pub arguments: Operands,
    /// `...` after the last argument.
    pub expands_last: bool,
    /// The signature of this call. The call's own type may be the return type lifted.
    pub signature: Signature,
}

/// A computation on eventual values, done once they are known.
#[derive(Clone, Debug)]
pub struct Apply {
    /// The eventual values, each with its parameter in the body.
    pub arguments: Box<[(DefinitionId, ExprId)]>,
    /// The result of the computation. The whole is an output or promise of it.
    pub body: ExprId,
}

impl ExprKind {
    /// Calls `visit` with every operand, in the order in which they were bound.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Self::Literal(_) | Self::Traversal(_) | Self::Error => {}
            Self::Template(parts) | Self::Tuple(parts) => parts.iter().copied().for_each(visit),
            Self::Call(call) => call.arguments.iter().copied().for_each(visit),
            Self::TemplateJoin(operand)
            | Self::Convert(operand)
            | Self::Unary { operand, .. }
            | Self::RelativeTraversal { source: operand, .. } => visit(*operand),
            Self::Binary { left, right, .. } => [*left, *right].into_iter().for_each(visit),
            Self::Conditional { condition, if_true, if_false } => {
                [*condition, *if_true, *if_false].into_iter().for_each(visit)
            }
            Self::Object(items) => {
                for &(key, value) in items {
                    visit(key);
                    visit(value);
                }
            }
            Self::Index { collection, key } => [*collection, *key].into_iter().for_each(visit),
            Self::For(for_expr) => {
                visit(for_expr.collection);
                for_expr.key.into_iter().for_each(&mut visit);
                visit(for_expr.value);
                for_expr.condition.into_iter().for_each(visit);
            }
            Self::Splat(splat) => [splat.source, splat.each].into_iter().for_each(visit),
            Self::Apply(apply) => {
                let arguments = apply.arguments.iter().map(|&(_, argument)| argument);
                arguments.chain([apply.body]).for_each(visit);
            }
        }
    }

    /// Calls `visit` with every operand, in the order of [`ExprKind::for_each_operand`], to put
    /// another one in its place.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut ExprId)) {
        match self {
            Self::Literal(_) | Self::Traversal(_) | Self::Error => {}
            Self::Template(parts) | Self::Tuple(parts) => parts.iter_mut().for_each(visit),
            Self::Call(call) => call.arguments.iter_mut().for_each(visit),
            Self::TemplateJoin(operand)
            | Self::Convert(operand)
            | Self::Unary { operand, .. }
            | Self::RelativeTraversal { source: operand, .. } => visit(operand),
            Self::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
            Self::Conditional { condition, if_true, if_false } => {
                [condition, if_true, if_false].into_iter().for_each(visit)
            }
            Self::Object(items) => {
                for (key, value) in items {
                    visit(key);
                    visit(value);
                }
            }
            Self::Index { collection, key } => [collection, key].into_iter().for_each(visit),
            Self::For(for_expr) => {
                visit(&mut for_expr.collection);
                for_expr.key.iter_mut().for_each(&mut visit);
                visit(&mut for_expr.value);
                for_expr.condition.iter_mut().for_each(visit);
            }
            Self::Splat(splat) => {
                visit(&mut splat.source);
                visit(&mut splat.each);
            }
            Self::Apply(apply) => {
                let arguments = apply.arguments.iter_mut().map(|(_, argument)| argument);
                arguments.chain([&mut apply.body]).for_each(visit);
            }
        }
    }
}
