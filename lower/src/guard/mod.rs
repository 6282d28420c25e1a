//! Optional resources: a property of a resource that may be absent is null when it is. See
//! `tests/spec/lowering/guard.md`.
//!
//! An expression is *strict* in an operand if it has no value when the operand is null: a template
//! in its parts, a step in its start. A guard stands around the outermost expression that is strict
//! in a property of an absent value. The operands that may be null, such as the elements of a list
//! and the branches of a conditional, are *slots* with guards of their own.

mod region;

use pcl_model::TypeId;
use pcl_model::expression::{
    Apply, Checker, ExprArena, ExprId, ExprKind, Steps, Traversal, TraversalStep,
};
use pcl_model::relations::Key;
use pcl_model::scope::{Definition, DefinitionId, ScopeId};
use pcl_model::types::TypeStore;
use pcl_model::value::Constant;
use pcl_syntax::ast::{BinaryOperator, UnaryOperator};
use rustc_hash::{FxHashMap, FxHashSet};

use self::region::{Usage, operands};
use crate::apply::{Applies, content, may_be_null};
use crate::walk::{self, Replaced};

/// `root` with null in the place of each property of a value that may be absent. `is_optional`
/// tells by its type whether a value may be. What the expression itself asks about, as in
/// `r == null ? "none" : r.name`, needs no guard. Functions are looked up from `scope`.
pub fn optional_guards(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    is_optional: impl Fn(&TypeStore, TypeId) -> bool,
) -> ExprId {
    GuardBuilder {
        checker,
        scope,
        is_optional: &is_optional,
        tasks: vec![GuardTask::Slot(root)],
        results: Vec::new(),
        known: FxHashMap::default(),
        nullable: FxHashSet::default(),
        replaced: Replaced::default(),
        strict: FxHashSet::default(),
        needed: FxHashMap::default(),
    }
    .run(root)
}

/// A name and the keys of steps from it.
type Path = (DefinitionId, Vec<Key>);

/// A value that an expression needs: a name with steps that must not be null.
#[derive(Clone)]
struct Need {
    path: Path,
    traversal: Traversal,
}

enum GuardTask {
    /// An operand that may be null.
    Slot(ExprId),
    Enter(ExprId, Usage),
    /// The collection of a loop, or the arguments of an apply, were left: the parts follow.
    Parts(ExprId, Usage),
    Leave(ExprId),
    /// The last result becomes null when one of these is.
    Wrap(ExprId, Vec<Need>),
    /// These are not null from here on.
    Know(Vec<Path>),
    /// These may be null again.
    Forget(Vec<Path>),
}

struct GuardBuilder<'c, 'a> {
    checker: &'c mut Checker<'a>,
    scope: ScopeId,
    is_optional: &'c dyn Fn(&TypeStore, TypeId) -> bool,
    tasks: Vec<GuardTask>,
    results: Vec<ExprId>,
    /// The number of expressions around the present one that know a value not to be null.
    known: FxHashMap<Path, usize>,
    /// Variables of loops and parameters that may be null since a guard was made.
    nullable: FxHashSet<DefinitionId>,
    /// Variables of loops and parameters whose type changed.
    replaced: Replaced,
    /// The arguments of applies in whose parameters the bodies are strict.
    strict: FxHashSet<ExprId>,
    /// The parameters without which the bodies of applies have no value.
    needed: FxHashMap<ExprId, Vec<Need>>,
}

impl GuardBuilder<'_, '_> {
    fn run(mut self, root: ExprId) -> ExprId {
        while let Some(task) = self.tasks.pop() {
            match task {
                GuardTask::Slot(id) => self.slot(id),
                GuardTask::Enter(id, usage) => self.enter(id, usage),
                GuardTask::Parts(id, usage) => self.parts(id, usage),
                GuardTask::Leave(id) => self.leave(id),
                GuardTask::Wrap(place, needs) => {
                    if let Some(value) = self.results.pop() {
                        let guarded = self.guarded(value, place, needs);
                        self.results.push(guarded);
                    }
                }
                GuardTask::Know(paths) => {
                    for path in paths {
                        *self.known.entry(path).or_default() += 1;
                    }
                }
                GuardTask::Forget(paths) => {
                    for path in paths {
                        if let Some(times) = self.known.get_mut(&path) {
                            *times = times.saturating_sub(1);
                        }
                    }
                }
            }
        }
        self.results.pop().unwrap_or(root)
    }

