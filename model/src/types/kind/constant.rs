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
        let value = Constant::from(text);
        let ty = self.constant(value.clone());
        match self.get(ty) {
            Type::Const { value, .. } => (ty, value.clone()),
            _ => (ty, value),
        }
    }

    /// The type of the single value `value` of `underlying`.
    pub fn constant_of(&mut self, underlying: TypeId, value: Constant) -> TypeId {
        if underlying == TypeId::ERROR {
            return TypeId::ERROR;
        }
        let underlying = self.underlying(underlying);
        self.intern(Type::Const { underlying, value })
    }

    /// Returns whether only constants have this type: a constant, or a union of nothing else. Such
    /// an input is not missed.
    pub fn is_constant(&self, ty: TypeId) -> bool {
        !self.facts(ty).has(Facts::OTHER)
    }
}
