//! `pcl state graph`: the graph of the resources of a state.

use std::collections::HashMap;

use pcl_binder::NodeKind;
use pcl_diagnostics::{FileId, Span};
use pcl_state::{NeedKind, Resource, State};

use crate::graph::{Edge, EdgeKind, Graph, MOST_EDGES, Node};

impl Graph {
    /// Builds the graph of the resources of a state: dependencies, and the options `parent`,
    /// `provider`, `deletedWith` and `replaceWith`. The stack and the providers that Pulumi makes
    /// are left out, and so are resources that are to be deleted. Spans are places in `file`.
    #[must_use]
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
            }
        });
        let nodes = nodes.collect();
        let mut edges = Vec::new();
        let mut is_complete = true;
        for (from, resource) in resources.iter().enumerate() {
            for need in resource.needs() {
                let Some(&to) = places.get(&need.urn) else {
                    continue;
                };
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
