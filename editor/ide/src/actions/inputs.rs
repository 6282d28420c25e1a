//! Adds the inputs that a resource or component lacks, with values to be replaced.

use std::collections::HashSet;

use pcl::binder::schema_types::Shape;
use pcl::binder::{ConfigBody, Node, NodeBody, NodeKind};
use pcl::diagnostics::{Span, TextEdit, TextRange};
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::model::value::Constant;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxTree, is_identifier, quoted};

use super::refactoring::{Refactoring, RefactoringKind};
use super::text::{around, newline};
use crate::completion::objects_at;
use crate::element::key_text;
use crate::{Analysis, FilePosition, NodeRef};

/// An input that a block does not have.
struct Missing {
    name: String,
    ty: TypeId,
    is_required: bool,
}

pub(super) fn missing(analysis: &mut Analysis, selection: Span) -> Vec<Refactoring> {
    let Some(node) = analysis.node_at(FilePosition::start_of(selection)) else { return Vec::new() };
    let missing = missing_inputs(analysis, node).unwrap_or_default();
    let required: Vec<&Missing> = missing.iter().filter(|input| input.is_required).collect();
    let all: Vec<&Missing> = missing.iter().collect();
    let is_between = is_between_inputs(analysis, selection);
    let mut offered = Vec::new();
    let mut offer = |title: &str, inputs: &[&Missing]| {
        let edit = insertion(analysis, node, inputs);
        offered
            .extend(edit.map(|edit| Refactoring::new(title, RefactoringKind::Rewrite, vec![edit])));
    };
    if !required.is_empty() {
        offer("add the required inputs", &required);
    }
    // There may be dozens, which nobody wants who looks at a value.
    if all.len() > required.len() && is_between {
        offer("add all inputs", &all);
    }
    offered
}

/// Returns true if a selection is in a body, but not in one of its attributes or blocks.
fn is_between_inputs(analysis: &Analysis, selection: Span) -> bool {
    let above = around(analysis, selection);
    above.first().is_some_and(|node| node.kind() == SyntaxKind::Body)
}

/// Adds the required keys that the object around a selection does not have.
pub(super) fn missing_keys(analysis: &mut Analysis, selection: Span) -> Option<Refactoring> {
    let above = around(analysis, selection);
    let object = above.into_iter().find_map(ast::Object::cast)?;
    let (open, close) = (object.range().start() + 1, object.range().end());
    let is_flat = !object.syntax().text().contains('\n');
    let written: HashSet<String> = object.items().filter_map(key_text).collect();
    let last = object.items().last().map(|item| item.range().end());
    let line = line_before(analysis, selection, open).to_owned();
    // Of several kinds of objects, the first one that has what is written.
    let ty = *objects_at(analysis, FilePosition::new(selection.file, open)).first()?;
    let types = &mut analysis.checked.program.types;
    let properties = types.properties(ty)?;
    let mut added = Vec::new();
    for &(symbol, ty) in properties.iter() {
        let name = types.name(symbol).to_owned();
        if types.assignable(ty, TypeId::NONE) || written.contains(&name) || !is_identifier(&name) {
            continue;
        }
        added.push(format!("{name} = {}", placeholder(types, ty, 1)));
    }
    if added.is_empty() || is_flat && last.is_some() && added.iter().any(|it| it.contains('\n')) {
        return None;
    }
    let newline = newline(analysis, selection.file);
    let indent = line.len() - line.trim_start().len();
    let outer = " ".repeat(indent);
    let inner = " ".repeat(indent + 2);
    let written = added.iter().map(|item| format!("{item}\n")).collect::<String>();
    let formatted = pcl::format::format(&pcl::syntax::parse(written))?;
    let lines = formatted.lines().map(|line| format!("{newline}{inner}{line}"));
    let lines: String = lines.collect();
    let file = selection.file;
    let text = analysis.checked.sources.text(file);
    // Behind a comment on the line.
    let line_end = |from: u32| {
        let rest = text.get(from as usize..).unwrap_or_default();
        let end = rest.find(newline).map_or(from, |at| from + at as u32);
        if end < close { end } else { from }
    };
    let edit = match last {
        Some(end) if is_flat => TextEdit::insert(file, end, format!(", {}", added.join(", "))),
        Some(end) => TextEdit::insert(file, line_end(end), lines),
        None if is_flat => TextEdit::insert(file, open, format!("{lines}{newline}{outer}")),
        None => TextEdit::insert(file, line_end(open), lines),
    };
    let title = "add the required keys";
    Some(Refactoring::new(title, RefactoringKind::Rewrite, vec![edit]))
}

