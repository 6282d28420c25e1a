//! Types: what kinds there are, and the store in which every type of one program lives once.
//!
//! - A [`TypeId`] is a small number; two anonymous types are equal exactly when their ids are.
//! - An anonymous type is a finite tree. Schema objects are *nominal*: a leaf with a key, whose properties are made on
//!   the first question about them. Recursion therefore always passes through a nominal type.
//! - Union members have no order for identity. Whatever can be observed shows them in *display order*: by rendered text.

mod display;
mod facts;
mod kind;
mod nominal;
mod order;
mod parse;
mod parts;
mod pretty;
mod store;
mod symbol;
mod table;

pub use kind::enumeration::Enumeration;
pub use nominal::{Materialize, NominalId, NominalKey, ObjectDefinition};
pub use parse::{TypeTextError, parse_type, parse_type_with};
pub use parts::{Iter, Parts};
pub use store::TypeStore;
pub use symbol::Symbol;

pub(crate) use facts::Facts;
pub(crate) use nominal::Derivation;
pub(crate) use parts::Branch;

use std::sync::Arc;

use crate::value::Constant;

/// The properties of an object, sorted by name.
pub type Properties = Parts<(Symbol, TypeId)>;

/// A type of one [`TypeStore`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);

impl TypeId {
    /// The type of null.
    pub const NONE: Self = Self(0);
    /// Booleans.
    pub const BOOL: Self = Self(1);
    /// Whole numbers.
    pub const INT: Self = Self(2);
    /// Numbers.
    pub const NUMBER: Self = Self(3);
    /// Strings.
    pub const STRING: Self = Self(4);
    /// Resource ids: apart from strings, but convertible both ways.
    pub const ID: Self = Self(5);
    /// Any value.
    pub const DYNAMIC: Self = Self(6);
    /// The type of what failed to bind. It converts from and to everything, traverses to itself and absorbs what it is
    /// united or wrapped with, so that one mistake is reported once.
    pub const ERROR: Self = Self(7);
    /// Files and texts as resource inputs.
    pub const ASSET: Self = Self(8);
    /// Collections of assets.
    pub const ARCHIVE: Self = Self(9);
    /// A reference to a property of a resource.
    pub const PROPERTY: Self = Self(10);

    /// How many types have a fixed id.
    pub(crate) const FIXED: u32 = 11;

    pub(crate) fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 types"))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn raw(self) -> u32 {
        self.0
    }
}

impl std::fmt::Debug for TypeId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "TypeId({})", self.0)
    }
}

/// What a type is. Cloning is cheap: the parts are shared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// The type of null.
    None,
    /// Booleans.
    Bool,
    /// Whole numbers.
    Int,
    /// Numbers.
    Number,
    /// Strings.
    String,
    /// Resource ids.
    Id,
    /// Any value.
    Dynamic,
    /// What failed to bind; see [`TypeId::ERROR`].
    Error,
    /// A type known by its name alone: `Asset`, `Archive`, `Property`, a schema's token types.
    Opaque(Symbol),
    /// One single value.
    Const {
        /// The type of the value.
        underlying: TypeId,
        /// The value.
        value: Constant,
    },
    /// One of a few values, known by a token.
    Enum(Arc<Enumeration>),
    /// Ordered elements of one type.
    List(TypeId),
    /// Unordered, distinct elements of one type.
    Set(TypeId),
    /// Values of one type under any keys.
    Map(TypeId),
    /// A fixed number of elements.
    Tuple(Arc<[TypeId]>),
    /// Named properties, sorted by name. See [`TypeStore::properties`], which also answers for nominal types.
    Object(Properties),
    /// One of several types. In no particular order; see [`TypeStore::members`].
    Union(Parts<TypeId>),
    /// A value known once resources exist. Its element holds no output and no promise.
    Output(TypeId),
    /// A value known later. Its element holds no promise.
    Promise(TypeId),
    /// An object type that a schema names.
    Nominal(NominalId),
}
