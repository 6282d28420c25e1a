//! `map(T)`: from maps and objects.
//!
//! The rules, with examples: `tests/spec/types/map.md`.

use super::super::{Type, TypeId, TypeStore};
use crate::relations::{Conversion, Key, Level, TraverseErrorKind, Traversed};

impl TypeStore {
    /// A map to `element`.
    pub fn map(&mut self, element: TypeId) -> TypeId {
        self.intern(Type::Map(element))
    }

    pub(crate) fn map_from(&mut self, element: TypeId, src: TypeId, unifying: bool) -> Conversion {
        if let Type::Map(from) = self.get(src) {
            let from = *from;
            return self.relate(element, from, unifying);
        }
        let Some(properties) = self.properties(src) else { return Conversion::No };
        let Some(many) = properties.many() else {
            return self.least_of(element, properties.iter().map(|(_, ty)| *ty), unifying);
        };
        let map = self.map(element);
        [&many.left, &many.right]
            .into_iter()
            .fold(self.relate(element, many.part.1, unifying), |least, part| {
                least.min(self.relate_at(map, part.ty, unifying, Level::Same))
            })
    }

    pub(crate) fn map_takes(&mut self, element: TypeId, src: TypeId) -> bool {
        if let Type::Map(from) = self.get(src) {
            let from = *from;
            return self.takes(element, from);
        }
        match self.properties(src) {
            Some(properties) => properties.iter().all(|(_, ty)| self.takes(element, *ty)),
            None => false,
        }
    }

    /// A map with a map or an object: the map to the unified elements.
    pub(crate) fn unify_map(
        &mut self,
        a: TypeId,
        element: TypeId,
        b: TypeId,
    ) -> (TypeId, Conversion) {
        let (element, safety) = match self.get(b) {
            Type::Map(other) => {
                let other = *other;
                self.unify(element, other)
            }
            _ => match self.properties(b) {
                Some(properties) => {
                    let parts = self.property_types(&properties);
                    self.unify_onto(element, &parts)
                }
                None => return (a, self.convert(a, b)),
            },
        };
        (self.map(element), safety)
    }

    /// Any key that converts to a string selects an element; a wrong key is reported and selects
    /// one all the same.
    pub(crate) fn traverse_map(&mut self, element: TypeId, key: &Key) -> Traversed {
        if self.converts_to_input(TypeId::STRING, key.ty()) {
            Traversed::to(element)
        } else {
            Traversed::to(element).error(TraverseErrorKind::MapKey { key: key.ty() })
        }
    }
}
