//! Functions: the parameters and results of calls.
//!
//! A [`Function`] computes its [`Signature`] once per call, after the arguments are bound, since
//! most functions of the language are generic: `element` returns an element of its list. The
//! functions of the language are rows of the tables in [`builtin`]; `invoke` and `call`, which need
//! package schemas, are supplied by the binder.

pub mod builtin;
pub(crate) mod function;
mod library;
pub(crate) mod signature;

pub use self::builtin::{Area, Builtin, all_areas};
pub use self::function::{Argument, Arguments, CallContext, CallSite, Function, Library};
pub use self::signature::{Parameter, Signature};
