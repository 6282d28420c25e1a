//! Collections: what there is to iterate over and to index, also behind outputs, promises and
//! options.
//!
//! The rules, with examples: `tests/spec/expressions/for_expr.md`.

use crate::types::{Type, TypeId, TypeStore};

/// The parts of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collection {
    /// The type of its keys.
    pub key: TypeId,
    /// The type of its values.
    pub value: TypeId,
    /// The stripped type, when values of it cannot be iterated over. Keys and values are then
    /// dynamic.
    pub unsupported: Option<TypeId>,
}

impl TypeStore {
    /// The keys and values of a collection of type `ty`.
    pub fn collection(&mut self, ty: TypeId) -> Collection {
        let stripped = self.strip(ty);
        let (key, value) = match self.get(stripped).clone() {
            Type::Dynamic | Type::Error => (stripped, stripped),
            Type::List(element) => (TypeId::INT, element),
            Type::Map(element) => (TypeId::STRING, element),
            Type::Tuple(elements) => (TypeId::INT, self.unify_safely(&elements)),
            Type::Object(_) | Type::Nominal(_) => {
                let properties = self.properties(stripped).unwrap_or_default();
                let values: Vec<_> = properties.iter().map(|(_, ty)| *ty).collect();
                (TypeId::STRING, self.unify_safely(&values))
            }
            _ => {
                return Collection {
                    key: TypeId::DYNAMIC,
                    value: TypeId::DYNAMIC,
                    unsupported: Some(stripped),
                };
            }
        };
        Collection {
            key,
            value,
            unsupported: None,
        }
    }

    /// The type that is left of `ty` without the outputs, promises and options around it. An option
    /// is a union of none and one other type; larger unions stay.
    pub fn strip(&self, mut ty: TypeId) -> TypeId {
        loop {
            ty = match *self.get(ty) {
                Type::Output(element) | Type::Promise(element) => element,
                _ => match self.without_none(ty) {
                    Some(other) => other,
                    None => return ty,
                },
            };
        }
    }

    /// `ty` inside the outputs and promises that `source` is made of. Options are not put back.
    pub fn rewrap(&mut self, mut source: TypeId, mut ty: TypeId) -> TypeId {
        loop {
            (source, ty) = match *self.get(source) {
                Type::Output(element) => (element, self.output(ty)),
                Type::Promise(element) => (element, self.promise(ty)),
                _ => return ty,
            };
        }
    }
}
