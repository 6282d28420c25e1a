//! Types of one single value: what literals have, and schema properties with a constant value.
//!
//! Equal when the values are equal *and* the underlying types are: the int 1 and the number 1
//! differ. A constant takes a constant of the same value alone, and any other value unsafely.
//!
//! The rules, with examples: `tests/spec/types/constant.md`.

use super::super::{Facts, Type, TypeId, TypeStore};
use crate::value::Constant;

/// The underlying type of a literal.
pub(crate) fn kind_of(value: &Constant) -> TypeId {
    match value {
        Constant::Null => TypeId::NONE,
        Constant::Bool(_) => TypeId::BOOL,
        Constant::Number(number) if number.is_integral() => TypeId::INT,
        Constant::Number(_) => TypeId::NUMBER,
        Constant::String(_) => TypeId::STRING,
    }
}

impl TypeStore {
    /// The type of a literal: its value, with the underlying type that literals of the kind have. A
    /// whole number of any size is an int.
    pub fn constant(&mut self, value: Constant) -> TypeId {
        self.constant_of(kind_of(&value), value)
    }

    /// As [`TypeStore::constant`], of a string; with its text as it is shared by all that is equal.
    pub(crate) fn string_constant(&mut self, text: &str) -> (TypeId, Constant) {
        let name = self.symbol(text);
        let value = Constant::String(self.shared_name(name));
        if let Some(&Some(known)) = self.string_constants.get(name.index()) {
            return (known, value);
        }
        let ty = Type::Const { underlying: TypeId::STRING, value: value.clone() };
        let facts = self.facts_of(&ty);
        let ty = self.push(ty, facts);
        if self.string_constants.len() <= name.index() {
            self.string_constants.resize(name.index() + 1, None);
        }
        if let Some(place) = self.string_constants.get_mut(name.index()) {
            *place = Some(ty);
        }
        (ty, value)
    }

    /// The type of the single value `value` of `underlying`.
    pub fn constant_of(&mut self, underlying: TypeId, value: Constant) -> TypeId {
        if underlying == TypeId::ERROR {
            return TypeId::ERROR;
        }
        match (self.underlying(underlying), value) {
            (TypeId::STRING, Constant::String(text)) => self.string_constant(&text).0,
            (underlying, value) => self.intern(Type::Const { underlying, value }),
        }
    }

    /// Returns whether only constants have this type: a constant, or a union of nothing else. Such
    /// an input is not missed.
    pub fn is_constant(&self, ty: TypeId) -> bool {
        !self.facts(ty).has(Facts::OTHER)
    }
}
