//! Knowledge from conditions: the values that are not null when one is true, or false.

use pcl_model::expression::{ExprArena, ExprId, ExprKind};
use pcl_model::value::Constant;
use pcl_syntax::ast::{BinaryOperator, UnaryOperator};

use super::{Path, keys};
use crate::walk::Replaced;

/// The first operand of a chain of one operator, and each of the others with the operation that
/// it ends.
pub(super) fn chain(
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
pub(super) fn not_null(
    exprs: &ExprArena,
    replaced: &Replaced,
    condition: ExprId,
    truth: bool,
) -> Vec<Path> {
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
