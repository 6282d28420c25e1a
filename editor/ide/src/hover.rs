//! The explanation of the thing at a place.

use std::fmt::Write as _;

use pcl::binder::schema_types::{Nominal, Shape};
use pcl::binder::{NodeBody, NodeKind};
use pcl::diagnostics::{FileId, Span};
use pcl::language;
use pcl::model::expression::{ExprId, ExprKind};
use pcl::model::functions::usage;
use pcl::model::relations::Key;
use pcl::model::types::{NominalKey, TypeId};
use pcl::schema::{PackageRequest, Section};
use pcl::schema_view::{Property, View};
use pcl::syntax::SyntaxKind;
use pcl::syntax::ast::{self, AstNode as _};

use crate::element::{Element, element_at, program_of};
use crate::names::{Name, name_at};
use crate::schema_facts::{documented_properties, nominal_of, view_of};
use crate::{Analysis, NodeRef};

/// The most characters of a type that are shown.
const LONGEST_TYPE: usize = 400;

/// An explanation of the thing at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The place that it is about.
    pub span: Span,
    /// The text, in Markdown.
    pub markdown: String,
}

/// The explanation of the thing at a place.
#[must_use]
pub fn hover(analysis: &mut Analysis, file: FileId, offset: u32) -> Option<Hover> {
    let (element, span) = element_at(analysis, file, offset)?;
    let markdown = match element {
        Element::Keyword(rule) => page(&format!("`{}`", rule.shape), "", rule.keyword),
        Element::Attribute(block, rule) => {
            let title = format!("`{}` in `{}`", rule.name, block.keyword);
            page(&title, rule.says, rule.name)
        }
        Element::Declaration(node) => declaration(analysis, node),
        Element::Token(node) => token(analysis, node)?,
        Element::Source(node) => declaration(analysis, node),
        Element::TypeLabel(node) => {
            let ty = analysis.node(node).ty;
            code(&shown(analysis, ty))
        }
        Element::Input(node, name) => input(analysis, node, &name)?,
        Element::Reference(expr, definition) => {
            match name_at(analysis, file, offset).map(|(name, _)| name) {
                Some(Name::Node(node)) => declaration(analysis, node),
                _ => {
                    let name = analysis.text(span).to_owned();
                    let known = analysis.checked.program.scopes.definition(definition);
                    let ty = match &analysis.checked.program.exprs[expr].kind {
                        ExprKind::Traversal(traversal) => traversal.root_type,
                        _ => known.ty,
                    };
                    code(&format!("{name}: {}", shown(analysis, ty)))
                }
            }
        }
        Element::Variable(definition) => {
            let ty = analysis.checked.program.scopes.definition(definition).ty;
            let name = analysis.text(span).to_owned();
            code(&format!("{name}: {}", shown(analysis, ty)))
        }
        Element::Step(expr, step) => member(analysis, file, offset, expr, step)?,
        Element::Function(expr) => function(analysis, expr)?,
        Element::Callee(_, key) => callee(analysis, key)?,
        Element::Key(expr) => key(analysis, file, offset, expr)?,
        Element::Value(expr) => {
            let ty = analysis.checked.program.exprs[expr].ty;
            code(&shown(analysis, ty))
        }
    };
    Some(Hover { span, markdown })
}

fn shown(analysis: &mut Analysis, ty: TypeId) -> String {
    analysis.checked.program.types.text_within(ty, LONGEST_TYPE)
}

/// A line of PCL.
fn code(text: &str) -> String {
    format!("```pcl\n{text}\n```\n")
}

/// A title, a sentence, and the way to the page about a word of the language.
fn page(title: &str, says: &str, word: &str) -> String {
    let mut text = format!("{title}\n\n");
    if !says.is_empty() {
        let _ = writeln!(text, "{says}\n");
    }
    let _ = writeln!(text, "More: `pcl explain {word}`");
    text
}

