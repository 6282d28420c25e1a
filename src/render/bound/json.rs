//! `pcl dump bound --output-format json`. The shape is published as `docs/formats/bound.schema.json`.

use std::sync::Arc;

use serde::Serialize;

use super::{TypeTexts, expressions, kind_name};
use crate::render::Report;
use crate::render::json::{self, FORMAT_VERSION, Range, Record, Records};
use pcl_binder::{Node, NodeId, Program};
use pcl_diagnostics::SourceMap;

pub(super) fn render(report: &Report<'_>, program: &Program) -> Vec<u8> {
    let mut types = TypeTexts::new(program);
    let order = program.order();
    let document = Document {
        format_version: FORMAT_VERSION,
        program: report.path,
        valid: json::count(report.diagnostics).0 == 0,
        diagnostics: Records::all(report),
        nodes: program
            .nodes()
            .iter()
            .map(|node| NodeRecord::new(node, program, report.sources, &mut types))
            .collect(),
        packages: program
            .packages()
            .into_iter()
            .map(|package| Package {
                name: package.name,
                version: package.version,
            })
            .collect(),
        order: names(program, &order),
        order_indexes: indexes(&order),
    };
    let mut out = serde_json::to_vec(&document).unwrap_or_default();
    out.push(b'\n');
    out
}

#[derive(Serialize)]
struct Document<'a> {
    format_version: &'static str,
    program: &'a str,
    valid: bool,
    diagnostics: Vec<Record<'a>>,
    nodes: Vec<NodeRecord<'a>>,
    packages: Vec<Package>,
    order: Vec<&'a str>,
    order_indexes: Vec<u32>,
}

#[derive(Serialize)]
struct NodeRecord<'a> {
    kind: &'static str,
    name: &'a str,
    logical_name: &'a str,
    file: &'a str,
    range: Range,
    token: Option<&'a str>,
    #[serde(rename = "type")]
    ty: Arc<str>,
    input_type: Option<Arc<str>>,
    dependencies: Vec<&'a str>,
    dependency_indexes: Vec<u32>,
    expressions: Vec<Expression<'a>>,
}

#[derive(Serialize)]
struct Expression<'a> {
    file: &'a str,
    start: u32,
    end: u32,
    kind: &'static str,
    #[serde(rename = "type")]
    ty: Arc<str>,
}

#[derive(Serialize)]
struct Package {
    name: String,
    version: Option<String>,
}

impl<'a> NodeRecord<'a> {
    fn new(
        node: &'a Node,
        program: &'a Program,
        sources: &'a SourceMap,
        types: &mut TypeTexts<'_>,
    ) -> Self {
        let bound = expressions(program, node).map(|expression| Expression {
            file: sources.base_name(expression.file),
            start: expression.range.start(),
            end: expression.range.end(),
            kind: kind_name(&expression.kind),
            ty: types.of(expression.ty),
        });
        Self {
            expressions: bound.collect(),
            kind: node.kind.as_str(),
            name: &node.name,
            logical_name: &node.logical_name,
            file: sources.base_name(node.file),
            range: Range::of(node.span(), sources),
            token: node.token.as_deref(),
            ty: types.of(node.ty),
            input_type: node.input_type.map(|ty| types.of(ty)),
            dependencies: names(program, &node.dependencies),
            dependency_indexes: indexes(&node.dependencies),
        }
    }
}

fn names<'a>(program: &'a Program, nodes: &[NodeId]) -> Vec<&'a str> {
    nodes
        .iter()
        .map(|&id| program.module.node(id).name.as_str())
        .collect()
}

fn indexes(nodes: &[NodeId]) -> Vec<u32> {
    nodes.iter().map(|id| id.0).collect()
}
