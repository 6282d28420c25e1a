//! The data of a type: its kind and its parts.

use std::sync::Arc;

use super::id::{NominalId, Symbol, TypeId};
use super::parts::Parts;
use crate::value::Constant;

/// The properties of an object, sorted by name.
pub type Properties = Parts<(Symbol, TypeId)>;

/// The kind and parts of a type. Cloning is cheap: the parts are shared.
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
    /// The type of an expression that failed to bind; see [`TypeId::ERROR`].
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
    /// Named properties, sorted by name. See
    /// [`TypeStore::properties`](super::TypeStore::properties), which also answers for nominal
    /// types.
    Object(Properties),
    /// One of several types. In no particular order; see
    /// [`TypeStore::members`](super::TypeStore::members).
    Union(Parts<TypeId>),
    /// A value known once resources exist. Its element holds no output and no promise.
    Output(TypeId),
    /// A value known later. Its element holds no promise.
    Promise(TypeId),
    /// An object type that a schema names.
    Nominal(NominalId),
}

/// The parts of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enumeration {
    /// The name that the enum is known by.
    pub token: Symbol,
    /// The type of the values.
    pub underlying: TypeId,
    /// The values in the order of the schema.
    pub values: Box<[Constant]>,
}
