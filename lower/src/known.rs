//! Known values: an expression whose value is known is written as this value, and a conditional
//! whose condition is known as the branch that it takes. See `tests/spec/lowering/known.md`.

use std::collections::HashMap;
use std::sync::Arc;

use pcl_model::expression::{Checker, ExprId, ExprKind, Operands};
use pcl_model::scope::ScopeId;
use pcl_model::value::Constant;

use crate::walk::{self, Replaced};

/// A value as it can be written.
#[derive(Clone, PartialEq, Debug)]
pub enum Known {
    /// A value without parts.
    Constant(Constant),
    /// A list.
    List(Vec<Self>),
    /// An object.
    Object(Vec<(Arc<str>, Self)>),
}

/// The replacement of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Replacement {
    /// Its value.
    Value(Known),
    /// One of the expressions in it, in which others may be replaced.
    Operand(ExprId),
}

/// `root` with these expressions in it replaced. Functions are looked up from `scope`.
pub fn known_values(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    replacements: &HashMap<ExprId, Replacement>,
) -> ExprId {
    let mut tasks = vec![Task::Enter(root)];
    let mut results = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(id) => match replacements.get(&id) {
                Some(Replacement::Value(known)) => results.push(written(checker, id, known)),
                Some(Replacement::Operand(operand)) => tasks.push(Task::Enter(*operand)),
                None => {
                    tasks.push(Task::Leave(id));
                    let start = tasks.len();
                    checker.exprs[id].kind.for_each_operand(|operand| {
                        tasks.push(Task::Enter(operand));
                    });
                    walk::reverse_from(&mut tasks, start);
                }
            },
            Task::Leave(id) => {
                let id = walk::rebuilt(checker, scope, id, &mut results, &Replaced::default());
                results.push(id);
            }
        }
    }
    results.pop().unwrap_or(root)
}

enum Task {
    Enter(ExprId),
    Leave(ExprId),
}

/// A value in the place of `before`.
fn written(checker: &mut Checker<'_>, before: ExprId, known: &Known) -> ExprId {
    let mut tasks = vec![(known, false)];
    let mut results: Vec<ExprId> = Vec::new();
    while let Some((known, is_left)) = tasks.pop() {
        if !is_left && !matches!(known, Known::Constant(_)) {
            tasks.push((known, true));
            match known {
                Known::Constant(_) => {}
                Known::List(parts) => tasks.extend(parts.iter().rev().map(|part| (part, false))),
                Known::Object(fields) => {
                    tasks.extend(fields.iter().rev().map(|(_, part)| (part, false)));
                }
            }
            continue;
        }
        let kind = match known {
            Known::Constant(Constant::String(text)) => {
                results.push(walk::text(checker, before, Arc::clone(text)));
                continue;
            }
            Known::Constant(constant) => ExprKind::Literal(constant.clone()),
            Known::List(parts) => {
                let start = results.len().saturating_sub(parts.len());
                let elements: Vec<ExprId> = results.drain(start..).collect();
                ExprKind::Tuple(Operands::from_slice(&elements))
            }
            Known::Object(fields) => {
                let start = results.len().saturating_sub(fields.len());
                let values: Vec<ExprId> = results.drain(start..).collect();
                let mut items = Vec::new();
                for ((name, _), value) in fields.iter().zip(values) {
                    let key = ExprKind::Literal(Constant::String(Arc::clone(name)));
                    items.push((walk::in_place_of(checker, before, key), value));
                }
                ExprKind::Object(items.into())
            }
        };
        results.push(walk::in_place_of(checker, before, kind));
    }
    results.pop().unwrap_or(before)
}
