//! Resources as values of properties: where a schema wants a reference to a resource, the resource itself is written.
//!
//! The rules, with examples: `tests/spec/blocks/resource.md`.

use pcl_model::types::{Type, TypeId, TypeStore};

use crate::schema_types::{Nominal, SchemaTypes, Shape};

/// `ty` with every resource in it replaced by the reference to it.
pub(crate) fn as_reference(schemas: &SchemaTypes, types: &mut TypeStore, ty: TypeId) -> TypeId {
    match types.get(ty).clone() {
        Type::Nominal(_) => match types.origin(ty).and_then(Nominal::from_key) {
            Some(nominal) if nominal.shape == Shape::Resource => schemas.object(
                types,
                nominal.package,
                nominal.member,
                Shape::ResourceReference,
            ),
            _ => ty,
        },
        Type::List(element) => {
            let element = as_reference(schemas, types, element);
            types.list(element)
        }
        Type::Set(element) => {
            let element = as_reference(schemas, types, element);
            types.set(element)
        }
        Type::Map(element) => {
            let element = as_reference(schemas, types, element);
            types.map(element)
        }
        Type::Output(element) => {
            let element = as_reference(schemas, types, element);
            types.output(element)
        }
        Type::Promise(element) => {
            let element = as_reference(schemas, types, element);
            types.promise(element)
        }
        Type::Tuple(elements) => {
            let elements: Vec<_> = elements
                .iter()
                .map(|&element| as_reference(schemas, types, element))
                .collect();
            types.tuple(&elements)
        }
        Type::Union(members) => {
            let members: Vec<_> = members
                .iter()
                .map(|&member| as_reference(schemas, types, member))
                .collect();
            types.union(members)
        }
        Type::Object(properties) => {
            let properties: Vec<_> = properties
                .iter()
                .map(|&(name, property)| (name, as_reference(schemas, types, property)))
                .collect();
            types.object(properties)
        }
        _ => ty,
    }
}
