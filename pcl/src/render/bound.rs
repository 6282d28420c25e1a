//! The bound model: as JSON, whose shape is published as `docs/formats/bound.schema.json`, and as
//! text for people.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use pcl_binder::{Module, Node, NodeId, PackageReference};
use pcl_diagnostics::{SourceMap, Span};
use pcl_model::expression::{Expr, ExprArena, ExprKind};
use pcl_model::types::{Type, TypeId, TypeStore};
use serde::Serialize;

use crate::Checked;
use crate::document::Range;
use crate::render::json::{FORMAT_VERSION, Records, count, line, record};
use crate::render::report::Report;
use crate::render::text::one_line;

/// The model as one JSON document, diagnostics included.
pub fn bound_json(checked: &mut Checked) -> Vec<u8> {
    let mut model = Model::new(checked);
    let nodes = model.module.nodes_with_ids();
    let nodes: Vec<_> = nodes.map(|(id, node)| node_record(id, node, &mut model)).collect();
    line(&record!({
        format_version: FORMAT_VERSION,
        program: &model.report.path,
        valid: model.report.is_valid(),
        diagnostics: Records::all(model.report),
        nodes: nodes,
        packages: package_records(&model.packages),
        order: model.names(&model.order),
        order_indexes: indexes(&model.order),
    }))
}

/// The model as text for people; the diagnostics are only counted.
pub fn bound_text(checked: &mut Checked) -> String {
    let mut model = Model::new(checked);
    let mut out = String::new();
    let (errors, warnings) = count(&model.report.diagnostics);
    let packages = model.packages.iter().map(package_text).collect::<Vec<_>>().join(", ");
    field(&mut out, 0, "program", &model.report.path);
    field(&mut out, 0, "diagnostics", &format!("{errors} errors, {warnings} warnings"));
    field(&mut out, 0, "packages", &packages);
    field(&mut out, 0, "order", &model.names(&model.order).join(", "));
    for (id, node) in model.module.nodes_with_ids() {
        out.push('\n');
        describe(&mut out, id, node, &mut model);
    }
    out
}

/// The packages of a program and its components, as one JSON document, diagnostics included.
pub fn packages_json(checked: &mut Checked) -> Vec<u8> {
    line(&record!({
        format_version: FORMAT_VERSION,
        program: &checked.path,
        valid: checked.is_valid(),
        diagnostics: Records::all(&checked.report),
        packages: package_records(&checked.program.packages()),
    }))
}

/// The packages of a program and its components with their versions, one on a line.
pub fn packages_text(checked: &Checked) -> String {
    let packages = checked.program.packages();
    packages.iter().map(|package| package_text(package) + "\n").collect()
}

/// The part of a checked program that is shown.
struct Model<'a> {
    report: &'a Report,
    sources: &'a SourceMap,
    module: &'a Module,
    exprs: &'a ExprArena,
    packages: Vec<PackageReference>,
    order: Vec<NodeId>,
    types: TypeTexts<'a>,
}

impl<'a> Model<'a> {
    fn new(checked: &'a mut Checked) -> Self {
        let program = &mut checked.program;
        let (packages, order) = (program.packages(), program.order());
        Self {
            report: &checked.report,
            sources: &checked.report.sources,
            module: &program.module,
            exprs: &program.exprs,
            packages,
            order,
            types: TypeTexts { types: &mut program.types, known: HashMap::new() },
        }
    }

    /// The expressions of a node's body, operands before what uses them.
    fn expressions(&self, node: &Node) -> impl Iterator<Item = &'a Expr> + use<'a> {
        let expressions = self.exprs.range(node.expressions.clone());
        expressions.map(|(_, expression)| expression)
    }

    /// The names of nodes, in the order given.
    fn names(&self, nodes: &[NodeId]) -> Vec<&'a str> {
        let module = self.module;
        nodes.iter().map(|&id| &*module.node(id).name).collect()
    }
}

