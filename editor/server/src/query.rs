//! The questions of `pcl query` and of the tools for agents, with answers as JSON and as text.
//!
//! Each question is one function of the type [`Ask`].

use pcl::diagnostics::{Span, TextRange};
use pcl::document::Range;
use pcl::render::FORMAT_VERSION;
use pcl_ide::{Analysis, FilePosition, NodeRef};
use serde_json::{Value, json};

/// A question about a place.
pub type Ask = fn(&mut Analysis, FilePosition) -> Option<Answer>;

/// The answer to a question.
pub struct Answer {
    /// The answer for people.
    pub text: String,
    /// The answer for programs; its form depends on the question.
    pub value: Value,
}

/// The type of the expression at a place, or of the declaration whose name is there.
pub fn type_at(analysis: &mut Analysis, at: FilePosition) -> Option<Answer> {
    let typed = pcl_ide::type_at(analysis, at)?;
    let value = json!({
        "range": Range::of(typed.span, &analysis.checked.sources),
        "text": analysis.text(typed.span),
        "type": typed.pretty,
        "declaration": typed.node.map(|node| declaration(analysis, node)),
    });
    Some(Answer { text: typed.text, value })
}

/// The explanation of the thing at a place, or else the type of the expression there.
pub fn hover(analysis: &mut Analysis, at: FilePosition) -> Option<Answer> {
    let found = pcl_ide::hover(analysis, at);
    let typed = pcl_ide::type_at(analysis, at);
    let (span, markdown) = match (&found, &typed) {
        (Some(found), _) => (found.span, found.markdown.trim_end().to_owned()),
        (None, Some(typed)) => (typed.span, format!("```pcl\n{}\n```", typed.text)),
        (None, None) => return None,
    };
    let node = typed.as_ref().and_then(|typed| typed.node);
    let value = json!({
        "range": Range::of(span, &analysis.checked.sources),
        "text": analysis.text(span),
        "markdown": markdown,
        "type": typed.as_ref().map(|typed| &typed.pretty),
        "declaration": node.map(|node| declaration(analysis, node)),
    });
    Some(Answer { text: markdown, value })
}

/// The declaration of the name at a place.
pub fn definition(analysis: &mut Analysis, at: FilePosition) -> Option<Answer> {
    let (_, span) = pcl_ide::names::definition(analysis, at)?;
    Some(Answer { text: place_text(analysis, span), value: place(analysis, span) })
}

/// The references to the name at a place, and its declaration.
pub fn references(analysis: &mut Analysis, at: FilePosition) -> Option<Answer> {
    let (name, _) = pcl_ide::names::name_at(analysis, at)?;
    let declaration = pcl_ide::names::declaration(analysis, name);
    let references = pcl_ide::names::references(analysis, name);
    let all = declaration.iter().chain(references);
    let lines: Vec<String> = all.map(|&span| place_text(analysis, span)).collect();
    let places: Vec<Value> = references.iter().map(|&span| place(analysis, span)).collect();
    let value = json!({
        "name": pcl_ide::names::text(analysis, name),
        "declaration": declaration.map(|span| place(analysis, span)),
        "references": places,
    });
    Some(Answer { text: lines.join("\n"), value })
}

/// The completions at a place.
pub fn complete(analysis: &mut Analysis, at: FilePosition) -> Option<Answer> {
    let found = pcl_ide::completions(analysis, at)?;
    let items = found.items.iter().map(|item| {
        json!({
            "label": item.label,
            "detail": item.detail,
            "text": item.text,
            "deprecated": item.is_deprecated,
            "documentation": item.documentation,
        })
    });
    let value = json!({
        "range": Range::of(found.replaced, &analysis.checked.sources),
        "incomplete": found.is_incomplete,
        "items": items.collect::<Vec<Value>>(),
    });
    let line = |item: &pcl_ide::Completion| match &item.detail {
        Some(detail) => format!("{}  {detail}", item.label),
        None => item.label.clone(),
    };
    let lines: Vec<String> = found.items.iter().map(line).collect();
    Some(Answer { text: lines.join("\n"), value })
}

/// The outline of the file of a place.
pub fn symbols(analysis: &mut Analysis, at: FilePosition) -> Option<Answer> {
    let tree = analysis.tree(at.file);
    let found = tree.map(|tree| pcl_ide::symbols(tree, at.file)).unwrap_or_default();
    let values: Vec<Value> = found.iter().map(|symbol| outline(analysis, symbol)).collect();
    let mut lines = Vec::new();
    let mut open: Vec<(&pcl_ide::Symbol, usize)> = found.iter().rev().map(|it| (it, 0)).collect();
    while let Some((symbol, depth)) = open.pop() {
        let keyword = symbol.keyword.as_deref().map(|word| format!("{word} "));
        let detail = symbol.detail.as_deref().map(|text| format!(" {text}"));
        lines.push(format!(
            "{}{}{}{}",
            "  ".repeat(depth),
            keyword.unwrap_or_default(),
            symbol.name,
            detail.unwrap_or_default()
        ));
        open.extend(symbol.children.iter().rev().map(|child| (child, depth + 1)));
    }
    Some(Answer { text: lines.join("\n"), value: json!({ "symbols": values }) })
}

fn outline(analysis: &Analysis, symbol: &pcl_ide::Symbol) -> Value {
    let sources = &analysis.checked.sources;
    let children = symbol.children.iter().map(|child| outline(analysis, child));
    json!({
        "name": symbol.name,
        "keyword": symbol.keyword,
        "detail": symbol.detail,
        "range": Range::of(symbol.span, sources),
        "name_range": Range::of(symbol.name_span, sources),
        "children": children.collect::<Vec<Value>>(),
    })
}

/// A place in a file of the program.
fn place(analysis: &Analysis, span: Span) -> Value {
    let sources = &analysis.checked.sources;
    json!({ "file": sources.path(span.file), "range": Range::of(span, sources) })
}

/// A place as people read it.
fn place_text(analysis: &Analysis, span: Span) -> String {
    let sources = &analysis.checked.sources;
    let at = sources.position(span.file, span.range.start());
    format!("{}:{}:{}", sources.path(span.file), at.line, at.column)
}

/// The declaration of a node.
fn declaration(analysis: &Analysis, node: NodeRef) -> Value {
    let node = analysis.node(node);
    let sources = &analysis.checked.sources;
    json!({
        "kind": node.kind.name(),
        "name": node.name,
        "token": node.token,
        "file": sources.path(node.file),
        "range": Range::of(node.name_span(), sources),
    })
}

/// A question that was asked, with its answer, for programs.
pub fn document(
    question: &str,
    analysis: &Analysis,
    at: FilePosition,
    answer: Option<&Answer>,
) -> Value {
    let sources = &analysis.checked.sources;
    json!({
        "format_version": FORMAT_VERSION,
        "question": question,
        "file": sources.path(at.file),
        "position": Range::of(Span::new(at.file, TextRange::empty(at.offset)), sources).start,
        "answer": answer.map(|answer| &answer.value),
    })
}
