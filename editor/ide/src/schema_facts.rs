//! Facts that a schema has about the things of a program.

use std::fmt::Write as _;

use pcl::binder::schema_types::{Found, Lookup, Nominal, Shape};
use pcl::binder::{NodeBody, PackageIndex};
use pcl::diagnostics::Span;
use pcl::model::relations::Key;
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::schema::{MemberId, PackageRequest, Section};
use pcl::schema_view::{Property, View};
use pcl::syntax::SyntaxKind;
use pcl::syntax::ast::{self, AstNode as _};

use crate::element::{Element, element_at};
use crate::names::{Name, name_of};
use crate::{Analysis, FilePosition, NodeRef};

/// The member of a schema that a type, or the first such part of a union, comes from.
pub(crate) fn nominal_of(types: &TypeStore, ty: TypeId) -> Option<Nominal> {
    let ty = types.strip(ty);
    if let Some(key) = types.origin(ty) {
        return Nominal::from_key(key);
    }
    match types.get(ty) {
        Type::Union(members) => members.iter().find_map(|&member| nominal_of(types, member)),
        _ => None,
    }
}

/// The member of a package, ready to be shown.
pub(crate) fn view_of(
    analysis: &Analysis,
    package: PackageIndex,
    member: MemberId,
) -> Option<View> {
    let packages = analysis.checked.program.schemas.packages();
    View::of(packages.package(package), member).ok()
}

/// The member of a schema that a node is made of, ready to be shown.
pub(crate) fn resource_view(analysis: &Analysis, node: NodeRef) -> Option<View> {
    let NodeBody::Resource(body) = &analysis.node(node).body else { return None };
    let (package, member) = body.schema?;
    view_of(analysis, package, member)
}

/// The function of a package that a token names.
pub(crate) fn invoked(analysis: &Analysis, token: &str) -> Option<Found> {
    let schemas = &analysis.checked.program.schemas;
    let package = token.split(':').next()?;
    let index = schemas.packages().load(&PackageRequest::new(package)).ok()?;
    match schemas.lookup_function(index, token) {
        Lookup::Found(found) => Some(found),
        _ => None,
    }
}

/// The properties of a schema that those of a type come from.
pub(crate) fn documented_properties(analysis: &Analysis, ty: TypeId) -> Vec<Property> {
    let nominal = nominal_of(&analysis.checked.program.types, ty);
    let view = nominal.and_then(|it| Some((it.shape, view_of(analysis, it.package, it.member)?)));
    let Some((shape, view)) = view else { return Vec::new() };
    match shape {
        Shape::ResourceInputs
        | Shape::FunctionInputs
        | Shape::FunctionInputsWithOutputs
        | Shape::MethodInputs => view.inputs,
        Shape::ReadInputs => view.state_inputs,
        _ => view.outputs,
    }
}

/// Adds the deprecation and the description of a member.
pub(crate) fn describe(text: &mut String, view: &View) {
    if let Some(deprecation) = &view.deprecation {
        let _ = writeln!(text, "**Deprecated:** {deprecation}\n");
    }
    if let Some(description) = &view.description {
        // Examples in other languages follow under headings.
        let end = description.find("\n## ").unwrap_or(description.len());
        let _ = writeln!(text, "{}\n", description.get(..end).unwrap_or_default().trim_end());
    }
}

/// The documentation of a resource or function by its token, in Markdown.
pub fn member_documentation(analysis: &Analysis, token: &str) -> Option<String> {
    let packages = analysis.checked.program.schemas.packages();
    let index = packages.load(&PackageRequest::new(token.split(':').next()?)).ok()?;
    let package = packages.package(index);
    let mut sections = [Section::Resources, Section::Functions].into_iter();
    let member = sections.find_map(|section| package.find(section, token))?;
    let mut text = String::new();
    describe(&mut text, &View::of(package, member).ok()?);
    Some(text)
}

/// The member of a schema that the type of the thing at a position comes from, and the range of the
/// thing.
pub fn type_member(analysis: &Analysis, at: FilePosition) -> Option<(Span, Nominal)> {
    let (element, span) = element_at(analysis, at)?;
    let program = &analysis.checked.program;
    let of_type = |ty| nominal_of(&program.types, ty);
    let of_node = |node: NodeRef| match &analysis.node(node).body {
        NodeBody::Resource(body) => {
            let (package, member) = body.schema?;
            Some(Nominal { package, member, shape: Shape::Resource })
        }
        _ => of_type(analysis.node(node).ty),
    };
    let nominal = match element {
        Element::Declaration(node) | Element::Token(node) => of_node(node),
        Element::Callee(key) => Nominal::from_key(key),
        Element::Reference(expr, definition) => match name_of(analysis, span, definition) {
            Some(Name::Node(node)) => of_node(node),
            _ => of_type(program.exprs[expr].ty),
        },
        Element::Step(expr, step) => of_type(analysis.chain(expr)?.steps.get(step)?.ty),
        Element::Value(expr) | Element::Function(expr) => of_type(program.exprs[expr].ty),
        Element::Variable(definition) => of_type(program.scopes.definition(definition).ty),
        _ => None,
    };
    Some((span, nominal?))
}

/// The type that is expected of the object around a key, and the key.
pub(crate) fn key_at(analysis: &mut Analysis, at: FilePosition) -> Option<(TypeId, String)> {
    let mut ty = analysis.node(analysis.node_at(at)?).input_type?;
    let mut path: Vec<Option<String>> = Vec::new();
    for ancestor in analysis.token_at(at)?.parent().ancestors() {
        match ancestor.kind() {
            SyntaxKind::ObjectItem => {
                let text = ast::ObjectItem::cast(ancestor)?.key()?.syntax().text();
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
    let types = &mut analysis.checked.program.types;
    for step in path.iter().skip(1).rev() {
        let key = match step {
            Some(name) => Key::Name(types.symbol(name)),
            None => Key::Constant(0_i64.into()),
        };
        ty = types.traverse(ty, &key).ty;
    }
    Some((ty, path.into_iter().next()??))
}