/// The text of the line of an offset, up to it.
fn line_before(analysis: &Analysis, selection: Span, offset: u32) -> &str {
    let text = analysis.checked.sources.text(selection.file);
    let before = text.get(..offset as usize).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default()
}

/// The inputs of a block that are not written, required ones first.
fn missing_inputs(analysis: &mut Analysis, node: NodeRef) -> Option<Vec<Missing>> {
    let declared = analysis.node(node).clone();
    let mut missing = match &declared.body {
        NodeBody::Resource(body) => {
            let (package, member) = body.schema?;
            let program = &mut analysis.checked.program;
            let schemas = std::sync::Arc::clone(&program.schemas);
            let types = &mut program.types;
            let is_read = declared.kind == NodeKind::Read;
            let shape = if is_read { Shape::ReadInputs } else { Shape::ResourceInputs };
            let object = schemas.object(types, package, member, shape);
            let spec = schemas.resource(package, member).ok().flatten()?;
            let own = match &spec.state_inputs {
                Some(own) if is_read => own,
                _ => &spec.inputs,
            };
            let is_deprecated = |name: &str| {
                let property = own.iter().find(|(known, _)| *known == name);
                property.is_some_and(|(_, property)| property.deprecation_message.is_some())
            };
            let properties = types.properties(object)?;
            let mut inputs = Vec::new();
            for &(name, ty) in properties.iter() {
                let is_required = !types.assignable(ty, TypeId::NONE);
                let name = types.name(name).to_owned();
                if is_required || !is_deprecated(&name) {
                    inputs.push(Missing { name, ty, is_required });
                }
            }
            inputs
        }
        NodeBody::Component(body) => {
            let component = analysis.checked.program.component(body.program?);
            let configs = component.module.nodes.iter();
            let inputs = configs.filter_map(|config: &Node| match &config.body {
                NodeBody::Config(body) => Some(Missing {
                    name: config.logical_name.to_string(),
                    ty: config.ty,
                    is_required: is_required(body),
                }),
                _ => None,
            });
            inputs.collect()
        }
        _ => return None,
    };
    let syntax = analysis.module(node.module).syntax(&declared);
    let body = ast::Block::cast(syntax)?.body()?;
    let written = body.attributes().filter_map(ast::Attribute::name);
    let written: HashSet<&str> = written.map(|name| name.text()).collect();
    missing.retain(|input| is_identifier(&input.name) && !written.contains(&*input.name));
    missing.sort_by_key(|input| !input.is_required);
    Some(missing)
}

fn is_required(config: &ConfigBody) -> bool {
    config.default.is_none() && !config.nullable
}

/// The edit that adds inputs behind the attributes of a block.
fn insertion(analysis: &mut Analysis, node: NodeRef, inputs: &[&Missing]) -> Option<TextEdit> {
    let indent = indentation(analysis, node) + 2;
    let mut added = String::new();
    for input in inputs {
        let types = &mut analysis.checked.program.types;
        added.push_str(&format!("{} = {}\n", input.name, placeholder(types, input.ty, 0)));
    }
    let added = pcl::format::format(&pcl::syntax::parse(added))?;
    let space = " ".repeat(indent);
    let declared = analysis.node(node);
    let file = declared.file;
    let tree = analysis.tree(file)?;
    let newline = newline(analysis, file);
    let lines = added.lines().map(|line| format!("{space}{line}"));
    let lines = lines.collect::<Vec<String>>().join(newline);
    let block = ast::Block::cast(analysis.module(node.module).syntax(declared))?;
    let body = block.body()?;
    let (open, close) = (block.open_brace()?, block.close_brace()?);
    let last = body.attributes().last();
    if !body.syntax().text().contains('\n') {
        let inner = TextRange::new(open.range().end(), close.range().start());
        let kept = tree.text().get(inner.to_usize())?.trim();
        let kept = if kept.is_empty() { String::new() } else { format!("{newline}{space}{kept}") };
        let outer = " ".repeat(indent - 2);
        let text = format!("{kept}{newline}{lines}{newline}{outer}");
        return Some(TextEdit::replace(Span::new(file, inner), text));
    }
    let from = match last {
        Some(attribute) => attribute.range().end(),
        None => open.range().end(),
    };
    let at = line_end(tree, body.syntax(), from)?;
    Some(TextEdit::insert(file, at, format!("{newline}{lines}")))
}

