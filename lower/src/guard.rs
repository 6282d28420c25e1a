//! Optional resources: what reaches into a resource that may not be there is null when it is not.
//! See `tests/spec/lowering/guard.md`.

use pcl_model::Symbol;
use pcl_model::expression::{Call, Checker, Expr, ExprArena, ExprId, ExprKind, Steps, Traversal};
use pcl_model::scope::DefinitionId;
use pcl_model::value::Constant;
use pcl_syntax::ast::{BinaryOperator, UnaryOperator};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::walk;

/// `root`, or null when one of the definitions in it is null that `is_optional` says may be. What
/// the expression itself asks about, as in `r == null ? "none" : r.name`, needs no guard.
pub fn optional_guards(
    checker: &mut Checker<'_>,
    root: ExprId,
    is_optional: impl Fn(&Checker<'_>, DefinitionId) -> bool,
) -> ExprId {
    let found = unguarded(checker, root, is_optional);
    let mut condition = None;
    for (definition, name) in found {
        let compared = compare(checker, root, definition, name);
        condition = Some(match condition {
            Some(left) => binary(checker, root, BinaryOperator::And, left, compared),
            None => compared,
        });
    }
    let Some(condition) = condition else {
        return root;
    };
    let if_false = walk::in_place_of(checker, root, ExprKind::Literal(Constant::Null));
    let guarded = ExprKind::Conditional {
        condition,
        if_true: root,
        if_false,
    };
    walk::in_place_of(checker, root, guarded)
}

fn binary(
    checker: &mut Checker<'_>,
    place: ExprId,
    operator: BinaryOperator,
    left: ExprId,
    right: ExprId,
) -> ExprId {
    let kind = ExprKind::Binary {
        operator,
        left,
        right,
    };
    walk::in_place_of(checker, place, kind)
}

/// `name != null`
fn compare(
    checker: &mut Checker<'_>,
    place: ExprId,
    definition: DefinitionId,
    name: Symbol,
) -> ExprId {
    let ty = checker.scopes.definition(definition).ty;
    let Expr { range, .. } = checker.exprs[place];
    let traversal = Traversal {
        root: name,
        root_range: range,
        root_type: ty,
        definition: Some(definition),
        steps: Steps::default(),
    };
    let left = walk::in_place_of(checker, place, ExprKind::Traversal(traversal));
    let right = walk::in_place_of(checker, place, ExprKind::Literal(Constant::Null));
    binary(checker, place, BinaryOperator::NotEqual, left, right)
}

/// The optional definitions that are reached into without being asked about, in the order of the
/// expressions.
fn unguarded(
    checker: &Checker<'_>,
    root: ExprId,
    is_optional: impl Fn(&Checker<'_>, DefinitionId) -> bool,
) -> Vec<(DefinitionId, Symbol)> {
    enum GuardTask {
        Enter(ExprId),
        /// Definitions that are not null from here on, and those that may be again.
        Guard(Vec<DefinitionId>),
        Unguard(Vec<DefinitionId>),
    }
    let exprs = &*checker.exprs;
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut guarded: FxHashMap<DefinitionId, usize> = FxHashMap::default();
    let mut tasks = vec![GuardTask::Enter(root)];
    while let Some(task) = tasks.pop() {
        let id = match task {
            GuardTask::Enter(id) => id,
            GuardTask::Guard(definitions) => {
                for definition in definitions {
                    *guarded.entry(definition).or_default() += 1;
                }
                continue;
            }
            GuardTask::Unguard(definitions) => {
                for definition in definitions {
                    *guarded.entry(definition).or_default() -= 1;
                }
                continue;
            }
        };
        let start = tasks.len();
        match &exprs[id].kind {
            ExprKind::Traversal(traversal) => {
                if let Some(definition) = traversal.definition
                    && !traversal.steps.is_empty()
                    && guarded.get(&definition).is_none_or(|&times| times == 0)
                    && is_optional(checker, definition)
                    && seen.insert(definition)
                {
                    found.push((definition, traversal.root));
                }
            }
            &ExprKind::Conditional {
                condition,
                if_true,
                if_false,
            } => {
                tasks.push(GuardTask::Enter(condition));
                for (branch, truth) in [(if_true, true), (if_false, false)] {
                    let known = not_null(exprs, condition, truth);
                    tasks.push(GuardTask::Guard(known.clone()));
                    tasks.push(GuardTask::Enter(branch));
                    tasks.push(GuardTask::Unguard(known));
                }
            }
            &ExprKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                ..
            } => {
                // The right operand counts when the left one is true, or false.
                let mut all = Vec::new();
                for operand in chain(exprs, id, operator) {
                    let known = not_null(exprs, operand, operator == BinaryOperator::And);
                    tasks.push(GuardTask::Enter(operand));
                    tasks.push(GuardTask::Guard(known.clone()));
                    all.extend(known);
                }
                tasks.push(GuardTask::Unguard(all));
            }
            ExprKind::Call(call) => {
                let attempted = attempted(checker, call);
                let operands = call.arguments.get(attempted..).unwrap_or_default();
                tasks.extend(operands.iter().map(|&operand| GuardTask::Enter(operand)));
            }
            kind => kind.for_each_operand(|operand| tasks.push(GuardTask::Enter(operand))),
        }
        walk::reverse_from(&mut tasks, start);
    }
    found
}

/// The number of arguments, from the first, whose failure a function answers: `try` takes the next
/// one, and `can` is false.
fn attempted(checker: &Checker<'_>, call: &Call) -> usize {
    match checker.types.name(call.name) {
        "try" => call.arguments.len().saturating_sub(1),
        "can" => call.arguments.len(),
        _ => 0,
    }
}

/// The operands of a chain of one operator, from the left.
fn chain(exprs: &ExprArena, id: ExprId, operator: BinaryOperator) -> Vec<ExprId> {
    let mut operands = Vec::new();
    let mut at = id;
    while let ExprKind::Binary {
        operator: own,
        left,
        right,
    } = &exprs[at].kind
    {
        if *own != operator {
            break;
        }
        operands.push(*right);
        at = *left;
    }
    operands.push(at);
    operands.reverse();
    operands
}

/// The definitions that are not null when `condition` is `truth`.
fn not_null(exprs: &ExprArena, condition: ExprId, truth: bool) -> Vec<DefinitionId> {
    let mut known = Vec::new();
    let mut open = vec![(condition, truth)];
    while let Some((id, truth)) = open.pop() {
        match &exprs[id].kind {
            ExprKind::Unary {
                operator: UnaryOperator::Not,
                operand,
            } => open.push((*operand, !truth)),
            ExprKind::Binary {
                operator,
                left,
                right,
            } => match (operator, truth) {
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
    known
}

/// The definition that is compared with null.
fn compared_with_null(exprs: &ExprArena, left: ExprId, right: ExprId) -> Option<DefinitionId> {
    let is_null = |id: ExprId| matches!(exprs[id].kind, ExprKind::Literal(Constant::Null));
    let other = match (is_null(left), is_null(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    match &exprs[other].kind {
        ExprKind::Traversal(traversal) if traversal.steps.is_empty() => traversal.definition,
        _ => None,
    }
}