    /// The definition in the place of this one.
    fn current(&self, definition: DefinitionId) -> DefinitionId {
        self.replaced.get(&definition).copied().unwrap_or(definition)
    }

    fn is_known(&self, path: &Path) -> bool {
        self.known.get(path).is_some_and(|&times| times > 0)
    }

    fn slot(&mut self, id: ExprId) {
        let is_null_itself = match &self.checker.exprs[id].kind {
            ExprKind::Traversal(traversal) if traversal.steps.is_empty() => {
                traversal.definition.is_some_and(|name| self.nullable.contains(&self.current(name)))
            }
            _ => false,
        };
        let needs = if is_null_itself { Vec::new() } else { self.needs(id) };
        self.enter_guarded(id, needs);
    }

    /// Enters an expression around which there will be a guard.
    fn enter_guarded(&mut self, id: ExprId, needs: Vec<Need>) {
        if needs.is_empty() {
            self.tasks.push(GuardTask::Enter(id, Usage::STRICT));
            return;
        }
        let paths: Vec<Path> = needs.iter().map(|need| need.path.clone()).collect();
        self.tasks.extend([
            GuardTask::Wrap(id, needs),
            GuardTask::Forget(paths.clone()),
            GuardTask::Enter(id, Usage::STRICT),
            GuardTask::Know(paths),
        ]);
    }

