//! Helpers of the passes: expressions with other operands, and walks over expressions from the
//! inside out.

use std::sync::Arc;

use pcl_model::TypeId;
use pcl_model::expression::{
    Checker, CollectionUse, Expr, ExprArena, ExprId, ExprKind, Operands, Steps, Traversal,
};
use pcl_model::scope::{Definition, DefinitionId, ScopeId};
use pcl_model::value::Constant;
use rustc_hash::FxHashMap;

/// An expression with other operands.
pub(crate) struct Rebuilt {
    /// The expression; the old one if every operand is the same.
    pub id: ExprId,
    /// True when an operand has another type than before.
    pub types_changed: bool,
}

/// `id` with these operands, with the type that it had. The old expression stays as it is.
fn with_operands(exprs: &mut ExprArena, id: ExprId, operands: &[ExprId]) -> Rebuilt {
    let (mut changed, mut types_changed) = (false, false);
    let mut new = operands.iter();
    exprs[id].kind.for_each_operand(|old| {
        if let Some(&new) = new.next() {
            changed |= old != new;
            types_changed |= exprs[old].ty != exprs[new].ty;
        }
    });
    if !changed {
        return Rebuilt { id, types_changed };
    }
    let mut expr = exprs[id].clone();
    let mut new = operands.iter();
    expr.kind.for_each_operand_mut(|operand| {
        if let Some(&new) = new.next() {
            *operand = new;
        }
    });
    Rebuilt { id: exprs.push(expr), types_changed }
}

/// The index of the first operand of `id` in `results`, which ends with its operands.
pub(crate) fn operands_start(exprs: &ExprArena, id: ExprId, results: &[ExprId]) -> usize {
    let mut count = 0;
    exprs[id].kind.for_each_operand(|_| count += 1);
    results.len().saturating_sub(count)
}

/// `id` with its operands as they are now, which are the last results and are taken from them.
pub(crate) fn with_results(
    exprs: &mut ExprArena,
    id: ExprId,
    results: &mut Vec<ExprId>,
) -> Rebuilt {
    let start = operands_start(exprs, id, results);
    let rebuilt = with_operands(exprs, id, from(results, start));
    results.truncate(start);
    rebuilt
}

/// As [`with_results`], also with other variables, and typed again.
pub(crate) fn rebuilt(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    id: ExprId,
    results: &mut Vec<ExprId>,
    replaced: &Replaced,
) -> ExprId {
    let Rebuilt { id, types_changed } = with_results(checker.exprs, id, results);
    let id = with_variables(checker, id, replaced);
    if types_changed {
        retype(checker, id, scope);
    }
    id
}

/// The items from `start` on.
pub(crate) fn from<T>(items: &[T], start: usize) -> &[T] {
    items.get(start..).unwrap_or_default()
}

/// Reverses the items from `start` on, so that the first of them is the next one to be taken.
pub(crate) fn reverse_from<T>(items: &mut [T], start: usize) {
    if let Some(items) = items.get_mut(start..) {
        items.reverse();
    }
}

/// Types `id` again, after the types of its operands changed. Functions are looked up from `scope`.
pub(crate) fn retype(checker: &mut Checker<'_>, id: ExprId, scope: ScopeId) {
    if matches!(checker.exprs[id].kind, ExprKind::Call(_)) {
        checker.renew_signature(id, scope);
    }
    checker.retype(id);
}

/// A new expression in the place of `before`, with the type that follows from its operands.
pub(crate) fn in_place_of(checker: &mut Checker<'_>, before: ExprId, kind: ExprKind) -> ExprId {
    let Expr { file, range, node, .. } = checker.exprs[before];
    let ty = TypeId::ERROR;
    let id = checker.exprs.push(Expr { kind, ty, file, range, node });
    checker.retype(id);
    id
}

/// A reference to a variable, in the place of `before`.
pub(crate) fn reference(
    checker: &mut Checker<'_>,
    variable: DefinitionId,
    before: ExprId,
) -> ExprId {
    let Definition { name, ty, .. } = *checker.scopes.definition(variable);
    let traversal = Traversal {
        root: name,
        root_range: checker.exprs[before].range,
        root_type: ty,
        definition: Some(variable),
        steps: Steps::default(),
    };
    in_place_of(checker, before, ExprKind::Traversal(traversal))
}

