//! Resources with their inputs and options, calls of `invoke`, and the packages of both.

use pcl_diagnostics::{FileId, Fix, Span, TextEdit};
use pcl_language::ResourceOption;
use pcl_model::expression::{Call, Expr, ExprId, ExprKind};
use pcl_model::relations::Conversion;
use pcl_model::types::TypeId;
use pcl_schema::{Properties, Token, TypeKind};
use pcl_syntax::ast::{self, AstNode};
use rustc_hash::FxHashMap;

use super::view::View;
use crate::block::package::read_blocks;
use crate::node::{BoundAttribute, Node, NodeBody, NodeKind, ResourceBody};
use crate::packages::PackageIndex;
use crate::program::Module;
use crate::schema_types::{Nominal, Shape};
use crate::written_values::key_text;

/// Looks at a resource, read or component.
pub(super) fn find(view: &mut View<'_>, node: &Node) {
    for option in node.options() {
        members(view, node, option);
    }
    let NodeBody::Resource(body) = &node.body else { return };
    let block = ast::Block::cast(view.module.syntax(node));
    if let Some(label) = block.and_then(|block| block.labels().nth(1)) {
        let text = label.text();
        let span = Span::new(node.file, label.content_range());
        find_token(view, span, &text);
        if let Some((package, _)) = body.schema {
            of_member(view, span, package, &text);
        }
    }
    inputs(view, node, body);
}

