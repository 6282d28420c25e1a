//! The arena that all expressions of a program are in.

use std::ops::Range;
use std::sync::Arc;

use super::expr::{Expr, ExprId, ExprKind, Items, Operands, Steps, Traversal, TraversalStep};
use crate::value::Constant;

/// The expressions of a program.
#[derive(Clone, Default, Debug)]
pub struct ExprArena {
    exprs: Vec<Expr>,
    /// The steps of all traversals.
    steps: Vec<TraversalStep>,
    /// The operands so far of the expressions that are being bound, those of the innermost last.
    held: Vec<ExprId>,
}

/// A moment in the life of an arena, see [`ExprArena::end`].
#[derive(Clone, Copy, Debug)]
pub struct ArenaEnd {
    exprs: usize,
    steps: usize,
}

impl ExprArena {
    /// An arena without expressions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Returns true if there are no expressions.
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// Adds an expression whose operands and steps are in this arena; see [`ExprArena::push_from`]
    /// for one of another.
    pub fn push(&mut self, expr: Expr) -> ExprId {
        let id = ExprId(u32::try_from(self.exprs.len()).unwrap_or(u32::MAX));
        self.exprs.push(expr);
        id
    }

    /// The steps behind a name or value.
    pub fn steps(&self, steps: Steps) -> &[TraversalStep] {
        self.steps.get(steps.range()).unwrap_or_default()
    }

    /// The first `count` of some steps.
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

    /// The end of what was added so far.
    pub fn end(&self) -> ArenaEnd {
        ArenaEnd { exprs: self.exprs.len(), steps: self.steps.len() }
    }

    /// Removes everything that was added since `end`. Its ids must not be used any more.
    pub fn truncate(&mut self, end: ArenaEnd) {
        self.exprs.truncate(end.exprs);
        self.steps.truncate(end.steps);
    }

    /// Makes room for so many more expressions.
    pub fn reserve(&mut self, more: usize) {
        self.exprs.reserve(more);
    }

    /// The position from which operands are held from now on.
    pub(crate) fn mark(&self) -> usize {
        self.held.len()
    }

    /// Keeps an operand until the expression it belongs to is made.
    pub(crate) fn hold(&mut self, operand: ExprId) {
        self.held.push(operand);
    }

    /// The operands held since `mark`, which are held no longer.
    pub(crate) fn held_since(&mut self, mark: usize) -> Operands {
        let operands = Operands::from_slice(self.held.get(mark..).unwrap_or_default());
        self.held.truncate(mark);
        operands
    }

    /// As [`ExprArena::held_since`], of operands that belong together two by two.
    pub(crate) fn held_pairs_since(&mut self, mark: usize) -> Items {
        let (pairs, _) = self.held.get(mark..).unwrap_or_default().as_chunks();
        let pairs = pairs.iter().map(|&[first, second]| (first, second)).collect();
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

    /// Moves `root` and all that belongs to it, which is one stretch of `from`, to the end of this
    /// arena. Errors stay behind.
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

    /// The expressions of a stretch of the arena with their ids, such as those of one node of a
    /// program.
    pub fn range(&self, range: Range<u32>) -> impl ExactSizeIterator<Item = (ExprId, &Expr)> {
        let stretch = range.start as usize..range.end as usize;
        let exprs = self.exprs.get(stretch).unwrap_or_default();
        exprs.iter().enumerate().map(move |(at, expr)| (ExprId(range.start + at as u32), expr))
    }

    /// Every expression with its id, operands first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ExprId, &Expr)> {
        self.exprs.iter().enumerate().map(|(index, expr)| (ExprId(index as u32), expr))
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

    /// Returns whether nothing may follow an expression on its line: it ends as a heredoc does.
    pub fn ends_line(&self, id: ExprId) -> bool {
        let ExprKind::Template(parts) = &self[id].kind else { return false };
        parts.last().is_some_and(|&part| {
            let ExprKind::Literal(Constant::String(text)) = &self[part].kind else { return false };
            text.ends_with('\n')
        })
    }

    /// The text of `id`, if it is a quoted string or heredoc that is plain text.
    pub fn literal_string(&self, id: ExprId) -> Option<Arc<str>> {
        let ExprKind::Template(parts) = &self[id].kind else { return None };
        let [part] = parts[..] else { return None };
        match &self[part].kind {
            ExprKind::Literal(Constant::String(text)) => Some(Arc::clone(text)),
            _ => None,
        }
    }
}

impl std::ops::Index<ExprId> for ExprArena {
    type Output = Expr;

    #[expect(
        clippy::indexing_slicing,
        reason = "an id is the position of an expression in its arena, which only grows"
    )]
    fn index(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }
}

impl std::ops::IndexMut<ExprId> for ExprArena {
    #[expect(
        clippy::indexing_slicing,
        reason = "an id is the position of an expression in its arena, which only grows"
    )]
    fn index_mut(&mut self, id: ExprId) -> &mut Expr {
        &mut self.exprs[id.index()]
    }
}
