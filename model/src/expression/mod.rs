//! Typed expressions, and the checker that makes them from syntax.
//!
//! Expressions live in one [`ExprArena`] per program, operands before the expression that uses them, so that everything that belongs to an
//! expression is one stretch of the arena that ends with it ([`ExprArena::subtree`]). What is syntax only is gone: parentheses, a
//! template that is nothing but one interpolation, a minus before a number.
//!
//! ```
//! use pcl_diagnostics::{FileId, Reporter};
//! use pcl_model::TypeStore;
//! use pcl_model::expression::{Checker, Names, ExprArena, print};
//! use pcl_model::scope::{Definition, Scopes};
//!
//! let (mut types, mut scopes) = (TypeStore::new(), Scopes::new());
//! let root = scopes.new_root();
//! let ports = types.list(pcl_model::TypeId::INT);
//! let name = types.symbol("ports");
//! scopes.define(root, Definition::variable(name, ports)).unwrap();
//!
//! let tree = pcl_syntax::parse_expression("[for p in ports: (p)+1]");
//! let (mut exprs, mut reporter) = (ExprArena::new(), Reporter::default());
//! let id = Checker {
//!     types: &mut types,
//!     scopes: &mut scopes,
//!     exprs: &mut exprs,
//!     reporter: &mut reporter,
//!     names: Names::Values,
//!     file: FileId(0),
//! }
//! .bind(tree.expression().unwrap(), root);
//!
//! assert_eq!(reporter.tally().all, 0);
//! assert_eq!(types.pretty(exprs[id].ty), "list(number)");
//! assert_eq!(print(id, &exprs, &types, &scopes), "[for p in ports: p + 1]");
//! let kinds: Vec<&str> = exprs.subtree(id).map(|id| exprs[id].kind.name()).collect();
//! assert_eq!(kinds, ["traversal", "traversal", "literal", "binary", "for"]);
//! ```

mod call;
mod checker;
mod collection;
mod conditional;
mod for_expr;
mod free_names;
mod hint;
mod literal;
mod mismatch;
mod operator;
mod print;
mod retype;
mod splat;
mod template;
mod traversal;

use std::ops::Range;
use std::sync::Arc;

use pcl_diagnostics::{FileId, TextRange};
use pcl_syntax::NodeId;
use pcl_syntax::ast::{BinaryOperator, UnaryOperator};
use smallvec::SmallVec;

pub use self::checker::{Checker, Names};
pub use self::free_names::FreeNames;
pub use self::mismatch::unreadable_text;
pub use self::operator::{binary_types, unary_types};
pub use self::print::{key_like, print, quoted};
use crate::functions::Signature;
pub use crate::messages::collections::CollectionUse;
pub use crate::messages::shown;
use crate::relations::Key;
use crate::scope::DefinitionId;
use crate::types::{Symbol, TypeId};
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

/// A typed expression: what it is, its type, and where it stands.
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

/// The operands of an expression. Most have few, which stand in place.
pub type Operands = SmallVec<[ExprId; 4]>;

/// The items of an object: keys with their values. Few stand in place.
pub type Items = SmallVec<[(ExprId, ExprId); 2]>;

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A value written out: a number, `true`, `false`, `null`, a bare object key, a run of text in a template.
    Literal(Constant),
    /// A quoted string or heredoc, or the body of a template directive. There is at least one part; plain text is a literal.
    Template(Operands),
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
    Tuple(Operands),
    /// `{ a = b }`: keys with their values.
    Object(Items),
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
    Traversal(Traversal),
    /// Fixed steps from what is not a name.
    RelativeTraversal {
        /// Where the steps start.
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
    /// Syntax that is no expression; it was reported by the parser.
    Error,
}

impl ExprKind {
    /// The name of the kind in machine formats.
    #[must_use]
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

    /// Calls `visit` with every operand, in the order in which they were bound.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Self::Literal(_) | Self::Traversal(_) | Self::Error => {}
            Self::Template(parts) | Self::Tuple(parts) => parts.iter().copied().for_each(visit),
            Self::Call(call) => call.arguments.iter().copied().for_each(visit),
            Self::TemplateJoin(operand)
            | Self::Convert(operand)
            | Self::Unary { operand, .. }
            | Self::RelativeTraversal {
                source: operand, ..
            } => visit(*operand),
            Self::Binary { left, right, .. } => [*left, *right].into_iter().for_each(visit),
            Self::Conditional {
                condition,
                if_true,
                if_false,
            } => [*condition, *if_true, *if_false]
                .into_iter()
                .for_each(visit),
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

    /// Calls `visit` with every operand, in the order of [`ExprKind::for_each_operand`], to put another one in its place.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut ExprId)) {
        match self {
            Self::Literal(_) | Self::Traversal(_) | Self::Error => {}
            Self::Template(parts) | Self::Tuple(parts) => parts.iter_mut().for_each(visit),
            Self::Call(call) => call.arguments.iter_mut().for_each(visit),
            Self::TemplateJoin(operand)
            | Self::Convert(operand)
            | Self::Unary { operand, .. }
            | Self::RelativeTraversal {
                source: operand, ..
            } => visit(operand),
            Self::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
            Self::Conditional {
                condition,
                if_true,
                if_false,
            } => [condition, if_true, if_false].into_iter().for_each(visit),
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
    pub steps: Steps,
}

/// The steps of one expression, in its arena: see [`ExprArena::steps`]. They stay as they are; what has others gets new ones.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Steps {
    start: u32,
    count: u32,
}

impl Steps {
    /// The number of steps.
    #[must_use]
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + self.len()
    }
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
    pub arguments: Operands,
    /// `...` after the last argument.
    pub expands_last: bool,
    /// What this call takes and gives. The call's own type may be the return type lifted.
    pub signature: Signature,
}

