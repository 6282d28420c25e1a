//! The option `range`, and the values of what it repeats.

use pcl_diagnostics::Span;
use pcl_model::expression::{Expr, ExprKind, Traversal};
use pcl_model::scope::DefinitionKind;
use pcl_model::types::{Type, TypeId};
use rustc_hash::FxHashMap;

use super::view::View;
use crate::node::{BoundAttribute, Node, NodeBody, NodeId, NodeKind, Ranged};

/// Looks at the range of a node.
pub(super) fn find(view: &mut View<'_>, node: &Node) {
    let Some((ranged, option)) = range_of(node) else { return };
    let span = view.span(option.value);
    let ty = view.type_of(option.value);
    let mut plain = ty;
    while let Type::Output(inner) | Type::Promise(inner) = view.types.get(plain) {
        plain = *inner;
    }
    let is_optional = view.is_optional(plain);
    match ranged {
        Ranged::Single => {}
        Ranged::Optional => {
            view.needs("option.range.bool", span, &node.name);
        }
        Ranged::Counted if is_optional => {
            view.needs("semantics.range.unwraps-optional", span, &node.name);
        }
        Ranged::Counted => {}
        Ranged::Each { .. } => {
            let stripped = view.types.strip(plain);
            if is_optional || view.is_output(ty) {
                let construct = "semantics.range.optional-collection";
                view.needs(construct, span, "range");
            }
            if stripped == TypeId::DYNAMIC || stripped == TypeId::STRING {
                let construct = "semantics.range.number-needs-safe-conversion";
                view.changed(construct, span, &node.name);
            }
            if holds_several_objects(view, stripped) {
                let construct = "semantics.range.object-values-unified";
                view.changed(construct, span, &node.name);
            }
        }
    }
    if view.is_output(ty) {
        view.changed("semantics.range.unwraps-outputs", span, &node.name);
    }
    if ranged == Ranged::Counted {
        counts(view, node);
    }
}

fn range_of(node: &Node) -> Option<(Ranged, &BoundAttribute)> {
    let ranged = match &node.body {
        NodeBody::Resource(body) => body.range,
        NodeBody::Component(body) => body.range,
        _ => return None,
    };
    Some((ranged, node.option("range")?))
}

/// Returns whether a type is an object of objects of different types.
fn holds_several_objects(view: &mut View<'_>, ty: TypeId) -> bool {
    let Type::Object(properties) = view.types.get(ty) else { return false };
    let mut values = properties.iter().map(|&(_, ty)| ty);
    let Some(first) = values.next() else { return false };
    let is_object = |&ty: &TypeId| matches!(view.types.get(ty), Type::Object(_));
    let mut all = properties.iter().map(|(_, ty)| ty);
    all.all(is_object) && values.any(|ty| ty != first)
}

/// The uses of `range.value` in a node that a number repeats.
fn counts(view: &mut View<'_>, node: &Node) {
    for (_, expr) in view.expressions(node) {
        if let ExprKind::Traversal(traversal) = &expr.kind
            && !traversal.steps.is_empty()
            && is_range(view, traversal)
        {
            let span = Span::new(expr.file, expr.range);
            view.changed("semantics.range.value-is-int", span, &node.name);
        }
    }
}

fn is_range(view: &View<'_>, traversal: &Traversal) -> bool {
    let definition = traversal.definition.map(|id| view.scopes.definition(id));
    view.types.name(traversal.root) == "range"
        && definition.is_some_and(|it| it.kind == DefinitionKind::Variable && it.span.is_none())
}

/// Looks for uses of repeated nodes: the first of each.
pub(super) fn find_uses(view: &mut View<'_>) {
    let module = view.module;
    let mut repeated: FxHashMap<u32, &'static str> = FxHashMap::default();
    for (NodeId(id), node) in module.nodes_with_ids() {
        let Some((Ranged::Each { key, .. }, _)) = range_of(node) else { continue };
        let construct = match (node.kind, key == TypeId::STRING) {
            (NodeKind::Component, true) => "semantics.component.range-map",
            (NodeKind::Component, false) => "semantics.component.range-scope",
            (_, true) => "semantics.resource.range-map",
            (_, false) => continue,
        };
        repeated.insert(id, construct);
    }
    if repeated.is_empty() {
        return;
    }
    for node in &module.nodes {
        for (_, expr) in view.expressions(node) {
            if let Some(traversal) = looked_into(view, expr)
                && let Some(definition) = traversal.definition
                && let Some(target) = view.scopes.definition(definition).kind.node()
                && is_of(view, target, traversal)
                && let Some(construct) = repeated.remove(&target)
            {
                let name = view.types.shared_name(traversal.root);
                view.changed(construct, Span::new(expr.file, expr.range), &name);
            }
        }
    }
}

/// The name behind a value that an expression indexes or iterates over.
fn looked_into<'e>(view: &View<'e>, expr: &'e Expr) -> Option<&'e Traversal> {
    let inner = match &expr.kind {
        ExprKind::Traversal(traversal) if !traversal.steps.is_empty() => return Some(traversal),
        ExprKind::Index { collection, .. } => *collection,
        ExprKind::For(looped) => looped.collection,
        ExprKind::Splat(splat) => splat.source,
        _ => return None,
    };
    match &view.exprs[inner].kind {
        ExprKind::Traversal(traversal) if traversal.steps.is_empty() => Some(traversal),
        _ => None,
    }
}

/// Returns whether the name leads to that node of this module, not of another one.
fn is_of(view: &View<'_>, target: u32, traversal: &Traversal) -> bool {
    let node = view.module.nodes.get(target as usize);
    node.is_some_and(|node| *node.name == *view.types.name(traversal.root))
}
