//! Invokes in one form: with the token as the schema writes it, and the inputs as one object. See
//! `tests/spec/lowering/invokes.md`.

use std::sync::Arc;

use pcl_binder::schema_types::{Lookup, Nominal, SchemaTypes};
use pcl_language::Function;
use pcl_model::expression::{Call, Checker, Expr, ExprId, ExprKind, Items, TraversalStep};
use pcl_model::relations::Key;
use pcl_model::scope::ScopeId;
use pcl_model::types::Type;
use pcl_model::value::Constant;

use crate::walk;

/// `root` with every `invoke` in it in one form. Functions are looked up from `scope`.
pub fn invokes(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: ExprId,
    schemas: &SchemaTypes,
) -> ExprId {
    walk::replace_all(checker, scope, root, |checker, id| {
        let ExprKind::Call(call) = &checker.exprs[id].kind else { return id };
        if Function::parse(checker.types.name(call.name)) != Some(Function::Invoke) {
            return id;
        }
        let call = call.clone();
        let canonical = with_canonical_token(checker, &call, schemas);
        let by_object = if call.signature.multi_argument {
            with_object(checker, id, canonical.as_ref().unwrap_or(&call))
        } else {
            None
        };
        let is_positional = by_object.is_some();
        let Some(call) = by_object.or(canonical) else { return id };
        let expr = Expr { kind: ExprKind::Call(call), ..checker.exprs[id].clone() };
        let id = checker.exprs.push(expr);
        if is_positional {
            walk::retype(checker, id, scope);
        }
        id
    })
}

/// The call with the token as the schema writes it; `None` when it is so already.
fn with_canonical_token(
    checker: &mut Checker<'_>,
    call: &Call,
    schemas: &SchemaTypes,
) -> Option<Box<Call>> {
    let callee = Nominal::from_key(call.signature.callee?)?;
    let &token = call.arguments.first()?;
    let written = checker.exprs.literal_string(token)?;
    let Lookup::Found(found) = schemas.lookup_function(callee.package, &written) else {
        return None;
    };
    if *found.token == *written {
        return None;
    }
    let mut call = call.clone();
    *call.arguments.first_mut()? = walk::text(checker, token, Arc::from(&*found.token));
    Some(Box::new(call))
}

/// The positional call `id` with its inputs as one object. `None` when they are spread out of a
/// list, of which it is not known how many there are.
fn with_object(checker: &mut Checker<'_>, id: ExprId, call: &Call) -> Option<Box<Call>> {
    let mut given = call.arguments.to_vec();
    if call.expands_last {
        let list = given.pop()?;
        given.extend(elements(checker, list)?);
    }
    // The token comes before the inputs, the options after them.
    let inputs = call.signature.parameters.len().checked_sub(2)?;
    let names = call.signature.parameters.get(1..=inputs)?;
    let mut given = given.into_iter();
    let token = given.next()?;
    let mut items = Items::with_capacity(inputs);
    for (parameter, value) in names.iter().zip(given.by_ref().take(inputs)) {
        let name = ExprKind::Literal(Constant::from(&*parameter.name));
        items.push((walk::in_place_of(checker, value, name), value));
    }
    let object = ExprKind::Object(items);
    let object = walk::in_place_of(checker, id, object);
    let mut call = call.clone();
    call.arguments = [token, object].into_iter().chain(given).collect();
    call.expands_last = false;
    call.signature.multi_argument = false;
    Some(Box::new(call))
}

/// The elements of a tuple, each as an expression.
fn elements(checker: &mut Checker<'_>, tuple: ExprId) -> Option<Vec<ExprId>> {
    if let ExprKind::Tuple(elements) = &checker.exprs[tuple].kind {
        return Some(elements.to_vec());
    }
    let Type::Tuple(elements) = checker.types.get(checker.type_of(tuple)) else { return None };
    let range = checker.exprs[tuple].range;
    let steps = (0i64..).zip(elements.iter()).map(|(index, &ty)| TraversalStep {
        key: Key::Constant(Constant::from(index)),
        range,
        ty,
    });
    let steps: Vec<TraversalStep> = steps.collect();
    let kind = checker.exprs[tuple].kind.clone();
    let elements = steps.into_iter().map(|step| {
        let kind = match &kind {
            ExprKind::Traversal(traversal) => {
                let mut traversal = traversal.clone();
                let mut steps = checker.exprs.steps(traversal.steps).to_vec();
                steps.push(step);
                traversal.steps = checker.exprs.add_steps(steps);
                ExprKind::Traversal(traversal)
            }
            _ => ExprKind::RelativeTraversal {
                source: tuple,
                steps: checker.exprs.add_steps([step]),
            },
        };
        walk::in_place_of(checker, tuple, kind)
    });
    Some(elements.collect())
}
