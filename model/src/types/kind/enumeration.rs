//! Enums: a few values of one underlying type, known by a token.
//!
//! Equality is by token alone. Nothing but `dynamic` and the enum itself takes an enum; an enum
//! takes a constant that is one of its values, and whatever else its underlying type takes,
//! unsafely. Traversal yields the enum again.
//!
//! The rules, with examples: `tests/spec/types/enumeration.md`.

use std::sync::Arc;

use super::super::{Enumeration, Facts, Type, TypeId, TypeStore};
use crate::relations::Conversion;
use crate::value::Constant;

/// Up to this many values are searched one by one.
const SCAN: usize = 16;

impl TypeStore {
    /// The enum called `token`. The first definition of a token is kept.
    pub fn enumeration(&mut self, token: &str, underlying: TypeId, values: &[Constant]) -> TypeId {
        let token = self.symbol(token);
        if let Some(known) = self.enums.get(&token) {
            return *known;
        }
        let ty = Type::Enum(Arc::new(Enumeration { token, underlying, values: values.into() }));
        let id = self.push(ty, Facts::leaf(Facts::LITERAL | Facts::CHOOSY | Facts::OTHER));
        self.enums.insert(token, id);
        id
    }

    /// Returns whether `value` is one of the values of the enum or constant `ty`.
    pub fn lists(&mut self, ty: TypeId, value: &Constant) -> bool {
        match self.get(ty) {
            Type::Const { value: only, .. } => only == value,
            Type::Enum(enumeration) if enumeration.values.len() <= SCAN => {
                enumeration.values.contains(value)
            }
            Type::Enum(enumeration) => {
                let enumeration = Arc::clone(enumeration);
                let values = self.enum_values.entry(ty).or_insert_with(|| {
                    let values = enumeration.values.iter().cloned();
                    values.collect()
                });
                values.contains(value)
            }
            _ => false,
        }
    }

    /// A constant that is one of the values converts safely, and any other one does not convert.
    pub(crate) fn enum_from(
        &mut self,
        dst: TypeId,
        underlying: TypeId,
        src: TypeId,
        unifying: bool,
    ) -> Conversion {
        if let Type::Const { value, .. } = self.get(src) {
            let value = value.clone();
            return if self.lists(dst, &value) { Conversion::Safe } else { Conversion::No };
        }
        self.relate(underlying, src, unifying).unsafely()
    }
}
