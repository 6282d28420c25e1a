//! Types, relations between types, and typed expressions of PCL.
//!
//! - [`types`]: the kinds of types. Every type of a program is stored once in its [`TypeStore`] and
//!   identified by a [`TypeId`].
//! - [`relations`]: queries about types, as methods of the store.
//! - [`value`]: exact numbers and other constants.
//! - [`scope`]: the meaning of names.
//! - [`functions`]: the functions of the language.
//! - [`expression`]: typed expressions, and the checker that creates them from syntax.
//!
//! Laws:
//!
//! - Queries never panic, for any types, and their answers do not depend on the order in which they
//!   are made.
//! - No visible result depends on the order of hash tables or of type creation: union members are
//!   sorted by their text, properties by name.
//! - [`TypeId::ERROR`] silences: it converts from and to everything, and nothing reached from it is
//!   an error.
//!
//! ```
//! use pcl_model::{Conversion, Key, TypeId, TypeStore};
//!
//! let mut types = TypeStore::new();
//! let (name, port) = (types.symbol("name"), types.symbol("port"));
//! let wanted_port = types.optional(TypeId::INT);
//! let wanted = types.object([(name, TypeId::STRING), (port, wanted_port)]);
//! assert_eq!(types.pretty(wanted), "{ name: string, port: int? }");
//!
//! // What was written converts, property by property; inputs may be outputs as well.
//! let known_later = types.output(TypeId::STRING);
//! let given = types.object([(name, known_later)]);
//! assert_eq!(types.convert(wanted, given), Conversion::No);
//! let input = types.input_type(wanted);
//! assert_eq!(types.convert(input, given), Conversion::Safe);
//! let reason = types.explain(wanted, given).unwrap();
//! assert_eq!(types.reason_lines(&reason), ["`name` must be a plain string, found an output"]);
//!
//! // Traversals go through outputs and options.
//! let resource = types.output(wanted);
//! let reached = types.traverse(resource, &Key::Name(port));
//! assert_eq!(types.pretty(reached.ty), "output(int?)");
//! assert!(reached.errors.is_empty());
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod expression;
pub mod functions;
mod other_languages;
pub mod relations;
pub mod scope;
pub mod types;
pub mod value;
mod wording;

pub use relations::{
    Cause, Collection, Conversion, Key, PathStep, Reason, Shape, ShapeFunction, TraverseError,
    TraverseErrorKind, Traversed, UnionRule,
};
pub use types::{
    Enumeration, Materialize, NominalKey, ObjectDefinition, Properties, Symbol, Type, TypeId,
    TypeStore,
};
pub use value::{Constant, Number};
