//! `pcl graph --output-format json`, whose shape is published as `docs/formats/graph.schema.json`.

use serde::Serialize;

use super::{Component, Edge, Graph, Node};
use crate::document::{DiagnosticRecord, Range};
use crate::render::Report;
use crate::render::json::{FORMAT_VERSION, Records};
use pcl_diagnostics::{Diagnostic, SourceMap};

impl Graph {
    /// Prints the graph as one JSON document, with the diagnostics of the program or state that it
    /// is of.
    #[must_use]
    pub fn to_json(&self, report: &Report) -> Vec<u8> {
        let document = Document {
            format_version: FORMAT_VERSION,
            program: &report.path,
            valid: !report.diagnostics.iter().any(Diagnostic::is_error),
            diagnostics: Records::all(report),
            complete: self.is_complete,
            nodes: self.nodes.iter().map(|node| NodeRecord::new(node, &report.sources)).collect(),
            components: self.components.iter().map(ComponentRecord::new).collect(),
            edges: self.edges.iter().map(EdgeRecord::new).collect(),
        };
        // No key is anything but a string, so that it can always be written.
        let mut out = serde_json::to_vec(&document).unwrap_or_default();
        out.push(b'\n');
        out
    }
}

#[derive(Serialize)]
struct Document<'a> {
    format_version: &'static str,
    program: &'a str,
    valid: bool,
    diagnostics: Vec<DiagnosticRecord>,
    complete: bool,
    nodes: Vec<NodeRecord<'a>>,
    components: Vec<ComponentRecord<'a>>,
    edges: Vec<EdgeRecord<'a>>,
}

#[derive(Serialize)]
struct NodeRecord<'a> {
    kind: &'static str,
    name: &'a str,
    logical_name: &'a str,
    token: Option<&'a str>,
    component: Option<u32>,
    file: &'a str,
    range: Range,
}

impl<'a> NodeRecord<'a> {
    fn new(node: &'a Node, sources: &'a SourceMap) -> Self {
        Self {
            kind: node.kind.name(),
            name: &node.name,
            logical_name: &node.logical_name,
            token: node.token.as_deref(),
            component: node.component,
            file: sources.path(node.span.file),
            range: Range::of(node.span, sources),
        }
    }
}

#[derive(Serialize)]
struct ComponentRecord<'a> {
    name: &'a str,
    directory: &'a str,
    parent: Option<u32>,
    node: Option<u32>,
}

impl<'a> ComponentRecord<'a> {
    fn new(component: &'a Component) -> Self {
        Self {
            name: &component.name,
            directory: &component.directory,
            parent: component.parent,
            node: component.node,
        }
    }
}

#[derive(Serialize)]
struct EdgeRecord<'a> {
    from: u32,
    to: u32,
    kind: &'static str,
    option: Option<&'a str>,
    indirect: bool,
}

impl<'a> EdgeRecord<'a> {
    fn new(edge: &'a Edge) -> Self {
        Self {
            from: edge.from,
            to: edge.to,
            kind: edge.kind.as_str(),
            option: edge.kind.option(),
            indirect: edge.is_indirect,
        }
    }
}
