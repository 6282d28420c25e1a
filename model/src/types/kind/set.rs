//! `set(T)`: from sets; from lists and tuples unsafely, since repeated elements are lost.
//!
//! A set can be splatted, but not traversed, indexed or iterated over.
//!
//! The rules, with examples: `tests/spec/types/set.md`.

use super::super::{Type, TypeId, TypeStore};
use crate::relations::Conversion;

impl TypeStore {
    /// A set of `element`.
    pub fn set(&mut self, element: TypeId) -> TypeId {
        self.intern(Type::Set(element))
    }

    pub(crate) fn set_from(&mut self, element: TypeId, src: TypeId, unifying: bool) -> Conversion {
        match self.get(src) {
            Type::Set(from) => {
                let from = *from;
                self.relate(element, from, unifying)
            }
            Type::List(from) => {
                let from = *from;
                self.relate(element, from, unifying).unsafely()
            }
            Type::Tuple(parts) => {
                let parts = parts.clone();
                self.least_of(element, parts.iter().copied(), unifying).unsafely()
            }
            _ => Conversion::No,
        }
    }

    pub(crate) fn set_takes(&mut self, element: TypeId, src: TypeId) -> bool {
        let Type::Set(from) = self.get(src) else { return false };
        let from = *from;
        self.takes(element, from)
    }

    /// A set with a set or a tuple gives a set, with a list a list.
    pub(crate) fn unify_set(
        &mut self,
        a: TypeId,
        element: TypeId,
        b: TypeId,
    ) -> (TypeId, Conversion) {
        match self.get(b).clone() {
            Type::Set(other) => {
                let (element, safety) = self.unify(element, other);
                (self.set(element), safety)
            }
            Type::List(other) => {
                let (element, safety) = self.unify(element, other);
                (self.list(element), safety)
            }
            Type::Tuple(parts) => {
                let (element, safety) = self.unify_onto(element, &parts);
                (self.set(element), safety.unsafely())
            }
            _ => (a, self.convert(a, b)),
        }
    }
}