/// The end of the line that a place in a body is on, before its line ending.
fn line_end(tree: &SyntaxTree, body: SyntaxNode<'_>, from: u32) -> Option<u32> {
    let first = tree.token_at(from);
    let mut tokens = std::iter::successors(Some(first), |token| token.next());
    let end = tokens.find(|token| token.kind() == SyntaxKind::Newline)?;
    let at = end.range().start();
    (at < body.range().end()).then_some(at)
}

/// The number of spaces before a declaration.
fn indentation(analysis: &Analysis, node: NodeRef) -> usize {
    let declared = analysis.node(node);
    let text = analysis.checked.sources.text(declared.file);
    let before = text.get(..declared.range.start() as usize);
    let line = before.and_then(|text| text.rsplit('\n').next());
    let line = line.unwrap_or_default();
    if line.trim().is_empty() { line.chars().count() } else { 0 }
}

/// Objects are written out to this depth; what is below has to be filled in by hand.
const MAX_DEPTH: usize = 4;

/// The shortest value of a type, to be replaced. An object is on several lines, without
/// indentation.
pub(super) fn placeholder(types: &mut TypeStore, ty: TypeId, depth: usize) -> String {
    let ty = types.resolve(ty);
    if types.is_resource(ty) {
        return "null".to_owned();
    }
    match types.get(ty).clone() {
        Type::Bool => "false".to_owned(),
        Type::Int | Type::Number => "0".to_owned(),
        Type::String | Type::Id | Type::Dynamic => "\"\"".to_owned(),
        Type::Const { value, .. } => literal(&value),
        Type::Enum(of) => match of.values.first() {
            Some(first) => literal(first),
            None => "\"\"".to_owned(),
        },
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "[]".to_owned(),
        Type::Map(_) => "{}".to_owned(),
        Type::Union(members) => {
            let members: Vec<TypeId> = members.iter().copied().collect();
            let values = members.into_iter().filter(|&member| member != TypeId::NONE);
            let mut values = values.map(|member| placeholder(types, member, depth));
            let first = values.next().unwrap_or_else(|| "null".to_owned());
            if first == "null" {
                values.find(|value| value != "null").unwrap_or(first)
            } else {
                first
            }
        }
        Type::Object(_) | Type::Nominal(_) => object(types, ty, depth),
        Type::Opaque(name) => match types.name(name) {
            "Asset" => "stringAsset(\"\")".to_owned(),
            "Archive" => "fileArchive(\"./directory\")".to_owned(),
            _ => "null".to_owned(),
        },
        Type::None | Type::Error | Type::Output(_) | Type::Promise(_) => "null".to_owned(),
    }
}

/// An object of its required properties, one a line.
fn object(types: &mut TypeStore, ty: TypeId, depth: usize) -> String {
    let properties = types.properties(ty);
    let properties: Vec<_> = properties.iter().flat_map(|all| all.iter()).copied().collect();
    let mut lines = String::new();
    for (name, ty) in properties {
        if depth >= MAX_DEPTH || types.assignable(ty, TypeId::NONE) {
            continue;
        }
        let value = placeholder(types, ty, depth + 1);
        let name = types.name(name);
        let key = if is_identifier(name) { name.to_owned() } else { quoted(name) };
        lines.push_str(&format!("{key} = {value}\n"));
    }
    if lines.is_empty() { "{}".to_owned() } else { format!("{{\n{lines}}}") }
}

fn literal(constant: &Constant) -> String {
    match constant {
        Constant::String(text) => quoted(text),
        Constant::Null => "null".to_owned(),
        other => other.to_string(),
    }
}
