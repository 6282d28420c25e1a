//! Applies: what is made of outputs and promises is made once they are known. See
//! `tests/spec/lowering/apply.md`.
//!
//! The pass walks an expression and keeps a list of *contexts*. Where an expression needs the
//! content of eventual values ([`eventual`]), a context opens that collects them: each is replaced
//! by a parameter, and when the expression is left, it becomes the body of an apply of what was
//! collected. Where an expression takes eventual values as they are, a context opens that collects
//! nothing. A value that depends on a loop variable cannot be collected outside of the loop, so the
//! parts of a loop are contexts of their own.

mod collect;
mod eventual;
mod lift;
mod loops;
mod names;
mod splat;

use pcl_diagnostics::TextRange;
use pcl_model::TypeId;
use pcl_model::expression::{Checker, ExprId, ExprKind, TraversalStep};
use pcl_model::relations::Key;
use pcl_model::scope::{DefinitionId, ScopeId};
use rustc_hash::FxHashMap;

use self::eventual::Look;
pub(crate) use self::eventual::content;
use self::lift::LiftedChains;
pub use self::lift::Lifts;
pub(crate) use self::lift::may_be_null;
pub(crate) use self::names::identifier;
use crate::walk::{self, Replaced};

/// The options of the pass.
#[derive(Clone, Copy, Debug)]
pub struct Applies {
    /// True when promises are applied too, not outputs alone.
    pub promises: bool,
    /// True when `toJSON` is left as it is: the function of the target language takes outputs.
    pub skip_to_json: bool,
    /// The steps into outputs that are left as they are where a name with steps is a whole value or
    /// element: the SDK of the target language takes them.
    pub lifts: Lifts,
    /// True when nothing is computed that the program does not compute: a branch, or the right side
    /// of `&&` and `||`, is computed only once it is needed, functions of collections and texts get
    /// known values, and a loop with an eventual key or condition is computed once these are known.
    /// Otherwise as in Pulumi's generators.
    pub is_exact: bool,
    /// Writes the name of a parameter as the target language does. What it gives is made a name of
    /// PCL.
    pub format: fn(&str) -> String,
}

impl Default for Applies {
    /// Promises are applied, `toJSON` is, nothing is lifted, and names stay as they are.
    fn default() -> Self {
        Self {
            promises: true,
            skip_to_json: false,
            lifts: Lifts::Nothing,
            is_exact: false,
            format: str::to_owned,
        }
    }
}

/// `root` with an apply wherever something is made of eventual values. Functions are looked up from
/// `scope`.
pub fn applies(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    options: &Applies,
) -> ExprId {
    let root = if options.is_exact { loops::prepared(checker, scope, root, options) } else { root };
    ApplyBuilder {
        checker,
        scope,
        options,
        tasks: Vec::new(),
        results: Vec::new(),
        contexts: Vec::new(),
        loops: Vec::new(),
        loop_of: FxHashMap::default(),
        replaced: Replaced::default(),
        lifted: LiftedChains::new(options.lifts),
        entered: 0,
    }
    .run(root)
}

/// The use of an expression by the one around it, as far as that changes what becomes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Usage {
    Operand,
    /// The start of steps.
    Source,
    /// The collection of a loop.
    Collection,
    /// The key, value or condition of a loop; `deep` when there are eventual values inside its
    /// items.
    Part {
        deep: bool,
    },
    /// A part that is computed only if it is needed.
    Branch,
    /// An operand of which every part has to be known.
    Whole,
}

impl Usage {
    /// True for what has an apply of its own.
    const fn is_part(self) -> bool {
        matches!(self, Self::Part { .. } | Self::Branch)
    }
}

enum ApplyTask {
    Enter(ExprId, Usage),
    Leave(EnteredExpr),
    /// The collection of a loop was left: its parts follow.
    Parts(ExprId),
    /// The parts of a loop were left.
    EndLoop,
}

/// An expression that is being rewritten.
#[derive(Clone, Copy)]
struct EnteredExpr {
    id: ExprId,
    usage: Usage,
    /// The number of contexts that it opened.
    opened: usize,
    /// The time at which it was entered.
    entered: u32,
}