/// What is made of eventual values once they are known.
#[derive(Clone, Debug)]
pub struct Apply {
    /// The eventual values, each with the parameter that stands for it in the body.
    pub arguments: Box<[(DefinitionId, ExprId)]>,
    /// What is made of the values. The whole is an output or promise of it.
    pub body: ExprId,
}

/// The expressions of a program.
#[derive(Clone, Default, Debug)]
pub struct ExprArena {
    exprs: Vec<Expr>,
    /// The steps of all traversals.
    steps: Vec<TraversalStep>,
    /// The operands so far of the expressions that are being bound, those of the innermost last.
    held: Vec<ExprId>,
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

    /// Adds an expression whose operands and steps are in this arena; see [`ExprArena::push_from`] for one of another.
    pub fn push(&mut self, expr: Expr) -> ExprId {
        let id = ExprId(u32::try_from(self.exprs.len()).unwrap_or(u32::MAX));
        self.exprs.push(expr);
        id
    }

    /// The steps behind a name or value.
    #[must_use]
    pub fn steps(&self, steps: Steps) -> &[TraversalStep] {
        self.steps.get(steps.range()).unwrap_or_default()
    }

    /// Of some steps the first `count`.
    #[must_use]
    pub fn first_steps(&self, steps: Steps, count: usize) -> Steps {
        let count = u32::try_from(count).unwrap_or(u32::MAX).min(steps.count);
        Steps { count, ..steps }
    }

    /// Adds the steps of an expression that is to come.
    pub fn add_steps(&mut self, steps: impl IntoIterator<Item = TraversalStep>) -> Steps {
        let start = self.steps.len();
        self.steps.extend(steps);
        let [start, count] = [start, self.steps.len() - start]
            .map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        Steps { start, count }
    }

    /// Makes room for so many more expressions.
    pub fn reserve(&mut self, more: usize) {
        self.exprs.reserve(more);
    }

    /// Where the operands begin that are held from now on.
    pub(crate) fn mark(&self) -> usize {
        self.held.len()
    }

    /// Keeps an operand until the expression it belongs to is made.
    pub(crate) fn hold(&mut self, operand: ExprId) {
        self.held.push(operand);
    }

    /// The operands held since `mark`, which are held no longer.
    pub(crate) fn held_since(&mut self, mark: usize) -> Operands {
        let operands = Operands::from_slice(&self.held[mark..]);
        self.held.truncate(mark);
        operands
    }

    /// As [`ExprArena::held_since`], of operands that belong together two by two.
    pub(crate) fn held_pairs_since(&mut self, mark: usize) -> Items {
        let (pairs, _) = self.held[mark..].as_chunks();
        let pairs = pairs
            .iter()
            .map(|&[first, second]| (first, second))
            .collect();
        self.held.truncate(mark);
        pairs
    }

    /// Adds an expression of the arena `from`, whose operands are in this one.
    pub fn push_from(&mut self, from: &Self, expr: Expr) -> ExprId {
        self.push_with_steps(&from.steps, expr)
    }

    /// Adds an expression whose steps are among `from`.
    fn push_with_steps(&mut self, from: &[TraversalStep], mut expr: Expr) -> ExprId {
        if let ExprKind::Traversal(Traversal { steps, .. })
        | ExprKind::RelativeTraversal { steps, .. } = &mut expr.kind
        {
            let own = from.get(steps.range()).unwrap_or_default();
            *steps = self.add_steps(own.iter().cloned());
        }
        self.push(expr)
    }

    /// Moves `root` and all that belongs to it, which is one stretch of `from`, to the end of this arena. Errors stay behind.
    pub fn take(&mut self, from: &mut Self, root: ExprId) -> ExprId {
        let first = from.subtree(root).next().unwrap_or(root);
        let start = u32::try_from(self.exprs.len()).unwrap_or(u32::MAX);
        let stretch = from.exprs.get_mut(first.index()..=root.index());
        for expr in stretch.unwrap_or_default() {
            let mut kind = std::mem::replace(&mut expr.kind, ExprKind::Error);
            kind.for_each_operand_mut(|operand| {
                operand.0 = operand.0.wrapping_sub(first.0).wrapping_add(start);
            });
            self.push_with_steps(&from.steps, Expr { kind, ..*expr });
        }
        ExprId((root.0 - first.0).wrapping_add(start))
    }

    /// The expressions of a stretch of the arena with their ids, such as those of one node of a program.
    pub fn range(&self, range: Range<u32>) -> impl ExactSizeIterator<Item = (ExprId, &Expr)> {
        let stretch = range.start as usize..range.end as usize;
        let exprs = self.exprs.get(stretch).unwrap_or_default();
        exprs
            .iter()
            .enumerate()
            .map(move |(at, expr)| (ExprId(range.start + at as u32), expr))
    }

    /// Every expression with its id, operands first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ExprId, &Expr)> {
        self.exprs
            .iter()
            .enumerate()
            .map(|(index, expr)| (ExprId(index as u32), expr))
    }

    /// The expressions that belong to `id`, operands first and `id` last: one stretch of the arena.
    pub fn subtree(&self, id: ExprId) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        let mut first = id;
        loop {
            let mut operand = None;
            self[first].kind.for_each_operand(|id| {
                operand.get_or_insert(id);
            });
            match operand {
                Some(operand) => first = operand,
                None => break,
            }
        }
        (first.0..=id.0).map(ExprId)
    }

    /// The text of `id`, if it is a quoted string or heredoc that is plain text.
    #[must_use]
    pub fn literal_string(&self, id: ExprId) -> Option<Arc<str>> {
        let ExprKind::Template(parts) = &self[id].kind else {
            return None;
        };
        let [part] = parts[..] else { return None };
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