/// The declaration of a node, with its type and its documentation.
fn declaration(analysis: &mut Analysis, node: NodeRef) -> String {
    let bound = analysis.node(node);
    let (kind, ty, range) = (bound.kind, bound.ty, bound.range);
    let name = bound.name.clone();
    let header = Span::new(bound.file, range);
    let syntax = analysis.module(node.module).syntax(analysis.node(node));
    let header = match ast::Block::cast(syntax) {
        Some(block) => analysis.text(Span::new(header.file, block.header_range())).to_owned(),
        None => format!("{name} = .."),
    };
    let mut text = match kind {
        NodeKind::Resource | NodeKind::Read | NodeKind::Component => code(&header),
        NodeKind::Hook | NodeKind::Pulumi => code(&header),
        NodeKind::Config | NodeKind::Local | NodeKind::Output => {
            code(&format!("{header}: {}", shown(analysis, ty)))
        }
    };
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

/// The member of a schema that a node is made of.
fn resource_view(analysis: &Analysis, node: NodeRef) -> Option<View> {
    let NodeBody::Resource(body) = &analysis.node(node).body else {
        return None;
    };
    let (package, member) = body.schema?;
    let packages = analysis.checked.program.schemas.packages();
    View::of(packages.package(package), member).ok()
}

fn token(analysis: &mut Analysis, node: NodeRef) -> Option<String> {
    let view = resource_view(analysis, node)?;
    let version = view.version.as_deref().unwrap_or("unknown version");
    let mut text = code(&view.token);
    let _ = writeln!(text, "{} of `{}` {version}\n", view.kind, view.package);
    describe(&mut text, &view);
    Some(text)
}

/// Adds the deprecation and the description of a member.
fn describe(text: &mut String, view: &View) {
    if let Some(deprecation) = &view.deprecation {
        let _ = writeln!(text, "**Deprecated:** {deprecation}\n");
    }
    if let Some(description) = &view.description {
        // Examples in other languages follow under headings.
        let end = description.find("\n## ").unwrap_or(description.len());
        let _ = writeln!(text, "{}\n", description.get(..end).unwrap_or_default().trim_end());
    }
}

/// An input of a resource or component.
fn input(analysis: &mut Analysis, node: NodeRef, name: &str) -> Option<String> {
    if let Some(module) = program_of(analysis, node) {
        let config = analysis.module(module).find(NodeKind::Config, name)?;
        let node = NodeRef { module, node: config };
        return Some(declaration(analysis, node));
    }
    let ty = analysis.node(node).input_type?;
    property(analysis, ty, name)
}

/// A member that a step leads to.
fn member(
    analysis: &mut Analysis,
    file: FileId,
    offset: u32,
    expr: ExprId,
    step: usize,
) -> Option<String> {
    if let Some((Name::Node(node), _)) = name_at(analysis, file, offset) {
        return Some(declaration(analysis, node));
    }
    let program = &analysis.checked.program;
    let expr = &program.exprs[expr];
    let (start, steps) = match &expr.kind {
        ExprKind::Traversal(traversal) => (traversal.root_type, traversal.steps),
        ExprKind::RelativeTraversal { source, steps } => (program.exprs[*source].ty, *steps),
        _ => return None,
    };
    let steps = program.exprs.steps(steps);
    let reached = steps.get(step)?.clone();
    let receiver = match step.checked_sub(1) {
        Some(before) => steps.get(before)?.ty,
        None => start,
    };
    let name = match &reached.key {
        Key::Name(name) => Some(program.types.name(*name).to_owned()),
        _ => None,
    };
    if let Some(name) = name
        && let Some(text) = property(analysis, receiver, &name)
    {
        return Some(text);
    }
    let written = analysis.text(Span::new(file, reached.range)).to_owned();
    Some(code(&format!("{written}: {}", shown(analysis, reached.ty))))
}

/// A property of a type: its declaration and its documentation in the schema.
fn property(analysis: &mut Analysis, ty: TypeId, name: &str) -> Option<String> {
    let documented = documented(analysis, ty, name);
    let types = &mut analysis.checked.program.types;
    let symbol = types.find_symbol(name)?;
    let reached = types.traverse(ty, &Key::Name(symbol));
    if !reached.errors.is_empty() && documented.is_none() {
        return None;
    }
    let mut text = code(&format!("{name}: {}", shown(analysis, reached.ty)));
    let Some(property) = documented else {
        return Some(text);
    };
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
    Some(text)
}

/// The property of a schema that a property of a type comes from.
fn documented(analysis: &Analysis, ty: TypeId, name: &str) -> Option<Property> {
    let properties = documented_properties(analysis, ty).into_iter();
    properties.into_iter().find(|property| property.name == name)
}

fn function(analysis: &mut Analysis, expr: ExprId) -> Option<String> {
    let ExprKind::Call(call) = &analysis.checked.program.exprs[expr].kind else {
        return None;
    };
    let callee = call.signature.callee;
    let name = analysis.checked.program.types.name(call.name).to_owned();
    let mut text = match language::function(&name) {
        Some(row) => format!(
            "{}{}\n\n{}\nMore: `pcl explain {name}`\n\n",
            code(&usage(row)),
            row.summary,
            code(row.example)
        ),
        None => String::new(),
    };
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
    let nominal = Nominal::from_key(key)?;
    let view = view_of(analysis, nominal)?;
    let mut text = code(&view.token);
    describe(&mut text, &view);
    Some(text)
}

/// A key of an object: the property of the type that is expected there.
fn key(analysis: &mut Analysis, file: FileId, offset: u32, expr: ExprId) -> Option<String> {
    let found =
        expected(analysis, file, offset).and_then(|(ty, name)| property(analysis, ty, &name));
    found.or_else(|| {
        let ty = analysis.checked.program.exprs[expr].ty;
        Some(code(&shown(analysis, ty)))
    })
}

/// The type that is expected of the object around a key, and the key.
fn expected(analysis: &mut Analysis, file: FileId, offset: u32) -> Option<(TypeId, String)> {
    let node = analysis.node_at(file, offset)?;
    let input_type = analysis.node(node).input_type?;
    let token = analysis.token_at(file, offset)?;
    let mut path: Vec<Option<String>> = Vec::new();
    for ancestor in token.parent().ancestors() {
        match ancestor.kind() {
            SyntaxKind::ObjectItem => {
                let item = ast::ObjectItem::cast(ancestor)?;
                let text = item.key()?.syntax().text();
                path.push(Some(text.trim_matches('"').to_owned()));
            }
            SyntaxKind::Tuple => path.push(None),
            SyntaxKind::Attribute => {
                let name = ast::Attribute::cast(ancestor)?.name()?;
                path.push(Some(name.text().to_owned()));
                break;
            }
            _ => {}
        }
    }
    let name = path.first()?.clone()?;
    let types = &mut analysis.checked.program.types;
    let mut ty = input_type;
    for step in path.iter().skip(1).rev() {
        ty = match step {
            Some(name) => {
                let symbol = types.symbol(name);
                types.traverse(ty, &Key::Name(symbol)).ty
            }
            None => types.traverse(ty, &Key::Constant(0_i64.into())).ty,
        };
    }
    Some((ty, name))
}

/// The documentation of a resource or function by its token, in Markdown.
#[must_use]
pub fn member_documentation(analysis: &Analysis, token: &str) -> Option<String> {
    let packages = analysis.checked.program.schemas.packages();
    let name = token.split(':').next()?;
    let index = packages.load(&PackageRequest::new(name)).ok()?;
    let package = packages.package(index);
    let sections = [Section::Resources, Section::Functions];
    let mut members = sections.into_iter();
    let member = members.find_map(|section| package.find(section, token))?;
    let view = View::of(package, member).ok()?;
    let mut text = String::new();
    describe(&mut text, &view);
    Some(text)
}

/// The member of a schema that the type of the thing at a place comes from, and the range of the
/// thing.
#[must_use]
pub fn type_member(analysis: &Analysis, file: FileId, offset: u32) -> Option<(Span, Nominal)> {
    let (element, span) = element_at(analysis, file, offset)?;
    let program = &analysis.checked.program;
    let of_node = |node: NodeRef| match &analysis.node(node).body {
        NodeBody::Resource(body) => {
            let (package, member) = body.schema?;
            let shape = Shape::Resource;
            Some(Nominal { package, member, shape })
        }
        _ => nominal_of(&program.types, analysis.node(node).ty),
    };
    let nominal = match element {
        Element::Declaration(node) | Element::Token(node) => of_node(node)?,
        Element::Callee(_, key) => Nominal::from_key(key)?,
        Element::Reference(expr, _) => match name_at(analysis, file, offset) {
            Some((Name::Node(node), _)) => of_node(node)?,
            _ => nominal_of(&program.types, program.exprs[expr].ty)?,
        },
        Element::Step(expr, step) => {
            let steps = match &program.exprs[expr].kind {
                ExprKind::Traversal(traversal) => traversal.steps,
                ExprKind::RelativeTraversal { steps, .. } => *steps,
                _ => return None,
            };
            nominal_of(&program.types, program.exprs.steps(steps).get(step)?.ty)?
        }
        Element::Value(expr) | Element::Function(expr) => {
            nominal_of(&program.types, program.exprs[expr].ty)?
        }
        Element::Variable(definition) => {
            nominal_of(&program.types, program.scopes.definition(definition).ty)?
        }
        _ => return None,
    };
    Some((span, nominal))
}
