//! The explanation of the thing at a position, and of the call that is being written there.

use std::fmt::Write as _;

use pcl::binder::schema_types::Nominal;
use pcl::binder::{NodeBody, NodeKind};
use pcl::diagnostics::Span;
use pcl::explain::explain;
use pcl::language;
use pcl::model::expression::{ExprId, ExprKind};
use pcl::model::functions::usage;
use pcl::model::relations::Key;
use pcl::model::types::{NominalKey, Type, TypeId};
use pcl::schema_view::summary;
use pcl::syntax::ast::{self, AstNode as _};

use crate::completion::enclosing_call;
use crate::described::kind_of_attribute;
use crate::element::{Element, element_at};
use crate::names::{Name, name_at, name_of};
use crate::schema_facts::{
    describe, documented_properties, invoked, key_at, resource_view, view_of,
};
use crate::type_text::readable;
use crate::{Analysis, FilePosition, NodeRef};

/// The most members of a type that are listed.
const MAX_MEMBERS: usize = 12;

/// The most characters of a type that are shown.
const MAX_TYPE: usize = 400;

/// An explanation of the thing at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The place that it is about.
    pub span: Span,
    /// The text, in Markdown.
    pub markdown: String,
}

/// The explanation of the thing at a position.
pub fn hover(analysis: &mut Analysis, at: FilePosition) -> Option<Hover> {
    let (element, span) = element_at(analysis, at)?;
    let program = &analysis.checked.program;
    let markdown = match element {
        Element::Keyword(rule) => page(&format!("`{}`", rule.shape), "", rule.keyword, "block"),
        Element::Attribute(block, rule) => {
            let title = format!("`{}` in `{}`", rule.name, block.keyword);
            page(&title, rule.says, rule.name, kind_of_attribute(block))
        }
        Element::Declaration(node) | Element::Source(node) => declaration(analysis, node),
        Element::Token(node) => token(analysis, node)?,
        Element::TypeLabel(node) => {
            let ty = analysis.node(node).ty;
            code(&shown(analysis, ty))
        }
        Element::Input(node, name) => input(analysis, node, &name)?,
        Element::Reference(expr, definition) => match name_of(analysis, span, definition) {
            Some(Name::Node(node)) => declaration(analysis, node),
            _ => {
                let ty = match &program.exprs[expr].kind {
                    ExprKind::Traversal(traversal) => traversal.root_type,
                    _ => program.scopes.definition(definition).ty,
                };
                typed(analysis, span, ty)
            }
        },
        Element::Variable(definition) => {
            let ty = program.scopes.definition(definition).ty;
            typed(analysis, span, ty)
        }
        Element::Step(expr, step) => member(analysis, at, expr, step)?,
        Element::Function(expr) => function(analysis, expr)?,
        Element::Callee(key) => callee(analysis, key)?,
        Element::Key(expr) => {
            let property =
                key_at(analysis, at).and_then(|(ty, name)| property(analysis, ty, &name));
            property.unwrap_or_else(|| value(analysis, expr))
        }
        Element::Value(expr) => value(analysis, expr),
    };
    Some(Hover { span, markdown })
}

fn shown(analysis: &mut Analysis, ty: TypeId) -> String {
    analysis.checked.program.types.text_within(ty, MAX_TYPE)
}

/// A line of PCL.
fn code(text: &str) -> String {
    format!("```pcl\n{text}\n```\n")
}

/// A text with its type.
fn typed(analysis: &mut Analysis, span: Span, ty: TypeId) -> String {
    let ty = shown(analysis, ty);
    code(&format!("{}: {ty}", analysis.text(span)))
}

/// The type of an expression.
fn value(analysis: &mut Analysis, expr: ExprId) -> String {
    let ty = analysis.checked.program.exprs[expr].ty;
    code(&shown(analysis, ty))
}

/// The page about a word of the language, which is of this kind, or else a title and a sentence.
fn page(title: &str, says: &str, word: &str, kind: &str) -> String {
    let pages = explain(word).unwrap_or_default();
    let pages = pages.trim_start_matches("# ").split("\n# ");
    let mut pages = pages.filter_map(|page| page.split_once('\n'));
    match pages.find(|(heading, _)| heading.split(' ').any(|word| word == kind)) {
        Some((heading, page)) => format!("**{heading}**\n\n{}\n", page.trim()),
        None => format!("{title}\n\n{says}\n"),
    }
}