    fn enter(&mut self, id: ExprId, usage: Usage) {
        let start = self.tasks.len();
        let is_attempt = usage == Usage::Attempted;
        match &self.checker.exprs[id].kind {
            ExprKind::For(_) | ExprKind::Splat(_) => {
                if let Some(around) = walk::loop_of(self.checker.exprs, id) {
                    let within = usage.within();
                    self.tasks.extend([
                        GuardTask::Enter(around.collection, within),
                        GuardTask::Parts(id, usage),
                        GuardTask::Leave(id),
                    ]);
                }
            }
            ExprKind::Apply(apply) => {
                for &(_, argument) in &apply.arguments {
                    self.tasks.push(if is_attempt || self.strict.contains(&argument) {
                        GuardTask::Enter(argument, usage.within())
                    } else {
                        GuardTask::Slot(argument)
                    });
                }
                self.tasks.extend([GuardTask::Parts(id, usage), GuardTask::Leave(id)]);
            }
            &ExprKind::Conditional { condition, if_true, if_false } if !is_attempt => {
                self.tasks.push(GuardTask::Enter(condition, Usage::STRICT));
                for (branch, truth) in [(if_true, true), (if_false, false)] {
                    let known = not_null(self.checker.exprs, &self.replaced, condition, truth);
                    self.tasks.extend([
                        GuardTask::Know(known.clone()),
                        GuardTask::Slot(branch),
                        GuardTask::Forget(known),
                    ]);
                }
                self.tasks.push(GuardTask::Leave(id));
            }
            &ExprKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                ..
            } if !is_attempt => self.enter_chain(id, operator),
            _ => {
                let tasks = &mut self.tasks;
                operands(self.checker, id, usage, |operand, usage| {
                    tasks.push(match usage {
                        Usage::Slot => GuardTask::Slot(operand),
                        usage => GuardTask::Enter(operand, usage),
                    });
                });
                self.tasks.push(GuardTask::Leave(id));
            }
        }
        walk::reverse_from(&mut self.tasks, start);
    }

    /// Enters a chain of `&&` or `||`, each operand of which counts when those before it are true,
    /// or false.
    fn enter_chain(&mut self, id: ExprId, operator: BinaryOperator) {
        let (first, rest) = chain(self.checker.exprs, id, operator);
        let truth = operator == BinaryOperator::And;
        let mut known = not_null(self.checker.exprs, &self.replaced, first, truth);
        let mut all = Vec::new();
        self.tasks.push(GuardTask::Enter(first, Usage::STRICT));
        for (link, operand) in rest {
            all.extend(known.iter().cloned());
            self.tasks.extend([
                GuardTask::Know(known),
                GuardTask::Slot(operand),
                GuardTask::Leave(link),
            ]);
            known = not_null(self.checker.exprs, &self.replaced, operand, truth);
        }
        self.tasks.push(GuardTask::Forget(all));
    }

    /// Enters the parts of a loop, whose collection is the last result, or the body of an apply,
    /// whose arguments are the last ones.
    fn parts(&mut self, id: ExprId, usage: Usage) {
        if let ExprKind::Apply(apply) = &self.checker.exprs[id].kind {
            let apply = apply.clone();
            self.body(&apply, usage);
            return;
        }
        let (Some(around), Some(&collection)) =
            (walk::loop_of(self.checker.exprs, id), self.results.last())
        else {
            return;
        };
        let variables =
            walk::renew_variables(self.checker, &around, collection, &mut self.replaced);
        if collection != around.collection {
            for variable in variables.into_iter().flatten() {
                self.note_null(variable);
            }
        }
        let is_splat = matches!(self.checker.exprs[id].kind, ExprKind::Splat(_));
        let parts = around.parts().rev();
        self.tasks.extend(parts.map(|part| {
            if usage == Usage::Attempted || is_splat {
                GuardTask::Enter(part, usage.within())
            } else {
                GuardTask::Slot(part)
            }
        }));
    }

    /// Enters the body of an apply.
    fn body(&mut self, apply: &Apply, usage: Usage) {
        let start = self.results.len().saturating_sub(apply.arguments.len());
        let arguments = walk::from(&self.results, start).to_vec();
        let mut needs = self.needed.remove(&apply.body).unwrap_or_default();
        for (&(parameter, before), now) in apply.arguments.iter().zip(arguments) {
            if before == now {
                continue;
            }
            let parameter = self.renewed(parameter, before, now);
            if self.note_null(parameter) && self.strict.contains(&before) {
                needs.push(self.need_of_name(parameter));
            }
        }
        if usage == Usage::Attempted {
            self.tasks.push(GuardTask::Enter(apply.body, usage));
            return;
        }
        for need in &mut needs {
            need.path.0 = self.current(need.path.0);
        }
        needs.retain(|need| !self.is_known(&need.path));
        self.enter_guarded(apply.body, needs);
    }

    /// The parameter for `now`, which is in the place of the argument `before`.
    fn renewed(&mut self, parameter: DefinitionId, before: ExprId, now: ExprId) -> DefinitionId {
        if self.checker.type_of(before) == self.checker.type_of(now) {
            return parameter;
        }
        let definition = self.checker.scopes.definition(parameter).clone();
        let types = &mut *self.checker.types;
        let ty = self.checker.exprs[now].ty;
        let held = content(types, ty, &Applies::default()).unwrap_or(ty);
        let held = if types.contains_eventuals(definition.ty) { held } else { types.resolve(held) };
        let ty = types.null_as_none(held);
        if ty == definition.ty {
            return parameter;
        }
        let new = Definition { ty, ..definition };
        let new = self.checker.scopes.define_anonymous(new);
        self.replaced.insert(parameter, new);
        new
    }

    /// Notes that a variable or parameter may be null, if its type says so, since a guard was made
    /// in the value that it is for.
    fn note_null(&mut self, definition: DefinitionId) -> bool {
        let Definition { name, ty, .. } = *self.checker.scopes.definition(definition);
        let types = &*self.checker.types;
        // The item of a splat has no name to ask about.
        let is_null = may_be_null(types, ty) && !types.name(name).is_empty();
        if is_null {
            self.nullable.insert(definition);
        }
        is_null
    }

    fn leave(&mut self, id: ExprId) {
        let (results, replaced) = (&mut self.results, &self.replaced);
        let id = walk::rebuilt(self.checker, self.scope, id, results, replaced);
        self.results.push(id);
    }

    /// `value`, or null when one of `needs` is null.
    fn guarded(&mut self, value: ExprId, place: ExprId, needs: Vec<Need>) -> ExprId {
        let mut condition = None;
        for need in needs {
            let compared = self.compare(place, need);
            condition = Some(match condition {
                Some(left) => self.binary(place, BinaryOperator::And, left, compared),
                None => compared,
            });
        }
        let Some(condition) = condition else { return value };
        let if_false = self.null(place);
        let guarded = ExprKind::Conditional { condition, if_true: value, if_false };
        walk::in_place_of(self.checker, place, guarded)
    }

    fn null(&mut self, place: ExprId) -> ExprId {
        walk::in_place_of(self.checker, place, ExprKind::Literal(Constant::Null))
    }

    fn binary(
        &mut self,
        place: ExprId,
        operator: BinaryOperator,
        left: ExprId,
        right: ExprId,
    ) -> ExprId {
        let kind = ExprKind::Binary { operator, left, right };
        walk::in_place_of(self.checker, place, kind)
    }

    /// `name.steps != null`
    fn compare(&mut self, place: ExprId, need: Need) -> ExprId {
        let mut traversal = need.traversal;
        traversal.root_range = self.checker.exprs[place].range;
        let (definition, _) = need.path;
        traversal.definition = Some(definition);
        traversal.root_type = self.checker.scopes.definition(definition).ty;
        let left = walk::in_place_of(self.checker, place, ExprKind::Traversal(traversal));
        let right = self.null(place);
        self.binary(place, BinaryOperator::NotEqual, left, right)
    }

    fn need_of_name(&self, name: DefinitionId) -> Need {
        let definition = self.checker.scopes.definition(name);
        Need {
            path: (name, Vec::new()),
            traversal: Traversal {
                root: definition.name,
                root_range: pcl_diagnostics::TextRange::default(),
                root_type: definition.ty,
                definition: Some(name),
                steps: Steps::default(),
            },
        }
    }
}

