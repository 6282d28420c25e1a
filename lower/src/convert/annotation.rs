//! The annotations of types: what a schema says a type is. A value of a type that no schema names
//! is converted to one that a schema does name, although it has the same properties: that is how a
//! generator learns which type to write.

use pcl_model::TypeId;
use pcl_model::types::{NominalKey, Type, TypeStore};

/// The schema's side of a type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Annotation {
    Object(NominalKey),
    Enum(TypeId),
    List(Box<Annotation>),
    /// Several, each once and in order.
    OneOf(Vec<Annotation>),
}

/// The annotation of a type; eventual values have that of what they hold. Types nest to a limited
/// depth.
pub(super) fn of(types: &TypeStore, ty: TypeId) -> Option<Annotation> {
    match types.get(ty) {
        Type::Nominal(_) => types.origin(ty).map(Annotation::Object),
        Type::Enum(_) => Some(Annotation::Enum(ty)),
        Type::List(element) => Some(Annotation::List(Box::new(of(types, *element)?))),
        Type::Output(element) | Type::Promise(element) => of(types, *element),
        Type::Union(members) => {
            let members = members.iter().filter_map(|&member| of(types, member));
            let mut all: Vec<Annotation> = Vec::new();
            for member in members {
                match member {
                    Annotation::OneOf(several) => all.extend(several),
                    one => all.push(one),
                }
            }
            all.sort_unstable();
            all.dedup();
            match all.len() {
                0 => None,
                1 => all.pop(),
                _ => Some(Annotation::OneOf(all)),
            }
        }
        _ => None,
    }
}