/// The declaration of a node, with its type and its documentation.
fn declaration(analysis: &mut Analysis, node: NodeRef) -> String {
    let bound = analysis.node(node);
    let mut header = match ast::Block::cast(analysis.module(node.module).syntax(bound)) {
        Some(block) => analysis.text(Span::new(bound.file, block.header_range())).to_owned(),
        None => format!("{} = ..", bound.name),
    };
    if matches!(bound.kind, NodeKind::Config | NodeKind::Local | NodeKind::Output) {
        let ty = bound.ty;
        let _ = write!(header, ": {}", shown(analysis, ty));
    }
    let mut text = code(&header);
    let bound = analysis.node(node);
    if let NodeBody::Config(body) = &bound.body {
        if let Some(description) = &body.description {
            let _ = writeln!(text, "{description}\n");
        }
        if let Some(default) = body.default {
            let expr = &analysis.checked.program.exprs[default];
            let written = analysis.text(Span::new(expr.file, expr.range));
            if !body.secret && !written.contains('\n') {
                let _ = writeln!(text, "Default: `{written}`\n");
            }
        }
        if body.secret {
            text.push_str("The value is secret.\n\n");
        }
    }
    if *bound.logical_name != *bound.name {
        let _ = writeln!(text, "Known outside of the program as `{}`.\n", bound.logical_name);
    }
    if let Some(view) = resource_view(analysis, node) {
        describe(&mut text, &view);
    }
    text
}

fn token(analysis: &Analysis, node: NodeRef) -> Option<String> {
    let view = resource_view(analysis, node)?;
    let version = view.version.as_deref().unwrap_or("unknown version");
    let mut text = code(&view.token);
    let _ = writeln!(text, "{} of `{}` {version}\n", view.kind, view.package);
    describe(&mut text, &view);
    Some(text)
}

/// An input of a resource or component.
fn input(analysis: &mut Analysis, node: NodeRef, name: &str) -> Option<String> {
    if let Some(module) = analysis.program_of(node) {
        let node = analysis.module(module).find(NodeKind::Config, name)?;
        return Some(declaration(analysis, NodeRef { module, node }));
    }
    let ty = analysis.node(node).input_type?;
    property(analysis, ty, name)
}

/// A member that a step leads to.
fn member(analysis: &mut Analysis, at: FilePosition, expr: ExprId, step: usize) -> Option<String> {
    if let Some((Name::Node(node), _)) = name_at(analysis, at) {
        return Some(declaration(analysis, node));
    }
    let chain = analysis.chain(expr)?;
    let reached = chain.steps.get(step)?;
    let (range, ty) = (reached.range, reached.ty);
    if let Key::Name(name) = &reached.key {
        let receiver = match step.checked_sub(1) {
            Some(before) => chain.steps.get(before)?.ty,
            None => chain.start,
        };
        let name = analysis.checked.program.types.name(*name).to_owned();
        if let Some(text) = property(analysis, receiver, &name) {
            return Some(text);
        }
    }
    Some(typed(analysis, Span::new(at.file, range), ty))
}