/// The keys of some steps.
fn keys(steps: &[TraversalStep]) -> Vec<Key> {
    steps.iter().map(|step| step.key.clone()).collect()
}

/// The first operand of a chain of one operator, and each of the others with the operation that
/// it ends.
fn chain(
    exprs: &ExprArena,
    id: ExprId,
    operator: BinaryOperator,
) -> (ExprId, Vec<(ExprId, ExprId)>) {
    let mut rest = Vec::new();
    let mut at = id;
    while let ExprKind::Binary { operator: own, left, right } = &exprs[at].kind {
        if *own != operator {
            break;
        }
        rest.push((at, *right));
        at = *left;
    }
    rest.reverse();
    (at, rest)
}

/// The values that are not null when `condition` is `truth`, with the definitions in `replaced` in
/// the place of others.
fn not_null(exprs: &ExprArena, replaced: &Replaced, condition: ExprId, truth: bool) -> Vec<Path> {
    let mut known = Vec::new();
    let mut open = vec![(condition, truth)];
    while let Some((id, truth)) = open.pop() {
        match &exprs[id].kind {
            ExprKind::Unary { operator: UnaryOperator::Not, operand } => {
                open.push((*operand, !truth))
            }
            ExprKind::Binary { operator, left, right } => match (operator, truth) {
                (BinaryOperator::And, true) | (BinaryOperator::Or, false) => {
                    open.extend([(*left, truth), (*right, truth)]);
                }
                (BinaryOperator::NotEqual, true) | (BinaryOperator::Equal, false) => {
                    known.extend(compared_with_null(exprs, *left, *right));
                }
                _ => {}
            },
            _ => {}
        }
    }
    for (definition, _) in &mut known {
        *definition = replaced.get(definition).copied().unwrap_or(*definition);
    }
    known
}

/// The path that is compared with null.
fn compared_with_null(exprs: &ExprArena, left: ExprId, right: ExprId) -> Option<Path> {
    let is_null = |id: ExprId| matches!(exprs[id].kind, ExprKind::Literal(Constant::Null));
    let other = match (is_null(left), is_null(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    match &exprs[other].kind {
        ExprKind::Traversal(traversal) => {
            let steps = exprs.steps(traversal.steps);
            Some((traversal.definition?, keys(steps)))
        }
        _ => None,
    }
}