/// The treatment of eventual values inside an expression.
enum Context {
    Inspect,
    Collect(Collection),
}

impl Context {
    fn observe() -> Self {
        Self::Collect(Collection::default())
    }
}

#[derive(Default)]
struct Collection {
    /// The loop of which this is a part; it collects what depends on the variables of that loop
    /// alone.
    part_of: Option<usize>,
    /// True for the context of a branch.
    is_branch: bool,
    arguments: Vec<Argument>,
    /// The names among the arguments, to pass each once.
    known: FxHashMap<(DefinitionId, Vec<Key>, TypeId), usize>,
}

struct Argument {
    expr: ExprId,
    parameter: DefinitionId,
    /// The uses of the parameter in the body.
    uses: Vec<ExprId>,
}

/// A loop whose parts are being rewritten.
struct EnteredLoop {
    /// The time at which an expression that depends on its variables was last entered.
    last_use: u32,
}

struct ApplyBuilder<'c, 'a> {
    checker: &'c mut Checker<'a>,
    scope: ScopeId,
    options: &'c Applies,
    tasks: Vec<ApplyTask>,
    results: Vec<ExprId>,
    contexts: Vec<Context>,
    loops: Vec<EnteredLoop>,
    /// The index in `loops` of each variable.
    loop_of: FxHashMap<DefinitionId, usize>,
    /// Variables of loops whose type changed.
    replaced: Replaced,
    lifted: LiftedChains,
    /// The number of expressions entered so far.
    entered: u32,
}

impl ApplyBuilder<'_, '_> {
    fn run(mut self, root: ExprId) -> ExprId {
        self.tasks.push(ApplyTask::Enter(root, Usage::Operand));
        while let Some(task) = self.tasks.pop() {
            match task {
                ApplyTask::Enter(id, usage) => self.enter(id, usage),
                ApplyTask::Leave(node) => self.leave(node),
                ApplyTask::Parts(id) => self.enter_parts(id),
                ApplyTask::EndLoop => {
                    self.loops.pop();
                }
            }
        }
        self.results.pop().unwrap_or(root)
    }

