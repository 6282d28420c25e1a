//! The keys of traversals.

use crate::types::id::TypeId;
use crate::types::symbol::Symbol;
use crate::value::Constant;

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

/// The type of a key and, when known, its value.
pub(crate) struct KeyInfo<'k> {
    pub(crate) ty: TypeId,
    pub(crate) value: KeyValue<'k>,
}

impl KeyInfo<'_> {
    /// The key as it was given.
    pub(crate) fn to_key(&self) -> Key {
        match self.value {
            KeyValue::Unknown => Key::Unknown(self.ty),
            KeyValue::Name(name) => Key::Name(name),
            KeyValue::Constant(value) => Key::Constant(value.clone()),
        }
    }
}

/// The knowledge about the value of a key.
#[derive(Clone, Copy)]
pub(crate) enum KeyValue<'k> {
    /// Nothing.
    Unknown,
    /// It is this text.
    Name(Symbol),
    /// This constant, which is not a string.
    Constant(&'k Constant),
}
