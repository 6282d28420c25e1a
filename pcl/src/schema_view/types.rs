//! Types of schemas as text for people.

use pcl_binder::schema_types::primitive_type;
use pcl_model::types::{TypeId, TypeStore};
use pcl_schema::{ExternalTarget, Package, Reference, TypeKind, TypeSpec};

/// A type on one line; named types by their tokens.
pub(super) fn display(package: &Package, ty: &TypeSpec) -> String {
    let mut types = TypeStore::new();
    let ty = intern(&mut types, package, ty);
    types.text(ty)
}

fn intern(types: &mut TypeStore, package: &Package, ty: &TypeSpec) -> TypeId {
    match &ty.kind {
        TypeKind::Primitive(primitive) => primitive_type(*primitive),
        TypeKind::Any | TypeKind::Json => TypeId::DYNAMIC,
        // Wherever an asset goes, an archive goes as well.
        TypeKind::Asset => types.union([TypeId::ARCHIVE, TypeId::ASSET]),
        TypeKind::Archive => TypeId::ARCHIVE,
        TypeKind::Array(items) => {
            let items = intern(types, package, items);
            types.list(items)
        }
        TypeKind::Map(values) => {
            let values = intern(types, package, values);
            types.map(values)
        }
        TypeKind::Union(union) => {
            let elements = union.elements.iter();
            let elements: Vec<_> = elements.map(|it| intern(types, package, it)).collect();
            types.union(elements)
        }
        TypeKind::Reference(reference) => types.opaque(&match reference {
            Reference::Type(id) | Reference::Resource(id) => package.token(*id).to_owned(),
            Reference::Provider => format!("pulumi:providers:{}", package.name()),
            Reference::Dangling { token, .. } => token.to_string(),
            Reference::External(external) => match &external.target {
                ExternalTarget::Type(token) | ExternalTarget::Resource(token) => token.to_string(),
                ExternalTarget::Provider => format!("pulumi:providers:{}", external.package),
            },
        }),
        TypeKind::Invalid => types.opaque("unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema_view::View;

    /// A view of a schema names types as hovers and messages do.
    #[test]
    fn types_are_named_as_in_programs() {
        let types = [
            (r##""$ref": "pulumi.json#/Json""##, "dynamic"),
            (r##""$ref": "pulumi.json#/Any""##, "dynamic"),
            (r##""$ref": "pulumi.json#/Asset""##, "Archive | Asset"),
            (r##""$ref": "pulumi.json#/Archive""##, "Archive"),
            (r##""$ref": "#/types/zoo:index:T""##, "zoo:index:T"),
            (r#""oneOf": [{ "type": "string" }, { "type": "integer" }]"#, "int | string"),
            (
                r#""type": "object", "additionalProperties": { "type": "array", "items": { "type": "boolean" } }"#,
                "map(list(bool))",
            ),
        ];
        let property = |(at, (json, _))| format!(r#""p{at}": {{ {json} }}"#);
        let properties: Vec<String> = types.into_iter().enumerate().map(property).collect();
        let schema = format!(
            r#"{{ "name": "zoo", "types": {{ "zoo:index:T": {{ "type": "object" }} }},
            "resources": {{ "zoo:index:R": {{ "inputProperties": {{ {} }} }} }} }}"#,
            properties.join(", ")
        );
        let package = Package::from_bytes(schema).unwrap();
        let member = package.find(pcl_schema::Section::Resources, "zoo:index:R").unwrap();
        let view = View::of(&package, member).unwrap();
        let shown: Vec<&str> = view.inputs.iter().map(|input| &*input.ty).collect();
        assert_eq!(shown, types.map(|(_, text)| text));
    }
}
