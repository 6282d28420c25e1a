//! `promise(T)`: a value known later, but without waiting for resources.
//!
//! A promise absorbs promises; outputs inside it stay. It takes what its element takes, but no
//! output.
//!
//! The rules, with examples: `tests/spec/types/promise.md`.

use super::super::{Type, TypeId, TypeStore};
use crate::relations::Conversion;

impl TypeStore {
    /// A promise of `element`, from which promises are removed first.
    pub fn promise(&mut self, element: TypeId) -> TypeId {
        match self.resolve_promises(element) {
            TypeId::ERROR => TypeId::ERROR,
            resolved => self.intern(Type::Promise(resolved)),
        }
    }

    pub(crate) fn promise_from(
        &mut self,
        element: TypeId,
        src: TypeId,
        unifying: bool,
    ) -> Conversion {
        match *self.get(src) {
            Type::Output(_) => Conversion::No,
            Type::Promise(from) => self.relate(element, from, unifying),
            _ => self.relate(element, src, unifying),
        }
    }

    pub(crate) fn promise_takes(&mut self, element: TypeId, src: TypeId) -> bool {
        match *self.get(src) {
            Type::Promise(from) => self.takes(element, from),
            _ => self.takes(element, src),
        }
    }

    /// A promise with a promise gives a promise, with an output an output.
    pub(crate) fn unify_promise(
        &mut self,
        a: TypeId,
        element: TypeId,
        b: TypeId,
    ) -> (TypeId, Conversion) {
        match *self.get(b) {
            Type::Promise(other) => {
                let (element, safety) = self.unify(element, other);
                (self.promise(element), safety)
            }
            Type::Output(other) => {
                let (element, safety) = self.unify(element, other);
                (self.output(element), safety)
            }
            _ => (a, self.convert(a, b)),
        }
    }
}
