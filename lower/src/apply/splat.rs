//! Splats whose item is an argument of an apply. The item of a splat has no name, and the argument
//! needs one, so the splat becomes the equivalent loop.

use pcl_model::expression::{Checker, ExprArena, ExprId, ExprKind, For, Splat};
use pcl_model::scope::{Definition, DefinitionId};
use rustc_hash::FxHashSet;

use super::names::{self, Namer, singular};
use crate::walk;

/// `id` as a loop, when it is a splat of that kind.
pub(super) fn written_out(checker: &mut Checker<'_>, id: ExprId) -> ExprId {
    let ExprKind::Splat(splat) = &checker.exprs[id].kind else { return id };
    let &Splat { source, item, each, .. } = &**splat;
    if starts_with(checker.exprs, each, item) {
        return id;
    }
    let (exprs, scopes) = (&*checker.exprs, &*checker.scopes);
    let taken = names::taken(exprs, scopes, each, &FxHashSet::from_iter([item]));
    let written = exprs.wrapped_alone(source).unwrap_or(source);
    let name =
        Namer { exprs, types: checker.types, scopes, format: singular }.assign(&[written], &taken);
    let Some(&name) = name.first() else { return id };
    let definition = Definition { name, ..checker.scopes.definition(item).clone() };
    let variable = checker.scopes.define_anonymous(definition);
    let value = walk::map(checker.exprs, each, |exprs, id| {
        let mut expr = exprs[id].clone();
        match &mut expr.kind {
            ExprKind::Traversal(traversal) if traversal.definition == Some(item) => {
                traversal.definition = Some(variable);
                traversal.root = name;
            }
            _ => return id,
        }
        exprs.push(expr)
    });
    let written_out = For {
        key_variable: None,
        value_variable: Some(variable),
        collection: source,
        key: None,
        value,
        condition: None,
        groups: false,
    };
    walk::in_place_of(checker, id, ExprKind::For(Box::new(written_out)))
}

/// Returns whether what is made of an item starts with it, so that it can be written behind `[*]`.
fn starts_with(exprs: &ExprArena, mut id: ExprId, item: DefinitionId) -> bool {
    loop {
        id = match &exprs[id].kind {
            ExprKind::Traversal(traversal) => return traversal.definition == Some(item),
            ExprKind::RelativeTraversal { source, .. } => *source,
            ExprKind::Index { collection, .. } => *collection,
            ExprKind::Splat(splat) => exprs.wrapped_alone(splat.source).unwrap_or(splat.source),
            _ => return false,
        };
    }
}
