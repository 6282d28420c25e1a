//! `list(T)`: from lists, sets and tuples.
//!
//! The rules, with examples: `tests/spec/types/list.md`.

use super::super::{Type, TypeId, TypeStore};
use crate::relations::{Conversion, Key, TraverseErrorKind, Traversed};

impl TypeStore {
    /// A list of `element`.
    pub fn list(&mut self, element: TypeId) -> TypeId {
        self.intern(Type::List(element))
    }

    pub(crate) fn list_from(&mut self, element: TypeId, src: TypeId, unifying: bool) -> Conversion {
        match self.get(src) {
            Type::List(from) | Type::Set(from) => {
                let from = *from;
                self.relate(element, from, unifying)
            }
            Type::Tuple(parts) => {
                let parts = parts.clone();
                self.least_of(element, parts.iter().copied(), unifying)
            }
            _ => Conversion::No,
        }
    }

    pub(crate) fn list_takes(&mut self, element: TypeId, src: TypeId) -> bool {
        match self.get(src) {
            Type::List(from) => {
                let from = *from;
                self.takes(element, from)
            }
            Type::Tuple(parts) => {
                let parts = parts.clone();
                parts.iter().all(|part| self.takes(element, *part))
            }
            _ => false,
        }
    }

    /// A list with a list, a set or a tuple: the list of the unified elements.
    pub(crate) fn unify_list(
        &mut self,
        a: TypeId,
        element: TypeId,
        b: TypeId,
    ) -> (TypeId, Conversion) {
        let (element, safety) = match self.get(b).clone() {
            Type::List(other) | Type::Set(other) => self.unify(element, other),
            Type::Tuple(parts) => self.unify_onto(element, &parts),
            _ => return (a, self.convert(a, b)),
        };
        (self.list(element), safety)
    }

    /// Any key that converts to a number selects an element; a wrong key is reported and selects
    /// one all the same.
    pub(crate) fn traverse_list(&mut self, element: TypeId, key: &Key) -> Traversed {
        if self.converts_to_input(TypeId::NUMBER, key.ty()) {
            Traversed::to(element)
        } else {
            Traversed::to(element).error(TraverseErrorKind::ListIndex { key: key.ty() })
        }
    }
}
