//! `pcl dump bound`, for people.

use std::fmt::Write;

use super::Model;
use crate::render::json::count;
use crate::render::text::one_line;
use pcl_binder::{Node, NodeId};
use pcl_diagnostics::{SourceMap, Span};

pub(super) fn render(mut model: Model<'_>) -> String {
    let mut out = String::new();
    let (errors, warnings) = count(&model.report.diagnostics);
    let packages: Vec<String> = model
        .packages
        .iter()
        .map(|package| match &package.version {
            Some(version) => format!("{} {version}", package.name),
            None => package.name.clone(),
        })
        .collect();
    line(&mut out, 0, "program", &model.report.path);
    line(&mut out, 0, "diagnostics", &format!("{errors} errors, {warnings} warnings"));
    line(&mut out, 0, "packages", &packages.join(", "));
    line(&mut out, 0, "order", &model.names(&model.order).join(", "));
    for (id, node) in model.module.nodes_with_ids() {
        out.push('\n');
        describe(&mut out, id, node, &mut model);
    }
    out
}

fn describe(out: &mut String, id: NodeId, node: &Node, model: &mut Model<'_>) {
    let sources = model.sources;
    let head =
        format!("{} ({}:{})", node.name, sources.base_name(node.file), place(node.span(), sources));
    line(out, 0, node.kind.name(), &head);
    if node.logical_name != node.name {
        line(out, 1, "logical name", &node.logical_name);
    }
    line(out, 1, "token", node.token.as_deref().unwrap_or_default());
    line(out, 1, "type", &model.types.of(node.ty));
    if let Some(input) = node.input_type {
        line(out, 1, "input type", &model.types.of(input));
    }
    let dependencies = model.module.dependencies(id);
    line(out, 1, "depends on", &model.names(dependencies).join(", "));
    for expression in model.expressions(node) {
        let at = place(Span::new(expression.file, expression.range), sources);
        let text = format!("{}: {}", expression.kind.name(), model.types.of_expression(expression));
        line(out, 2, &at, &text);
    }
}

/// `name: value`; nothing at all for an empty value.
fn line(out: &mut String, depth: usize, name: &str, value: &str) {
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
