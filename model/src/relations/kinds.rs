//! Kinds of plain values: whether a type has values of some kinds only.
//!
//! The rules, with examples: `tests/spec/types/conversion.md`.

use crate::types::{Type, TypeId, TypeStore};
use crate::value::Constant;

impl TypeStore {
    /// Returns whether each value of `ty` is null or of one of these primitive types, and one may
    /// be of them.
    pub fn is_of_kinds(&mut self, ty: TypeId, kinds: &[TypeId]) -> bool {
        let plain = self.resolve(ty);
        let members = match self.get(plain) {
            Type::Union(members) => &members[..],
            _ => std::slice::from_ref(&plain),
        };
        let mut kinds_found = members
            .iter()
            .map(|&member| self.underlying(member))
            .filter(|&kind| kind != TypeId::NONE)
            .peekable();
        kinds_found.peek().is_some() && kinds_found.all(|kind| kinds.contains(&kind))
    }

    /// The one value that `ty` has, in outputs and promises too.
    pub fn only_value(&mut self, ty: TypeId) -> Option<Constant> {
        let plain = self.resolve(ty);
        match self.get(plain) {
            Type::Const { value, .. } => Some(value.clone()),
            _ => None,
        }
    }
}
