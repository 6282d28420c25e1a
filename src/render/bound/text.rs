//! `pcl dump bound`, for people.

use std::fmt::Write;

use super::{TypeTexts, expressions, kind_name};
use crate::render::Report;
use crate::render::json::count;
use crate::render::text::one_line;
use pcl_binder::{Node, NodeId, Program};
use pcl_diagnostics::{SourceMap, Span};

pub(super) fn render(report: &Report<'_>, program: &Program) -> String {
    let mut out = String::new();
    let mut types = TypeTexts::new(program);
    let (errors, warnings) = count(report.diagnostics);
    line(&mut out, 0, "program", report.path);
    line(
        &mut out,
        0,
        "findings",
        &format!("{errors} errors, {warnings} warnings"),
    );
    let packages: Vec<String> = program
        .packages()
        .into_iter()
        .map(|package| match package.version {
            Some(version) => format!("{} {version}", package.name),
            None => package.name,
        })
        .collect();
    line(&mut out, 0, "packages", &packages.join(", "));
    line(&mut out, 0, "order", &names(program, &program.order()));
    for node in program.nodes() {
        out.push('\n');
        describe(&mut out, node, program, report.sources, &mut types);
    }
    out
}

fn describe(
    out: &mut String,
    node: &Node,
    program: &Program,
    sources: &SourceMap,
    types: &mut TypeTexts<'_>,
) {
    let head = format!(
        "{} ({}:{})",
        node.name,
        sources.base_name(node.file),
        place(node.span(), sources)
    );
    line(out, 0, node.kind.as_str(), &head);
    if node.logical_name != node.name {
        line(out, 1, "logical name", &node.logical_name);
    }
    if let Some(token) = &node.token {
        line(out, 1, "token", token);
    }
    line(out, 1, "type", &types.of(node.ty));
    if let Some(input) = node.input_type {
        line(out, 1, "input type", &types.of(input));
    }
    line(out, 1, "depends on", &names(program, &node.dependencies));
    for expression in expressions(program, node) {
        let at = place(Span::new(expression.file, expression.range), sources);
        let text = format!(
            "{}: {}",
            kind_name(&expression.kind),
            types.of(expression.ty)
        );
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
        format!(
            "{}:{}-{}:{}",
            start.line, start.column, end.line, end.column
        )
    }
}

fn names(program: &Program, nodes: &[NodeId]) -> String {
    let names: Vec<&str> = nodes
        .iter()
        .map(|&id| program.module.node(id).name.as_str())
        .collect();
    names.join(", ")
}
