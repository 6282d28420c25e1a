//! Facts that a schema has about a type of a program.

use pcl::binder::schema_types::{Nominal, Shape};
use pcl::model::types::{Type, TypeId, TypeStore};
use pcl::schema_view::{Property, View};

use crate::Analysis;

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
pub(crate) fn view_of(analysis: &Analysis, nominal: Nominal) -> Option<View> {
    let packages = analysis.checked.program.schemas.packages();
    View::of(packages.package(nominal.package), nominal.member).ok()
}

/// The properties of a schema that those of a type come from.
pub(crate) fn documented_properties(analysis: &Analysis, ty: TypeId) -> Vec<Property> {
    let nominal = nominal_of(&analysis.checked.program.types, ty);
    let view = nominal.and_then(|nominal| Some((nominal.shape, view_of(analysis, nominal)?)));
    let Some((shape, view)) = view else {
        return Vec::new();
    };
    match shape {
        Shape::ResourceInputs
        | Shape::FunctionInputs
        | Shape::FunctionInputsWithOutputs
        | Shape::MethodInputs => view.inputs,
        Shape::ReadInputs => view.state_inputs,
        _ => view.outputs,
    }
}
