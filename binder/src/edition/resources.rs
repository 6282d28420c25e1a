//! Resources: tokens, inputs, and the members of their options.

use pcl_diagnostics::{Fix, Span, TextEdit};
use pcl_model::expression::{ExprId, ExprKind};
use pcl_model::types::TypeId;
use pcl_schema::{Properties, TypeKind};
use pcl_syntax::ast::{self, AstNode};

use super::packages;
use super::view::View;
use crate::node::{BoundAttribute, Node, NodeBody, NodeKind, ResourceBody};
use crate::written_values::key_text;

/// Looks at a resource, read or component.
pub(super) fn find(view: &mut View<'_>, node: &Node) {
    for option in node.options() {
        members(view, node, option);
    }
    let NodeBody::Resource(body) = &node.body else {
        return;
    };
    let block = ast::Block::cast(view.module.syntax(node));
    if let Some(label) = block.and_then(|block| block.labels().nth(1)) {
        let text = label.text();
        let span = Span::new(node.file, label.content_range());
        token(view, span, &text);
        if let Some((package, _)) = body.schema {
            packages::of_member(view, span, package, &text);
        }
    }
    inputs(view, node, body);
}

/// A token without a module. It may be the text of a label or of an argument.
pub(super) fn token(view: &mut View<'_>, span: Span, written: &str) {
    let mut parts = written.split(':');
    let (Some(owner), Some(""), Some(member), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    let is_exact = view
        .source(span)
        .is_some_and(|text| text.trim_matches('"') == written);
    let quoted = view.source(span).is_some_and(|text| text.starts_with('"'));
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
    match name {
        "customTimeouts" | "hooks" => keys(view, name, option.value),
        "aliases" => {
            if let ExprKind::Tuple(elements) = &view.exprs[option.value].kind {
                for &element in elements {
                    keys(view, name, element);
                }
            }
        }
        "additionalSecretOutputs" => {
            let span = Span::new(node.file, option.name_range);
            let construct = "semantics.option.additionalSecretOutputs.property-names";
            view.changed(construct, span, name);
        }
        _ => {}
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
    let Some((package, member)) = body.schema else {
        return;
    };
    let Ok(Some(spec)) = view.schemas.resource(package, member) else {
        return;
    };
    let specs = match node.kind {
        NodeKind::Read => match &spec.state_inputs {
            Some(specs) => specs,
            None => return,
        },
        _ => &spec.inputs,
    };
    implied(view, node, body, specs);
    for attribute in &body.inputs {
        let Some(property) = specs.get(&attribute.name) else {
            continue;
        };
        let span = Span::new(node.file, attribute.name_range);
        let ty = view.type_of(attribute.value);
        match &property.ty.kind {
            TypeKind::Asset if view.types.strip(ty) == TypeId::ARCHIVE => {
                view.changed("semantics.schema.asset-or-archive", span, &attribute.name);
            }
            TypeKind::Union(union) => {
                let Some(discriminator) = &union.discriminator else {
                    continue;
                };
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