/// A property of a type: its declaration and its documentation in the schema.
fn property(analysis: &mut Analysis, ty: TypeId, name: &str) -> Option<String> {
    let mut documented = documented_properties(analysis, ty).into_iter();
    let documented = documented.find(|property| property.name == name);
    let types = &mut analysis.checked.program.types;
    let symbol = types.find_symbol(name)?;
    let reached = types.traverse(ty, &Key::Name(symbol));
    if !reached.errors.is_empty() && documented.is_none() {
        return None;
    }
    let ty = reached.ty;
    let readable = readable(&mut analysis.checked.program, ty);
    let mut text = code(&format!("{name}: {readable}"));
    let Some(property) = documented else { return Some(text + &members(analysis, ty)) };
    if let Some(deprecation) = &property.deprecation {
        let _ = writeln!(text, "**Deprecated:** {deprecation}\n");
    }
    if let Some(description) = &property.description {
        let _ = writeln!(text, "{}\n", description.trim_end());
    }
    let facts = [
        property.required.then(|| "required".to_owned()),
        property.secret.then(|| "secret".to_owned()),
        property.replaces.then(|| "a change replaces the resource".to_owned()),
        property.default.map(|default| format!("default `{default}`")),
        property.constant.map(|constant| format!("always `{constant}`")),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if !facts.is_empty() {
        let _ = writeln!(text, "*{}*", facts.join(", "));
    }
    text.push_str(&members(analysis, ty));
    Some(text)
}

/// The members of an object, or of the objects of a list or map, each with the first sentence about
/// it; empty for other types, and for objects without a name.
fn members(analysis: &mut Analysis, ty: TypeId) -> String {
    let types = &analysis.checked.program.types;
    let element = match types.get(types.strip(ty)) {
        Type::List(element) | Type::Map(element) | Type::Set(element) => *element,
        Type::Union(members) => members
            .iter()
            .copied()
            .find_map(|it| match types.get(types.strip(it)) {
                Type::List(element) | Type::Map(element) | Type::Set(element) => Some(*element),
                _ => None,
            })
            .unwrap_or(ty),
        _ => ty,
    };
    let mut documented = documented_properties(analysis, element);
    // What is required comes first.
    documented.sort_by_key(|property| !property.required);
    let mut text = String::new();
    for property in documented.iter().take(MAX_MEMBERS) {
        let required = if property.required { ", required" } else { "" };
        let _ = write!(text, "- `{}` ({}{required})", property.name, short_names(&property.ty));
        let says = property.description.as_deref().map(summary).unwrap_or_default();
        let says = if says.is_empty() { String::new() } else { format!(": {says}") };
        let _ = writeln!(text, "{says}");
    }
    match documented.len().checked_sub(MAX_MEMBERS) {
        None | Some(0) => {}
        Some(more) => {
            let _ = writeln!(text, "- and {more} more");
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// The type of a schema with the last parts of its tokens.
fn short_names(ty: &str) -> String {
    let is_token = |it: char| it.is_alphanumeric() || matches!(it, ':' | '/' | '-' | '_' | '.');
    let mut short = String::new();
    let mut rest = ty;
    while let Some(start) = rest.find(is_token) {
        let (before, from) = rest.split_at(start);
        let (token, after) = from.split_at(from.find(|it| !is_token(it)).unwrap_or(from.len()));
        short.push_str(before);
        short.push_str(token.rsplit([':', '/']).next().unwrap_or(token));
        rest = after;
    }
    short + rest
}

fn function(analysis: &mut Analysis, expr: ExprId) -> Option<String> {
    let ExprKind::Call(call) = &analysis.checked.program.exprs[expr].kind else { return None };
    let callee = call.signature.callee;
    let mut text = String::new();
    if let Some(row) = language::function(analysis.checked.program.types.name(call.name)) {
        let (usage, example) = (code(&usage(row)), code(row.example));
        let _ = writeln!(text, "{usage}{}\n\n{example}", row.summary);
        let _ = writeln!(text, "More: `pcl explain {}`\n", row.name);
    }
    let ty = analysis.checked.program.exprs[expr].ty;
    let _ = writeln!(text, "Result here: `{}`", shown(analysis, ty));
    if let Some(callee) = callee.and_then(|key| self::callee(analysis, key)) {
        text.push('\n');
        text.push_str(&callee);
    }
    Some(text)
}

/// A function or method of a package.
fn callee(analysis: &Analysis, key: NominalKey) -> Option<String> {
    let Nominal { package, member, .. } = Nominal::from_key(key)?;
    let view = view_of(analysis, package, member)?;
    let mut text = code(&view.token);
    describe(&mut text, &view);
    Some(text)
}

/// The form of a call, with the parameter that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureHelp {
    /// The form: `lookup(map: map(T), key: string, default?: T) -> T`.
    pub label: String,
    /// The parts of the form that are parameters, as offsets in it.
    pub parameters: Vec<(u32, u32)>,
    /// The parameter that is being written.
    pub active: Option<u32>,
    /// A description, in Markdown.
    pub documentation: String,
}

/// The call that is being written at a place.
pub fn signature_help(analysis: &Analysis, at: FilePosition) -> Option<SignatureHelp> {
    let (call, argument) = enclosing_call(analysis.tree(at.file)?, at.offset)?;
    let row = language::function(&call.name)?;
    let label = usage(row);
    let mut documentation = row.summary.to_owned();
    if call.name == language::Function::Invoke.name()
        && let Some(found) = call.first.as_deref().and_then(|token| invoked(analysis, token))
        && let Some(view) = view_of(analysis, found.package, found.member)
    {
        documentation = format!("`{}`\n\n{}", view.token, view.description.unwrap_or_default());
        for input in view.inputs {
            let required = if input.required { " (required)" } else { "" };
            documentation.push_str(&format!("\n- `{}`: `{}`{required}", input.name, input.ty));
        }
    }
    let parameters = parameters(&label);
    let is_variadic = label.contains("...");
    let last = parameters.len().saturating_sub(1);
    let is_known = argument < parameters.len() || is_variadic;
    let active = is_known.then_some(argument.min(last) as u32);
    Some(SignatureHelp { label, parameters, active, documentation })
}

/// The parameters between the parentheses of a form.
fn parameters(form: &str) -> Vec<(u32, u32)> {
    let Some(open) = form.find('(') else { return Vec::new() };
    let (mut depth, mut start, mut found) = (0_usize, open + 1, Vec::new());
    for (at, character) in form.char_indices().skip_while(|(at, _)| *at < open) {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0 || depth == 1 && character == ',';
        if ends && at > open {
            let text = form.get(start..at).unwrap_or_default();
            let trimmed = text.trim_start();
            if !trimmed.is_empty() {
                let from = start + text.len() - trimmed.len();
                found.push((from as u32, at as u32));
            }
            start = at + 1;
        }
        if depth == 0 && at > open {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_parts_of_the_form() {
        let shown = |form: &'static str| -> Vec<&str> {
            let found = parameters(form).into_iter();
            found.map(|(start, end)| &form[start as usize..end as usize]).collect()
        };
        assert_eq!(shown("f() -> int"), [""; 0]);
        assert_eq!(
            shown("lookup(map: map(T), key: string, default?: T) -> T"),
            ["map: map(T)", "key: string", "default?: T"]
        );
    }
}
