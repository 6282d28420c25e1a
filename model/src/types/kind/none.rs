//! `none`, the type of null.
//!
//! Equal only to itself. The literal `null` is a constant whose underlying type is `none`; an optional type is a union
//! with `none`.

use super::super::{Type, TypeId, TypeStore};

impl TypeStore {
    /// `ty` or none.
    pub fn optional(&mut self, ty: TypeId) -> TypeId {
        self.union([ty, TypeId::NONE])
    }

    /// Whether a value of type `ty` may be left out: null can be assigned to it, and it is not `dynamic`.
    pub fn is_optional(&mut self, ty: TypeId) -> bool {
        ty != TypeId::DYNAMIC && self.assignable(ty, TypeId::NONE)
    }

    /// `T` of a two-member union of `T` and none.
    #[must_use]
    pub fn without_none(&self, ty: TypeId) -> Option<TypeId> {
        match self.get(ty) {
            Type::Union(members) => match **members {
                [TypeId::NONE, other] | [other, TypeId::NONE] => Some(other),
                _ => None,
            },
            _ => None,
        }
    }
}
