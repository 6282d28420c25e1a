//! What the passes have in common: putting other operands into an expression, and going through one from the inside out.

use pcl_model::TypeId;
use pcl_model::expression::{Checker, Expr, ExprArena, ExprId, ExprKind};
use pcl_model::scope::ScopeId;

/// An expression with other operands.
pub(crate) struct Rebuilt {
    /// The expression; the old one if every operand is the same.
    pub id: ExprId,
    /// Whether an operand has another type than before.
    pub types_changed: bool,
}

/// `id` with these operands, with the type that it had. The old expression stays as it is.
pub(crate) fn with_operands(exprs: &mut ExprArena, id: ExprId, operands: &[ExprId]) -> Rebuilt {
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
    Rebuilt {
        id: exprs.push(expr),
        types_changed,
    }
}

/// Takes the operands of `id`, which are the last results.
pub(crate) fn take_operands(
    exprs: &ExprArena,
    id: ExprId,
    results: &mut Vec<ExprId>,
) -> Vec<ExprId> {
    let mut count = 0;
    exprs[id].kind.for_each_operand(|_| count += 1);
    results.split_off(results.len().saturating_sub(count))
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
    let Expr {
        file, range, node, ..
    } = checker.exprs[before];
    let ty = TypeId::ERROR;
    let id = checker.exprs.push(Expr {
        kind,
        ty,
        file,
        range,
        node,
    });
    checker.retype(id);
    id
}

/// `root` with every expression in it replaced by what `replace` makes of it, operands first, and typed again. Of what `stop` holds for,
/// the operands stay. Functions are looked up from `scope`.
pub(crate) fn replace_all(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    mut stop: impl FnMut(&mut Checker<'_>, ExprId) -> bool,
    mut replace: impl FnMut(&mut Checker<'_>, ExprId) -> ExprId,
) -> ExprId {
    let mut tasks = vec![Task::Enter(root)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(id) if stop(checker, id) => results.push(replace(checker, id)),
            Task::Enter(id) => enter(checker.exprs, id, &mut tasks),
            Task::Leave(id) => {
                let operands = take_operands(checker.exprs, id, &mut results);
                let Rebuilt { id, types_changed } = with_operands(checker.exprs, id, &operands);
                if types_changed {
                    retype(checker, id, scope);
                }
                results.push(replace(checker, id));
            }
        }
    }
    results.pop().unwrap_or(root)
}

/// `root` with every expression in it replaced by one of the same type, operands first.
pub(crate) fn map(
    exprs: &mut ExprArena,
    root: ExprId,
    mut replace: impl FnMut(&mut ExprArena, ExprId) -> ExprId,
) -> ExprId {
    let mut tasks = vec![Task::Enter(root)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(id) => enter(exprs, id, &mut tasks),
            Task::Leave(id) => {
                let operands = take_operands(exprs, id, &mut results);
                let rebuilt = with_operands(exprs, id, &operands);
                results.push(replace(exprs, rebuilt.id));
            }
        }
    }
    results.pop().unwrap_or(root)
}

enum Task {
    Enter(ExprId),
    Leave(ExprId),
}

fn enter(exprs: &ExprArena, id: ExprId, tasks: &mut Vec<Task>) {
    tasks.push(Task::Leave(id));
    let start = tasks.len();
    let kind = &exprs[id].kind;
    kind.for_each_operand(|operand| tasks.push(Task::Enter(operand)));
    tasks[start..].reverse();
}

/// A copy of the expression `root` in another arena, where it is one stretch.
pub(crate) fn copy(from: &ExprArena, root: ExprId, to: &mut ExprArena) -> ExprId {
    let mut tasks = vec![Task::Enter(root)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(id) => enter(from, id, &mut tasks),
            Task::Leave(id) => {
                let operands = take_operands(from, id, &mut results);
                let mut expr = from[id].clone();
                let mut new = operands.into_iter();
                expr.kind.for_each_operand_mut(|operand| {
                    if let Some(new) = new.next() {
                        *operand = new;
                    }
                });
                results.push(to.push(expr));
            }
        }
    }
    results.pop().unwrap_or(root)
}
