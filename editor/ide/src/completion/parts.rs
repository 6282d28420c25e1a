//! The parts of a type that are no outputs and no options.

use pcl::model::types::{Type, TypeId, TypeStore};

/// The first part of a type that is no output and no option.
pub(super) fn first(types: &TypeStore, ty: TypeId) -> TypeId {
    let ty = types.strip(ty);
    match types.get(ty) {
        Type::Union(members) => {
            let mut members = members.iter().filter(|&&member| member != TypeId::NONE);
            members.next().map_or(ty, |&member| first(types, member))
        }
        _ => ty,
    }
}

/// The members of a type that are no outputs and no options.
pub(super) fn parts_of(types: &TypeStore, ty: TypeId) -> Vec<TypeId> {
    let ty = types.strip(ty);
    match types.get(ty) {
        Type::Union(members) => {
            let members = members.iter().filter(|&&member| member != TypeId::NONE);
            let mut parts: Vec<TypeId> =
                members.flat_map(|&member| parts_of(types, member)).collect();
            let mut seen = std::collections::HashSet::new();
            parts.retain(|&part| seen.insert(part));
            parts
        }
        _ => vec![ty],
    }
}
