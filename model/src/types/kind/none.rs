//! `none`, the type of null.
//!
//! Equal only to itself. The literal `null` is a constant whose underlying type is `none`; an
//! optional type is a union with `none`.
//!
//! The rules, with examples: `tests/spec/types/none.md`.

use super::super::{Facts, Type, TypeId, TypeStore};

impl TypeStore {
    /// The union of `ty` and none, which is `ty` itself when none is a member of it.
    pub fn optional(&mut self, ty: TypeId) -> TypeId {
        self.union([ty, TypeId::NONE])
    }

    /// Returns whether a value of type `ty` may be left out: null can be assigned to it, and it is
    /// not `dynamic`.
    pub fn is_optional(&mut self, ty: TypeId) -> bool {
        ty != TypeId::DYNAMIC && self.assignable(ty, TypeId::NONE)
    }

    /// `ty` with none in the place of a `null` that is written out, as in `c ? xs : null`; also
    /// inside of outputs and promises.
    pub fn null_as_none(&mut self, ty: TypeId) -> TypeId {
        match self.get(ty) {
            &Type::Output(element) => {
                let element = self.null_as_none(element);
                self.output(element)
            }
            &Type::Promise(element) => {
                let element = self.null_as_none(element);
                self.promise(element)
            }
            Type::Union(members) if self.facts(ty).has(Facts::NULL) => {
                let or_none = |&member| {
                    if self.facts(member).has(Facts::NULL) { TypeId::NONE } else { member }
                };
                let members: Vec<TypeId> = members.iter().map(or_none).collect();
                self.union(members)
            }
            _ => ty,
        }
    }

    /// `T` of a two-member union of `T` and none.
    pub fn without_none(&self, ty: TypeId) -> Option<TypeId> {
        match self.get(ty) {
            Type::Union(members) if members.len() == 2 => match **members {
                [TypeId::NONE, other] | [other, TypeId::NONE] => Some(other),
                _ => None,
            },
            _ => None,
        }
    }
}
