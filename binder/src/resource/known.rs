//! The facts about a resource type that every use of it needs, computed once per type.

use std::sync::Arc;

use pcl_model::types::{Symbol, TypeId, TypeStore};
use pcl_schema::ResourceSpec;

use crate::schema_types::{Found, SchemaTypes};

/// A resource of a schema.
pub(crate) struct KnownResource {
    pub found: Found,
    /// The object type of the attributes; for a `read`, of those of a `read`.
    pub inputs: TypeId,
    /// The type of a reference to one resource.
    pub single: TypeId,
    /// The schema of the resource.
    pub spec: Option<Arc<ResourceSpec>>,
    /// The required attributes.
    pub required: Vec<Symbol>,
}

impl KnownResource {
    /// Collects the facts about a resource, or about a `read` of it.
    pub fn new(schemas: &SchemaTypes, types: &mut TypeStore, found: Found, read: bool) -> Self {
        let (package, member) = (found.package, found.member);
        let inputs = if read {
            schemas.read_inputs(types, package, member)
        } else {
            schemas.resource_inputs(types, package, member)
        };
        let single = schemas.resource_variable(types, package, member);
        Self {
            inputs,
            single,
            spec: schemas.resource(package, member).ok().flatten(),
            required: required_of(types, inputs),
            found,
        }
    }
}

/// The required properties of an object type.
pub(crate) fn required_of(types: &mut TypeStore, object: TypeId) -> Vec<Symbol> {
    let properties = types.properties(object);
    let properties = properties.iter().flat_map(|properties| properties.iter());
    let required = properties.filter(|&&(_, ty)| is_required(types, ty));
    required.map(|&(name, _)| name).collect()
}

/// Returns whether a property of this type must be set.
pub(crate) fn is_required(types: &mut TypeStore, ty: TypeId) -> bool {
    ty != TypeId::ERROR && !types.is_optional(ty) && !types.is_constant(ty)
}