/// Types in their pretty form, each made once.
struct TypeTexts<'a> {
    types: &'a mut TypeStore,
    known: HashMap<TypeId, Arc<str>>,
}

impl TypeTexts<'_> {
    /// The type of a literal is its value, which is always complete: the program has it as well.
    fn of_expression(&mut self, expression: &Expr) -> Arc<str> {
        match (&expression.kind, self.types.get(expression.ty)) {
            (ExprKind::Literal(_), Type::Const { value, .. }) => value.to_string().into(),
            _ => self.of(expression.ty),
        }
    }

    fn of(&mut self, ty: TypeId) -> Arc<str> {
        let text = self.known.entry(ty).or_insert_with(|| self.types.pretty(ty).into());
        Arc::clone(text)
    }
}

fn package_text(package: &PackageReference) -> String {
    match &package.version {
        Some(version) => format!("{} {version}", package.name),
        None => package.name.clone(),
    }
}

fn package_records(packages: &[PackageReference]) -> Vec<impl Serialize + use<>> {
    let record = |package: &PackageReference| {
        let version = package.version.as_ref().map(ToString::to_string);
        record!({ name: package.name.clone(), version: version })
    };
    packages.iter().map(record).collect()
}

fn node_record<'a>(id: NodeId, node: &'a Node, model: &mut Model<'a>) -> impl Serialize + use<'a> {
    let dependencies = model.module.dependencies(id);
    let sources = model.sources;
    let expressions = model.expressions(node).map(|expression| {
        record!({
            file: sources.base_name(expression.file),
            start: expression.range.start(),
            end: expression.range.end(),
            kind: expression.kind.name(),
            r#type: model.types.of_expression(expression),
        })
    });
    let expressions: Vec<_> = expressions.collect();
    record!({
        kind: node.kind.name(),
        name: &*node.name,
        logical_name: &*node.logical_name,
        file: sources.base_name(node.file),
        range: Range::of(node.span(), sources),
        token: node.token.as_deref(),
        r#type: model.types.of(node.ty),
        input_type: node.input_type.map(|ty| model.types.of(ty)),
        dependencies: model.names(dependencies),
        dependency_indexes: indexes(dependencies),
        expressions: expressions,
    })
}

fn indexes(nodes: &[NodeId]) -> Vec<u32> {
    nodes.iter().map(|id| id.0).collect()
}

fn describe(out: &mut String, id: NodeId, node: &Node, model: &mut Model<'_>) {
    let sources = model.sources;
    let head =
        format!("{} ({}:{})", node.name, sources.base_name(node.file), place(node.span(), sources));
    field(out, 0, node.kind.name(), &head);
    if node.logical_name != node.name {
        field(out, 1, "logical name", &node.logical_name);
    }
    field(out, 1, "token", node.token.as_deref().unwrap_or_default());
    field(out, 1, "type", &model.types.of(node.ty));
    if let Some(input) = node.input_type {
        field(out, 1, "input type", &model.types.of(input));
    }
    let dependencies = model.module.dependencies(id);
    field(out, 1, "depends on", &model.names(dependencies).join(", "));
    for expression in model.expressions(node) {
        let at = place(Span::new(expression.file, expression.range), sources);
        let text = format!("{}: {}", expression.kind.name(), model.types.of_expression(expression));
        field(out, 2, &at, &text);
    }
}

/// `name: value`; nothing at all for an empty value.
fn field(out: &mut String, depth: usize, name: &str, value: &str) {
    if !value.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{:1$}{name}: {2}", "", depth * 2, one_line(value));
    }
}

/// `line:column-line:column`, the second line only where it is another one.
fn place(span: Span, sources: &SourceMap) -> String {
    let start = sources.position(span.file, span.range.start());
    let end = sources.position(span.file, span.range.end());
    if start.line == end.line {
        format!("{}:{}-{}", start.line, start.column, end.column)
    } else {
        format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column)
    }
}
