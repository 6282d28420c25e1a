//! `pcl dump bound --output-format json`, whose shape is published as
//! `docs/formats/bound.schema.json`.

use std::sync::Arc;

use serde::Serialize;

use super::Model;
use crate::document::{DiagnosticRecord, Range};
use crate::render::json::{self, FORMAT_VERSION, Records};
use pcl_binder::{Node, NodeId, PackageReference};

pub(super) fn render(mut model: Model<'_>) -> Vec<u8> {
    let packages = packages(&mut model);
    let nodes = model.module.nodes_with_ids();
    let nodes = nodes.map(|(id, node)| NodeRecord::new(id, node, &mut model));
    write(&Brief {
        nodes: nodes.collect(),
        format_version: FORMAT_VERSION,
        program: &model.report.path,
        valid: json::count(&model.report.diagnostics).0 == 0,
        diagnostics: Records::all(&model.report),
        packages,
        order: model.names(&model.order),
        order_indexes: indexes(&model.order),
    })
}

pub(super) fn render_packages(mut model: Model<'_>) -> Vec<u8> {
    write(&Packages {
        format_version: FORMAT_VERSION,
        program: &model.report.path,
        valid: json::count(&model.report.diagnostics).0 == 0,
        diagnostics: Records::all(&model.report),
        packages: packages(&mut model),
    })
}

fn packages(model: &mut Model<'_>) -> Vec<Package> {
    let packages = std::mem::take(&mut model.packages).into_iter();
    let package = |package: PackageReference| Package {
        name: package.name,
        version: package.version.map(|version| version.to_string()),
    };
    packages.map(package).collect()
}

fn write(what: &impl Serialize) -> Vec<u8> {
    // No key is anything but a string, so that it can always be written.
    let mut out = serde_json::to_vec(what).unwrap_or_default();
    out.push(b'\n');
    out
}

#[derive(Serialize)]
struct Brief<'a> {
    format_version: &'static str,
    program: &'a str,
    valid: bool,
    diagnostics: Vec<DiagnosticRecord>,
    nodes: Vec<NodeRecord<'a>>,
    packages: Vec<Package>,
    order: Vec<&'a str>,
    order_indexes: Vec<u32>,
}

#[derive(Serialize)]
struct Packages<'a> {
    format_version: &'static str,
    program: &'a str,
    valid: bool,
    diagnostics: Vec<DiagnosticRecord>,
    packages: Vec<Package>,
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
    fn new(id: NodeId, node: &'a Node, model: &mut Model<'a>) -> Self {
        let dependencies = model.module.dependencies(id);
        let sources = model.sources;
        let expressions = model.expressions(node).map(|expression| Expression {
            file: sources.base_name(expression.file),
            start: expression.range.start(),
            end: expression.range.end(),
            kind: expression.kind.name(),
            ty: model.types.of_expression(expression),
        });
        Self {
            expressions: expressions.collect(),
            kind: node.kind.name(),
            name: &node.name,
            logical_name: &node.logical_name,
            file: sources.base_name(node.file),
            range: Range::of(node.span(), sources),
            token: node.token.as_deref(),
            ty: model.types.of(node.ty),
            input_type: node.input_type.map(|ty| model.types.of(ty)),
            dependencies: model.names(dependencies),
            dependency_indexes: indexes(dependencies),
        }
    }
}

fn indexes(nodes: &[NodeId]) -> Vec<u32> {
    nodes.iter().map(|id| id.0).collect()
}