/// A token without a module. It may be the text of a label or of an argument.
pub(super) fn find_token(view: &mut View<'_>, span: Span, written: &str) {
    let mut parts = written.split(':');
    let (Some(owner), Some(""), Some(member), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    let text = view.source(span).unwrap_or_default();
    let (is_exact, quoted) = (text.trim_matches('"') == written, text.starts_with('"'));
    let used = view.changed("semantics.token.index-module", span, written);
    if let (Some(used), true) = (used, is_exact) {
        let text = format!("{owner}:index:{member}");
        let text = if quoted { format!("\"{text}\"") } else { text };
        let edit = TextEdit::replace(span, text);
        used.fix = Some(Fix::safe("write the module `index`", vec![edit]));
    }
}

/// The members of an option that takes objects.
fn members(view: &mut View<'_>, node: &Node, option: &BoundAttribute) {
    let name = &*option.name;
    match ResourceOption::parse(name) {
        Some(ResourceOption::CustomTimeouts | ResourceOption::Hooks) => {
            keys(view, name, option.value);
        }
        Some(ResourceOption::Aliases) => {
            if let ExprKind::Tuple(elements) = &view.exprs[option.value].kind {
                for &element in elements {
                    keys(view, name, element);
                }
            }
        }
        Some(ResourceOption::AdditionalSecretOutputs) => {
            let span = Span::new(node.file, option.name_range);
            let construct = "semantics.option.additionalSecretOutputs.property-names";
            view.changed(construct, span, name);
        }
        Some(ResourceOption::HideDiffs) => hidden_outputs(view, node, option.value),
        _ => {}
    }
}

/// Names of outputs in a list of properties whose changes are not shown.
fn hidden_outputs(view: &mut View<'_>, node: &Node, names: ExprId) {
    let exprs = view.exprs;
    let NodeBody::Resource(body) = &node.body else { return };
    let Some((package, member)) = body.schema else { return };
    let Ok(Some(spec)) = view.schemas.resource(package, member) else { return };
    let ExprKind::Tuple(elements) = &exprs[names].kind else { return };
    for &element in elements {
        let ExprKind::Traversal(traversal) = &exprs[element].kind else { continue };
        let name = view.types.shared_name(traversal.root);
        if spec.inputs.get(&name).is_none() {
            let span = view.span(element);
            view.needs("semantics.options.hideDiffs-outputs", span, &name);
        }
    }
}

fn keys(view: &mut View<'_>, option: &str, object: ExprId) {
    for &(key, _) in view.items(object) {
        if let Some(name) = key_text(view.exprs, key) {
            let span = view.span(key);
            if let Some(used) = view.needs(&format!("option.{option}.{name}"), span, &name) {
                used.part();
            }
        }
    }
}

/// Inputs that older releases check in another way.
fn inputs(view: &mut View<'_>, node: &Node, body: &ResourceBody) {
    let Some((package, member)) = body.schema else { return };
    let Ok(Some(spec)) = view.schemas.resource(package, member) else { return };
    let specs = match node.kind {
        NodeKind::Read => match &spec.state_inputs {
            Some(specs) => specs,
            None => return,
        },
        _ => &spec.inputs,
    };
    implied(view, node, body, specs);
    for attribute in &body.inputs {
        let Some(property) = specs.get(&attribute.name) else { continue };
        let span = Span::new(node.file, attribute.name_range);
        let ty = view.type_of(attribute.value);
        match &property.ty.kind {
            TypeKind::Asset if view.types.strip(ty) == TypeId::ARCHIVE => {
                view.changed("semantics.schema.asset-or-archive", span, &attribute.name);
            }
            TypeKind::Union(union) => {
                let Some(discriminator) = &union.discriminator else { continue };
                let decides = |&(key, _): &(ExprId, ExprId)| {
                    let name = key_text(view.exprs, key);
                    name.is_some_and(|name| *name == *discriminator.property)
                };
                if view.items(attribute.value).iter().any(decides) {
                    for construct in [
                        "semantics.schema.discriminated-union-types",
                        "semantics.schema.discriminated-union-inputs",
                    ] {
                        view.changed(construct, span, &attribute.name);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Required inputs that are left out because they can have one value only.
fn implied(view: &mut View<'_>, node: &Node, body: &ResourceBody, specs: &Properties) {
    let is_given = |name: &str| body.inputs.iter().any(|input| *input.name == *name);
    let implied = specs.iter().find(|(name, property)| {
        property.required && property.constant.is_some() && !is_given(name)
    });
    if let Some((name, _)) = implied {
        let construct = "semantics.schema.const-property-implied";
        view.changed(construct, node.name_span(), name);
    }
}

/// The names that the `package` blocks of a module describe, and the place of each block.
fn described(module: &Module) -> Vec<(String, Span)> {
    let mut names = Vec::new();
    for (&file, tree) in module.files.iter().zip(&module.trees) {
        for block in tree.file().body().blocks() {
            let keyword = block.keyword();
            if let Some(keyword) = keyword.filter(|keyword| keyword.text() == "package")
                && let Some(name) = name_of(file, block)
            {
                names.push((name, Span::new(file, keyword.range())));
            }
        }
    }
    names
}

/// The name by which tokens refer to the package of a block.
fn name_of(file: FileId, block: ast::Block<'_>) -> Option<String> {
    read_blocks([(file, block)], &mut Vec::new()).into_keys().next()
}

/// Looks for a package that several files describe in the same way.
pub(super) fn find_packages(view: &mut View<'_>) {
    let mut first: FxHashMap<String, FileId> = FxHashMap::default();
    for (name, span) in described(view.module) {
        match first.get(&name) {
            Some(&file) if file != span.file => {
                let construct = "semantics.package.identical-duplicates-allowed";
                view.changed(construct, span, &name);
            }
            Some(_) => {}
            None => {
                first.insert(name.clone(), span.file);
            }
        }
        view.described.insert(name);
    }
}

/// The function of an `invoke` whose package a block describes.
pub(super) fn of_invoke(view: &mut View<'_>, span: Span, written: &str) {
    let Some(token) = Token::parse(written) else { return };
    if view.described.contains(token.owner()) {
        let construct = "semantics.invoke.unknown-package-is-warning";
        view.needs(construct, span, token.owner());
    }
}

/// A token of a package that extends another one.
pub(super) fn of_member(view: &mut View<'_>, span: Span, package: PackageIndex, written: &str) {
    let package = view.schemas.packages().package(package);
    if package.extension().is_some() {
        let construct = "semantics.package.extension-tokens-of-base";
        view.changed(construct, span, written);
    }
}

/// Looks at an `invoke`.
pub(super) fn find_in_invoke(view: &mut View<'_>, expr: &Expr, call: &Call) {
    let Some(&token) = call.arguments.first() else { return };
    let token_span = view.span(token);
    let Some(written) = view.exprs.literal_string(token) else { return };
    find_token(view, token_span, &written);
    of_invoke(view, token_span, &written);
    if call.signature.multi_argument {
        let span = Span::new(expr.file, call.name_range);
        view.needs("semantics.invoke.positional-multi-argument", span, &written);
    } else {
        form(view, expr, call, &written);
    }
    options(view, call);
}

/// The keys of the last argument.
fn options(view: &mut View<'_>, call: &Call) {
    let mut parameters = call.signature.parameters.iter();
    let position = parameters.position(|parameter| parameter.name == "invokeOptions");
    let options = position.and_then(|position| call.arguments.get(position));
    let Some(&options) = options else { return };
    for &(key, _) in view.items(options) {
        if let Some(name) = key_text(view.exprs, key) {
            let span = view.span(key);
            view.needs(&format!("invoke-option.{name}"), span, &name);
        }
    }
}

/// The output form, which older releases choose less often.
fn form(view: &mut View<'_>, expr: &Expr, call: &Call, token: &str) {
    if !view.is_output(expr.ty) {
        return;
    }
    let callee = call.signature.callee.and_then(Nominal::from_key);
    let Some(callee) = callee.filter(|it| it.shape == Shape::FunctionInputsWithOutputs) else {
        return;
    };
    let span = Span::new(expr.file, call.name_range);
    view.changed("semantics.invoke.output-version", span, token);
    let function = view.schemas.function(callee.package, callee.member);
    let takes_nothing = function.ok().flatten().is_some_and(|function| {
        let inputs = function.inputs.as_ref();
        inputs.is_none_or(|inputs| inputs.is_empty())
    });
    if takes_nothing {
        let construct = "semantics.invoke.output-version.without-needs-check";
        view.changed(construct, span, token);
    }
    let given = call.arguments.get(1);
    let given = given.map_or(TypeId::DYNAMIC, |&given| view.type_of(given));
    let inputs = view.types.nominal(callee.key());
    let is_unsafe = view.types.convert(inputs, given) == Conversion::Unsafe;
    if view.is_output(given) || is_unsafe && view.types.contains_outputs(given) {
        let construct = "semantics.invoke.output-version.unsafe-conversion";
        view.changed(construct, span, token);
    }
}