/// A string in the place of `before`.
pub(crate) fn text(checker: &mut Checker<'_>, before: ExprId, text: Arc<str>) -> ExprId {
    let literal = ExprKind::Literal(Constant::String(text));
    let part = in_place_of(checker, before, literal);
    in_place_of(checker, before, ExprKind::Template(Operands::from_slice(&[part])))
}

/// Variables of loops, and their replacements after the type of the loop's collection has changed.
pub(crate) type Replaced = FxHashMap<DefinitionId, DefinitionId>;

/// `root` with every expression in it replaced by what `replace` makes of it, operands first, and
/// typed again. Functions are looked up from `scope`.
pub(crate) fn replace_all(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    mut replace: impl FnMut(&mut Checker<'_>, ExprId) -> ExprId,
) -> ExprId {
    let mut replaced = Replaced::default();
    replace_in(checker, scope, root, &mut replaced, &mut |_, _| false, &mut replace)
}

/// As [`replace_all`]; the operands of what `stop` holds for stay.
pub(crate) fn replace_until(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    mut stop: impl FnMut(&mut Checker<'_>, ExprId) -> bool,
    mut replace: impl FnMut(&mut Checker<'_>, ExprId) -> ExprId,
) -> ExprId {
    let mut replaced = Replaced::default();
    replace_in(checker, scope, root, &mut replaced, &mut stop, &mut replace)
}

/// `root` with other variables in the place of those in `replaced`, typed again.
pub(crate) fn substitute(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    replaced: &mut Replaced,
) -> ExprId {
    replace_in(checker, scope, root, replaced, &mut |_, _| false, &mut |_, id| id)
}

fn replace_in(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    replaced: &mut Replaced,
    stop: &mut dyn FnMut(&mut Checker<'_>, ExprId) -> bool,
    replace: &mut dyn FnMut(&mut Checker<'_>, ExprId) -> ExprId,
) -> ExprId {
    let mut tasks = vec![RebuildTask::Enter(root)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            RebuildTask::Enter(id) if stop(checker, id) => results.push(replace(checker, id)),
            RebuildTask::Enter(id) => match loop_of(checker.exprs, id) {
                Some(around) => tasks.extend([
                    RebuildTask::Leave(id),
                    RebuildTask::Parts(id),
                    RebuildTask::Enter(around.collection),
                ]),
                None => enter(checker.exprs, id, &mut tasks),
            },
            RebuildTask::Parts(id) => {
                if let (Some(around), Some(&collection)) =
                    (loop_of(checker.exprs, id), results.last())
                {
                    renew_variables(checker, &around, collection, replaced);
                    tasks.extend(around.parts().rev().map(RebuildTask::Enter));
                }
            }
            RebuildTask::Leave(id) => {
                let id = rebuilt(checker, scope, id, &mut results, replaced);
                results.push(replace(checker, id));
            }
        }
    }
    results.pop().unwrap_or(root)
}

/// The variables and parts of a `for` or splat.
pub(crate) struct LoopView {
    pub collection: ExprId,
    /// For keys, and for values.
    pub variables: [Option<DefinitionId>; 2],
    parts: [Option<ExprId>; 3],
    is_splat: bool,
}

impl LoopView {
    /// The expressions evaluated in each round, in the order of the operands.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        self.parts.into_iter().flatten()
    }
}

/// `id` as a loop, if it is one.
pub(crate) fn loop_of(exprs: &ExprArena, id: ExprId) -> Option<LoopView> {
    match &exprs[id].kind {
        ExprKind::For(for_expr) => Some(LoopView {
            collection: for_expr.collection,
            variables: [for_expr.key_variable, for_expr.value_variable],
            parts: [for_expr.key, Some(for_expr.value), for_expr.condition],
            is_splat: false,
        }),
        ExprKind::Splat(splat) => Some(LoopView {
            collection: splat.source,
            variables: [None, Some(splat.item)],
            parts: [Some(splat.each), None, None],
            is_splat: true,
        }),
        _ => None,
    }
}

/// The variables of a loop that goes over `collection` now: where one has another type than before,
/// a new one.
pub(crate) fn renew_variables(
    checker: &mut Checker<'_>,
    around: &LoopView,
    collection: ExprId,
    replaced: &mut Replaced,
) -> [Option<DefinitionId>; 2] {
    if checker.type_of(collection) == checker.type_of(around.collection) {
        return around.variables;
    }
    let types = if around.is_splat {
        [TypeId::NONE, checker.splat_item_type(collection)]
    } else {
        let mark = checker.reporter.mark();
        let Expr { ty, range, .. } = checker.exprs[collection];
        let (key, value) = checker.collection(ty, range, CollectionUse::Loop);
        checker.reporter.retract(mark);
        [key, value]
    };
    let mut variables = around.variables;
    for (variable, ty) in variables.iter_mut().zip(types) {
        let Some(variable) = variable else { continue };
        let definition = checker.scopes.definition(*variable);
        if definition.ty != ty {
            let definition = Definition { ty, ..definition.clone() };
            let new = checker.scopes.define_anonymous(definition);
            replaced.insert(*variable, new);
            *variable = new;
        }
    }
    variables
}

/// `id` with other variables: the target of a name, or the variables that a loop or apply defines.
pub(crate) fn with_variables(checker: &mut Checker<'_>, id: ExprId, replaced: &Replaced) -> ExprId {
    let new = |definition: DefinitionId| replaced.get(&definition).copied();
    let mut kind = match &checker.exprs[id].kind {
        ExprKind::Traversal(traversal) if traversal.definition.and_then(new).is_some() => {
            ExprKind::Traversal(traversal.clone())
        }
        ExprKind::For(_) | ExprKind::Splat(_) | ExprKind::Apply(_) if !replaced.is_empty() => {
            checker.exprs[id].kind.clone()
        }
        _ => return id,
    };
    let mut changed = false;
    let mut replace = |definition: &mut DefinitionId| {
        if let Some(new) = new(*definition) {
            *definition = new;
            changed = true;
        }
    };
    match &mut kind {
        ExprKind::For(for_expr) => {
            let variables = [&mut for_expr.key_variable, &mut for_expr.value_variable];
            variables.into_iter().flatten().for_each(replace);
        }
        ExprKind::Splat(splat) => replace(&mut splat.item),
        ExprKind::Apply(apply) => {
            let parameters = apply.arguments.iter_mut().map(|(parameter, _)| parameter);
            parameters.for_each(replace);
        }
        ExprKind::Traversal(traversal) => {
            traversal.definition.iter_mut().for_each(replace);
            if let Some(definition) = traversal.definition {
                traversal.root_type = checker.scopes.definition(definition).ty;
            }
            return in_place_of(checker, id, kind);
        }
        _ => {}
    }
    if !changed {
        return id;
    }
    let expr = checker.exprs[id].clone();
    checker.exprs.push(Expr { kind, ..expr })
}

/// `root` with every expression in it replaced by one of the same type, operands first.
pub(crate) fn map(
    exprs: &mut ExprArena,
    root: ExprId,
    mut replace: impl FnMut(&mut ExprArena, ExprId) -> ExprId,
) -> ExprId {
    let mut tasks = vec![RebuildTask::Enter(root)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            RebuildTask::Enter(id) | RebuildTask::Parts(id) => enter(exprs, id, &mut tasks),
            RebuildTask::Leave(id) => {
                let rebuilt = with_results(exprs, id, &mut results);
                results.push(replace(exprs, rebuilt.id));
            }
        }
    }
    results.pop().unwrap_or(root)
}

enum RebuildTask {
    Enter(ExprId),
    /// The collection of a loop was left: its parts follow.
    Parts(ExprId),
    Leave(ExprId),
}

fn enter(exprs: &ExprArena, id: ExprId, tasks: &mut Vec<RebuildTask>) {
    tasks.push(RebuildTask::Leave(id));
    let start = tasks.len();
    let kind = &exprs[id].kind;
    kind.for_each_operand(|operand| tasks.push(RebuildTask::Enter(operand)));
    reverse_from(tasks, start);
}

/// A copy of the expression `root` in another arena, where it is one stretch.
pub(crate) fn copy(from: &ExprArena, root: ExprId, to: &mut ExprArena) -> ExprId {
    let mut tasks = vec![RebuildTask::Enter(root)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            RebuildTask::Enter(id) | RebuildTask::Parts(id) => enter(from, id, &mut tasks),
            RebuildTask::Leave(id) => {
                let start = operands_start(from, id, &results);
                let mut expr = from[id].clone();
                let mut new = results.drain(start..);
                expr.kind.for_each_operand_mut(|operand| {
                    if let Some(new) = new.next() {
                        *operand = new;
                    }
                });
                drop(new);
                results.push(to.push_from(from, expr));
            }
        }
    }
    results.pop().unwrap_or(root)
}
