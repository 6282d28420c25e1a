//! Types for people: constants print as their kind, where the value says nothing.

use super::{Derivation, Type, TypeId, TypeStore};
use crate::value::Constant;

/// The largest number of constants that a union may have to be shown as it is.
const FEW: usize = 4;

/// The longest string, in bytes, that is shown in such a union.
const SHORT: usize = 20;

impl TypeStore {
    /// `ty` with every constant that a value gives to its type replaced by the kind of the
    /// constant: `{ name: string }` for `{ name: "web" }`. A union of a few short constants stays,
    /// since it says which values there may be, and so do the types of schemas.
    pub fn widened(&mut self, ty: TypeId) -> TypeId {
        self.derive_whole(ty, Derivation::Widen)
    }

    /// The kind of a constant. Null is a kind of its own.
    pub(crate) fn widened_constant(&self, ty: TypeId) -> TypeId {
        match self.get(ty) {
            Type::Const { value: Constant::Null, .. } => ty,
            Type::Const { underlying, .. } => *underlying,
            _ => ty,
        }
    }

    /// Returns whether a union is of a few short constants, and perhaps none.
    pub(crate) fn lists_constants(&self, ty: TypeId) -> bool {
        let Type::Union(members) = self.get(ty) else { return false };
        let is_short = |ty: &TypeId| match self.get(*ty) {
            Type::Const { value: Constant::String(text), .. } => text.len() <= SHORT,
            Type::Const { value, .. } => *value != Constant::Null,
            _ => false,
        };
        let mut constants = members.iter().filter(|&&member| member != TypeId::NONE);
        let count = members.len() - usize::from(members.contains(&TypeId::NONE));
        (2..=FEW).contains(&count) && constants.all(is_short)
    }
}
