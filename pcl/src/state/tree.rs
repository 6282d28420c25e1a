//! `pcl state ls`: the resources as a tree, by their parents. `pcl state graph`: their
//! graph.

use std::collections::HashMap;

use pcl_binder::NodeKind;
use pcl_diagnostics::{FileId, Span};
use pcl_state::{NeedKind, Resource, State};

use crate::graph::{Edge, EdgeKind, Graph, MOST_EDGES, Node};
use crate::render::text::one_line;

/// The most levels of indentation, so that deep trees do not make long lines.
const DEEPEST: usize = 32;

/// The resources of a state, a line each: children below their parents, siblings by type and name.
/// A line has the type, the name, the id, and in brackets what is special about the resource.
pub fn tree_text(state: &State) -> String {
    let mut out = String::new();
    each(state, |resource, depth| {
        let indent = 2 * depth.min(DEEPEST);
        out.extend(std::iter::repeat_n(' ', indent));
        out.push_str(&one_line(&resource.kind()));
        out.push_str("  ");
        out.push_str(&one_line(&resource.name()));
        if let Some(id) = resource.id() {
            out.push_str("  ");
            out.push_str(&one_line(&id));
        }
        let marks = marks(resource);
        if !marks.is_empty() {
            out.push_str("  [");
            out.push_str(&marks.join(", "));
            out.push(']');
        }
        out.push('\n');
    });
    out
}

/// The special things about a resource, in words.
pub(super) fn marks(resource: Resource<'_>) -> Vec<&'static str> {
    [
        ("delete", "to be deleted"),
        ("pendingReplacement", "to be replaced"),
        ("protect", "protected"),
        ("external", "read"),
        ("taint", "tainted"),
        ("retainOnDelete", "retained"),
    ]
    .into_iter()
    .filter(|(field, _)| resource.flag(field))
    .map(|(_, word)| word)
    .collect()
}

/// Calls `visit` with every resource once, in the order of the tree, and with its depth. Resources
/// whose parents are missing, or are below them, are roots.
pub(super) fn each<'s>(state: &'s State, mut visit: impl FnMut(Resource<'s>, usize)) {
    let resources: Vec<Resource<'s>> = state.resources().collect();
    let mut by_urn = HashMap::with_capacity(resources.len());
    for (at, resource) in resources.iter().enumerate() {
        by_urn.entry(resource.urn()).or_insert(at);
    }
    const NONE: u32 = u32::MAX;
    let parents: Vec<u32> = resources
        .iter()
        .map(|resource| {
            let parent = resource.parent().and_then(|urn| by_urn.get(&urn));
            parent.map_or(NONE, |at| *at as u32)
        })
        .collect();
    // Siblings are neighbours, by type and name; roots are first.
    let mut order: Vec<u32> = (0..resources.len() as u32).collect();
    let parent = |at: u32| parents.get(at as usize).copied().unwrap_or(NONE);
    let key = |at: u32| {
        let resource = resources.get(at as usize);
        resource.map(|resource| (resource.kind(), resource.name()))
    };
    order.sort_by(|&a, &b| {
        let by_parent = parent(a).wrapping_add(1).cmp(&parent(b).wrapping_add(1));
        by_parent.then_with(|| key(a).cmp(&key(b))).then(a.cmp(&b))
    });
    let children = |of: u32| {
        let start = order.partition_point(|&at| parent(at).wrapping_add(1) < of.wrapping_add(1));
        let rest = order.get(start..).unwrap_or_default();
        let end = rest.partition_point(|&at| parent(at) == of);
        rest.get(..end).unwrap_or_default()
    };
    let mut is_visited = vec![false; resources.len()];
    let mut walk = |roots: &[u32], is_visited: &mut Vec<bool>| {
        let mut stack = vec![roots.iter()];
        while let Some(rest) = stack.last_mut() {
            let Some(&at) = rest.next() else {
                stack.pop();
                continue;
            };
            let slot = is_visited.get_mut(at as usize);
            let (Some(slot), Some(resource)) = (slot, resources.get(at as usize)) else { continue };
            if !std::mem::replace(slot, true) {
                visit(*resource, stack.len() - 1);
                stack.push(children(at).iter());
            }
        }
    };
    walk(children(NONE), &mut is_visited);
    // Circles of parents.
    for at in 0..resources.len() as u32 {
        if is_visited.get(at as usize) == Some(&false) {
            walk(&[at], &mut is_visited);
        }
    }
}

impl Graph {
    /// Builds the graph of the resources of a state: dependencies, and the options `parent`,
    /// `provider`, `deletedWith` and `replaceWith`. The stack and the providers that Pulumi makes
    /// are left out, and so are resources that are to be deleted. Spans are places in `file`.
    pub fn of_state(state: &State, file: FileId) -> Self {
        let is_shown = |resource: &Resource<'_>| {
            !resource.is_stack() && !resource.is_default_provider() && !resource.is_deleted()
        };
        let resources: Vec<Resource<'_>> = state.resources().filter(is_shown).collect();
        let mut places = HashMap::with_capacity(resources.len());
        for (at, resource) in resources.iter().enumerate() {
            places.insert(resource.urn(), at as u32);
        }
        let nodes = resources.iter().map(|resource| {
            let kind = match (resource.is_custom(), resource.flag("external")) {
                (false, _) => NodeKind::Component,
                (true, true) => NodeKind::Read,
                (true, false) => NodeKind::Resource,
            };
            let urn = resource.value().get("urn").unwrap_or(resource.value());
            let name: std::sync::Arc<str> = resource.name().into();
            Node {
                kind,
                logical_name: name.clone(),
                name,
                token: Some(resource.kind().into()),
                component: None,
                span: Span::new(file, urn.range()),
                step: None,
            }
        });
        let nodes = nodes.collect();
        let mut edges = Vec::new();
        let mut is_complete = true;
        for (from, resource) in resources.iter().enumerate() {
            for need in resource.needs() {
                let Some(&to) = places.get(&need.urn) else { continue };
                let kind = match need.kind {
                    NeedKind::Parent => EdgeKind::Option("parent".into()),
                    NeedKind::Provider => EdgeKind::Option("provider".into()),
                    NeedKind::DeletedWith => EdgeKind::Option("deletedWith".into()),
                    NeedKind::ReplaceWith => EdgeKind::Option("replaceWith".into()),
                    NeedKind::Dependency | NeedKind::Property(_) => EdgeKind::Reference,
                };
                edges.push(Edge { from: from as u32, to, kind, is_indirect: false });
            }
            if edges.len() > MOST_EDGES {
                is_complete = false;
                break;
            }
        }
        edges.sort_unstable();
        edges.dedup();
        Self { nodes, components: Vec::new(), edges, is_complete }
    }
}
