//! The keys of traversals, and the answers about conversions.

use crate::types::id::{Symbol, TypeId};
use crate::value::Constant;

/// The degree to which values of one type convert to another. Ordered: `No < Unsafe < Safe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Conversion {
    /// No value converts.
    No,
    /// Some values may convert.
    Unsafe,
    /// Every value converts.
    Safe,
}

impl Conversion {
    /// Returns whether there is a conversion at all.
    pub fn exists(self) -> bool {
        self != Self::No
    }

    /// At best [`Conversion::Unsafe`].
    pub(crate) fn unsafely(self) -> Self {
        self.min(Self::Unsafe)
    }
}

/// The key of a traversal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// `.name`
    Name(Symbol),
    /// `[literal]` or `.0`
    Constant(Constant),
    /// A key of this type whose value is not known.
    Unknown(TypeId),
}

impl Key {
    /// The type of the key.
    pub(crate) fn ty(&self) -> TypeId {
        match self {
            Self::Name(_) => TypeId::STRING,
            Self::Constant(Constant::Bool(_)) => TypeId::BOOL,
            Self::Constant(Constant::Number(_)) => TypeId::NUMBER,
            Self::Constant(Constant::Null | Constant::String(_)) => TypeId::DYNAMIC,
            Self::Unknown(ty) => *ty,
        }
    }
}
