//! Types known by their name alone: the primitives, assets and archives, property references,
//! schema token types.
//!
//! The rules, with examples: `tests/spec/types/opaque.md`.

use super::super::{Type, TypeId, TypeStore};
use crate::relations::Conversion;

impl TypeStore {
    /// The type of that name. The names of the fixed types give the fixed types.
    pub fn opaque(&mut self, name: &str) -> TypeId {
        if let Some(fixed) = TypeId::fixed(name) {
            return fixed;
        }
        let name = self.symbol(name);
        self.intern(Type::Opaque(name))
    }

    /// Two primitives that convert equally well both ways unify to the wider one.
    pub(crate) fn unify_opaque(&mut self, a: TypeId, b: TypeId) -> (TypeId, Conversion) {
        for wider in [TypeId::STRING, TypeId::NUMBER, TypeId::INT, TypeId::BOOL, TypeId::ID] {
            if wider == a || wider == b {
                let other = if wider == a { b } else { a };
                return (wider, self.convert(wider, other));
            }
        }
        (a, self.convert(a, b))
    }
}
