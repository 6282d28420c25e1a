//! Types of schemas in the words of the language.

use pcl_schema::{ExternalTarget, Package, Primitive, Reference, TypeKind, TypeSpec};

/// A type on one line; named types by their tokens.
pub(super) fn display(package: &Package, ty: &TypeSpec) -> String {
    match &ty.kind {
        TypeKind::Primitive(of) => primitive(*of).to_owned(),
        TypeKind::Any => "any".to_owned(),
        TypeKind::Json => "json".to_owned(),
        TypeKind::Asset => "asset".to_owned(),
        TypeKind::Archive => "archive".to_owned(),
        TypeKind::Array(items) => format!("list({})", display(package, items)),
        TypeKind::Map(values) => format!("map({})", display(package, values)),
        TypeKind::Union(union) => {
            let elements = union.elements.iter();
            let elements: Vec<_> = elements.map(|element| display(package, element)).collect();
            elements.join(" | ")
        }
        TypeKind::Reference(reference) => match reference {
            Reference::Type(id) | Reference::Resource(id) => package.token(*id).to_owned(),
            Reference::Provider => format!("pulumi:providers:{}", package.name()),
            Reference::Dangling { token, .. } => token.to_string(),
            Reference::External(external) => match &external.target {
                ExternalTarget::Type(token) | ExternalTarget::Resource(token) => token.to_string(),
                ExternalTarget::Provider => format!("pulumi:providers:{}", external.package),
            },
        },
        TypeKind::Invalid => "unknown".to_owned(),
    }
}

pub(super) fn primitive(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "bool",
        Primitive::Integer => "int",
        Primitive::Number => "number",
        Primitive::String => "string",
    }
}