    fn look(&mut self) -> Look<'_> {
        Look { types: self.checker.types, exprs: self.checker.exprs, options: self.options }
    }

    fn collects(&self) -> bool {
        matches!(self.contexts.last(), Some(Context::Collect(_)))
    }

    fn enter(&mut self, id: ExprId, usage: Usage) {
        self.entered += 1;
        let mut opened = 0;
        let collects = self.collects();
        if collects && usage.is_part() {
            let part_of = match usage {
                Usage::Branch => None,
                _ => self.loops.len().checked_sub(1),
            };
            let is_branch = usage == Usage::Branch;
            let collection = Collection { part_of, is_branch, ..Collection::default() };
            self.contexts.push(Context::Collect(collection));
            opened += 1;
        }
        if collects && usage == Usage::Whole && self.look().is_opaque(id) {
            self.contexts.push(Context::observe());
            opened += 1;
        }
        let mut look = self.look();
        let is_separate = !collects
            || match usage {
                Usage::Operand | Usage::Collection | Usage::Branch | Usage::Whole => {
                    look.inspects(id)
                }
                Usage::Source => look.inspects(id) || look.only_holds(id),
                Usage::Part { deep } => deep || look.inspects(id),
            };
        let observes = is_separate
            && look.observes(id)
            && !(self.lifted).contains(self.checker.exprs, self.checker.types, id);
        let opens = match (observes, is_separate && collects) {
            (true, _) => Some(Context::observe()),
            (false, true) => Some(Context::Inspect),
            (false, false) => None,
        };
        if let Some(context) = opens {
            self.contexts.push(context);
            opened += 1;
        }
        self.tasks.push(ApplyTask::Leave(EnteredExpr { id, usage, opened, entered: self.entered }));
        let start = self.tasks.len();
        let usages = self.look().usages(id);
        let tasks = &mut self.tasks;
        match &self.checker.exprs[id].kind {
            ExprKind::For(_) | ExprKind::Splat(_) => {
                if let Some(around) = walk::loop_of(self.checker.exprs, id) {
                    let collection = ApplyTask::Enter(around.collection, Usage::Collection);
                    tasks.extend([collection, ApplyTask::Parts(id)]);
                }
            }
            ExprKind::RelativeTraversal { source, .. } => {
                tasks.push(ApplyTask::Enter(*source, Usage::Source));
            }
            kind => {
                let [first, others] = usages;
                let mut next = Some(first);
                kind.for_each_operand(|operand| {
                    let usage = next.take().unwrap_or(others);
                    tasks.push(ApplyTask::Enter(operand, usage));
                });
            }
        }
        walk::reverse_from(&mut self.tasks, start);
    }

    /// Enters the parts of a loop, whose collection is the last result.
    fn enter_parts(&mut self, id: ExprId) {
        let (Some(around), Some(&collection)) =
            (walk::loop_of(self.checker.exprs, id), self.results.last())
        else {
            return;
        };
        let mut replaced = Replaced::default();
        let variables = walk::renew_variables(self.checker, &around, collection, &mut replaced);
        let mut parts: Vec<ExprId> = around.parts().collect();
        if !replaced.is_empty() {
            // The use that the parts make of their values depends on the types.
            for part in &mut parts {
                *part = walk::substitute(self.checker, self.scope, *part, &mut replaced);
            }
        }
        self.replaced.extend(replaced);
        let mut deep = false;
        for variable in variables.into_iter().flatten() {
            self.loop_of.insert(variable, self.loops.len());
            let ty = self.checker.scopes.definition(variable).ty;
            deep |= self.look().holds_below(ty);
        }
        self.loops.push(EnteredLoop { last_use: 0 });
        self.tasks.push(ApplyTask::EndLoop);
        let parts = parts.into_iter().rev();
        let part = Usage::Part { deep };
        self.tasks.extend(parts.map(|id| ApplyTask::Enter(id, part)));
    }

    fn leave(&mut self, node: EnteredExpr) {
        let mut id = self.rebuild(node.id);
        if self.options.is_exact {
            // In the function of an apply, elements that were known as a whole may be eventual.
            id = loops::known_parts(self.checker, self.scope, id, self.options);
        }
        if self.collects() {
            id = self.split(id, node);
        }
        for left in (0..node.opened).rev() {
            if let Some(Context::Collect(collection)) = self.contexts.pop()
                && !collection.arguments.is_empty()
            {
                id = self.close(collection.arguments, id);
            }
            // An expression with its own context is one value for the expressions around it.
            if left == 0
                && !node.usage.is_part()
                && self.collects()
                && self.content(id).is_some()
                && !self.look().asks_for_null(id)
            {
                id = self.collect(id, Box::default(), node);
            }
        }
        if node.usage == Usage::Whole && self.collects() && self.look().only_holds(id) {
            id = self.collect(id, Box::default(), node);
        }
        self.results.push(id);
    }

    /// `id` with its operands as they are now.
    fn rebuild(&mut self, id: ExprId) -> ExprId {
        if let ExprKind::Traversal(traversal) = &self.checker.exprs[id].kind {
            let index = traversal.definition.and_then(|name| self.loop_of.get(&name));
            if let Some(around) = index.and_then(|&index| self.loops.get_mut(index)) {
                around.last_use = self.entered;
            }
            return id;
        }
        let (results, replaced) = (&mut self.results, &self.replaced);
        let id = walk::rebuilt(self.checker, self.scope, id, results, replaced);
        splat::written_out(self.checker, id)
    }

    /// The type inside an eventual value.
    fn content(&mut self, id: ExprId) -> Option<TypeId> {
        let ty = self.checker.exprs[id].ty;
        content(self.checker.types, ty, self.options)
    }

    /// Collects what a traversal reaches first that is eventual; the steps after that are taken
    /// from the parameter.
    fn split(&mut self, id: ExprId, node: EnteredExpr) -> ExprId {
        let expr = &self.checker.exprs[id];
        let (start, steps) = match &expr.kind {
            ExprKind::Traversal(traversal) => (traversal.root_type, traversal.steps),
            ExprKind::RelativeTraversal { source, steps } => {
                (self.checker.exprs[*source].ty, *steps)
            }
            _ => return id,
        };
        let steps = self.checker.exprs.steps(steps);
        let parts = steps.iter().map(|step| step.ty);
        let parts: Vec<TypeId> = [start].into_iter().chain(parts).collect();
        let types = &mut *self.checker.types;
        let is_eventual = |&part: &TypeId| content(types, part, self.options).is_some();
        let Some(first) = parts.iter().position(is_eventual) else { return id };
        let rest: Box<[TraversalStep]> = Box::from(walk::from(steps, first));
        if rest.is_empty() {
            return if node.usage == Usage::Branch {
                let held = self.held(id, true);
                let key = self.key(id, held);
                self.known_around(key.as_ref(), id, &rest, node.id).unwrap_or(id)
            } else if node.opened > 0 {
                // There is nothing to be done with it.
                id
            } else {
                self.collect(id, rest, node)
            };
        }
        let prefix = self.prefix(id, first);
        if self.options.is_exact && self.leads_to_eventual(prefix, &rest) {
            let inner = self.apply_here(prefix, rest, node);
            return if node.opened > 0 { inner } else { self.collect(inner, Box::default(), node) };
        }
        if self.source_changed(id, node.id) {
            // The parameters collected inside of it are known here alone.
            return self.apply_here(prefix, rest, node);
        }
        self.collect(prefix, rest, node)
    }

    /// Returns whether steps from what `value` holds lead to a value that is eventual in turn: that
    /// of a property of an instance.
    fn leads_to_eventual(&mut self, value: ExprId, rest: &[TraversalStep]) -> bool {
        let held = self.held(value, true);
        let mut steps = rest.to_vec();
        let ty = self.checker.retype_steps(held, &mut steps);
        content(self.checker.types, ty, self.options).is_some()
    }

    /// Returns whether the source of a traversal contains parameters.
    fn source_changed(&self, now: ExprId, before: ExprId) -> bool {
        let exprs = &self.checker.exprs;
        match (&exprs[now].kind, &exprs[before].kind) {
            (
                ExprKind::RelativeTraversal { source: now, .. },
                ExprKind::RelativeTraversal { source: before, .. },
            ) => now != before,
            _ => false,
        }
    }

    /// The traversal `id` up to and without its step `end`.
    fn prefix(&mut self, id: ExprId, end: usize) -> ExprId {
        let mut expr = self.checker.exprs[id].clone();
        let (start, last) = match &mut expr.kind {
            ExprKind::Traversal(traversal) => {
                traversal.steps = self.checker.exprs.first_steps(traversal.steps, end);
                ((traversal.root_type, traversal.root_range), traversal.steps)
            }
            ExprKind::RelativeTraversal { source, .. } if end == 0 => return *source,
            ExprKind::RelativeTraversal { source, steps } => {
                *steps = self.checker.exprs.first_steps(*steps, end);
                let source = &self.checker.exprs[*source];
                ((source.ty, source.range), *steps)
            }
            _ => return id,
        };
        let (ty, end) = match self.checker.exprs.steps(last).last() {
            Some(step) => (step.ty, step.range),
            None => start,
        };
        expr.ty = ty;
        expr.range = TextRange::new(expr.range.start(), end.end());
        self.checker.exprs.push(expr)
    }

    /// Makes an apply of `value` alone, with `rest` taken from what it holds.
    fn apply_here(
        &mut self,
        value: ExprId,
        rest: Box<[TraversalStep]>,
        node: EnteredExpr,
    ) -> ExprId {
        let held = self.held(value, true);
        let mut argument = self.argument(value, held);
        let body = self.parameter(argument.parameter, value, rest, node.id);
        argument.uses.push(body);
        self.close(vec![argument], body)
    }
}
