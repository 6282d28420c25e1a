//! Circles that older releases refuse: components that refer to each other, and options that name
//! properties which have the name of a node.

use pcl_diagnostics::Span;
use pcl_language::{OPTIONS, Takes};
use pcl_model::expression::ExprKind;
use rustc_hash::FxHashMap;

use super::view::View;
use crate::node::{NodeId, NodeKind};
use crate::order::{self, Dependencies};

/// Looks for cycles in a module.
pub(super) fn find(view: &mut View<'_>) {
    mutual_components(view);
    property_names(view);
}

fn mutual_components(view: &mut View<'_>) {
    let module = view.module;
    for cycle in order::components(&module.dependencies).iter() {
        let nodes = cycle.members.iter().filter_map(|&at| module.nodes.get(at));
        let is_mutual = cycle.members.len() > 1;
        if is_mutual && nodes.clone().all(|node| node.kind == NodeKind::Component) {
            for node in nodes {
                let construct = "semantics.component.mutual-dependency";
                view.changed(construct, node.name_span(), &node.name);
            }
        }
    }
}

/// Names in lists of properties, which were references to the nodes of those names.
fn property_names(view: &mut View<'_>) {
    let module = view.module;
    let mut node_of: FxHashMap<&str, NodeId> = FxHashMap::default();
    for (id, node) in module.nodes_with_ids() {
        node_of.entry(&node.name).or_insert(id);
    }
    let mut named: Vec<(NodeId, NodeId, Span)> = Vec::new();
    for (id, node) in module.nodes_with_ids() {
        for option in node.options() {
            let rule = OPTIONS.attribute(&option.name, None);
            if !rule.is_some_and(|rule| matches!(rule.takes, Takes::Properties)) {
                continue;
            }
            let ExprKind::Tuple(elements) = &view.exprs[option.value].kind else { continue };
            for &element in elements {
                if let ExprKind::Traversal(traversal) = &view.exprs[element].kind
                    && let Some(&target) = node_of.get(view.types.name(traversal.root))
                {
                    named.push((id, target, view.span(element)));
                }
            }
        }
    }
    if named.is_empty() {
        return;
    }
    let cycle_of = cycles_with(view, &named);
    for (id, target, span) in named {
        let cycles = [id, target].map(|node| cycle_of.get(node.index()));
        if let [Some(one), Some(other)] = cycles
            && one == other
        {
            let name = &module.node(target).name;
            let construct = "semantics.options.property-names-are-no-dependencies";
            view.needs(construct, span, name);
        }
    }
}

/// The cycle of each node, if the named nodes were dependencies as well.
fn cycles_with(view: &View<'_>, named: &[(NodeId, NodeId, Span)]) -> Vec<usize> {
    let module = view.module;
    let mut more: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
    for &(id, target, _) in named {
        more.entry(id).or_default().push(target);
    }
    let mut edges = Dependencies::with_capacity(module.nodes.len());
    for (id, _) in module.nodes_with_ids() {
        let mut targets = module.dependencies.of(id.index()).to_vec();
        targets.extend(more.get(&id).into_iter().flatten());
        edges.push(&targets);
    }
    let mut cycle_of = vec![usize::MAX; module.nodes.len()];
    for (number, cycle) in order::components(&edges).iter().enumerate() {
        for &member in cycle.members {
            if let Some(place) = cycle_of.get_mut(member) {
                *place = number;
            }
        }
    }
    cycle_of
}
