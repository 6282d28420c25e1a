//! Types: what kinds there are, and the store in which every type of one program lives once.
//!
//! - A [`TypeId`] is a small number; two anonymous types are equal exactly when their ids are.
//! - An anonymous type is a finite tree. Schema objects are *nominal*: a leaf with a key, whose
//!   properties are made on the first question about them. Recursion therefore always passes
//!   through a nominal type.
//! - Union members have no order for identity. Whatever can be observed shows them in their
//!   structural order.

mod compare;
mod display;
pub(crate) mod id;
mod kind;
mod nominal;
mod parts;
mod print;
mod store;
mod ty;
mod widen;

pub use id::{NominalId, Symbol, TypeId};
pub use nominal::{Materialize, NominalKey, ObjectDefinition};
pub use parts::{Iter, Parts};
pub use store::TypeStore;
pub use ty::{Enumeration, Properties, Type};

pub(crate) use nominal::Derivation;
pub(crate) use parts::{Branch, FEW};
pub(crate) use store::Facts;
