//! The member of a union of objects that a value means: where the members list different texts for
//! a property, a constant there tells which.
//!
//! The rules, with examples: `tests/spec/blocks/discriminated.md`.

use rustc_hash::FxHashSet;

use crate::types::{Symbol, Type, TypeId, TypeStore};
use crate::value::Constant;

/// The objects among the members of a union that a value may mean.
pub(crate) enum Meant {
    /// Those that list its constants, or take other values as well, in the order of the union.
    Members(Vec<TypeId>),
    /// None of them lists the constant of a property.
    None {
        /// The property.
        property: Symbol,
        /// All that the members take for it.
        wanted: TypeId,
    },
}

/// The most objects that are told apart. A program may have as many wrong values as a schema has
/// members, and each looks at all members.
const MOST_OBJECTS: usize = 64;

impl TypeStore {
    /// The objects of a union that a value of type `given` may mean by its constants: all of very
    /// many.
    pub(crate) fn meant(&mut self, objects: &[TypeId], given: TypeId) -> Meant {
        let mut meant = objects.to_vec();
        // One alone is meant whatever is wrong with it.
        if meant.len() < 2 || meant.len() > MOST_OBJECTS {
            return Meant::Members(meant);
        }
        for &(property, ty) in self.properties(given).unwrap_or_default().iter() {
            let Some(value @ Constant::String(_)) = self.only_value(ty) else { continue };
            let wanted: Vec<Option<TypeId>> =
                meant.iter().map(|&object| self.property(object, property)).collect();
            let takes = |ty: Option<TypeId>| {
                let listed = ty.and_then(|ty| self.only_strings(ty));
                listed.is_none_or(|listed| listed.contains(&value))
            };
            let taking: Vec<bool> = wanted.iter().map(|&ty| takes(ty)).collect();
            if !taking.contains(&true) {
                let wanted = self.union(wanted.into_iter().flatten());
                return Meant::None { property, wanted };
            }
            let mut taking = taking.into_iter();
            meant.retain(|_| taking.next() == Some(true));
        }
        Meant::Members(meant)
    }

    /// The strings that a type consists of, in outputs or not; `None` if it takes other values too.
    pub(super) fn only_strings(&self, ty: TypeId) -> Option<FxHashSet<Constant>> {
        let parts = match self.get(ty) {
            Type::Union(parts) => parts.iter().copied().collect(),
            _ => vec![ty],
        };
        let mut values = FxHashSet::default();
        for part in parts.into_iter().filter(|&part| part != TypeId::NONE) {
            let Type::Const { value, .. } = self.get(self.strip(part)) else { return None };
            if !matches!(value, Constant::String(_)) {
                return None;
            }
            values.insert(value.clone());
        }
        (!values.is_empty()).then_some(values)
    }
}
