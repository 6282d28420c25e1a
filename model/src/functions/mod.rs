//! Functions: the parameters and results of calls.
//!
//! A [`Callable`] computes its [`Signature`] once per call, after the arguments are bound, since
//! most functions of the language are generic: `element` returns an element of its list. The
//! functions of the language are rows of [`pcl_language::Function`]; the binder supplies `invoke`
//! and `call`, which need package schemas.

mod builtin;
pub(crate) mod function;
mod library;
pub(crate) mod signature;

pub use self::builtin::{pretty, returns, usage};
pub use self::function::{Argument, Arguments, CallContext, CallSite, Callable};
pub use self::library::Library;
pub use self::signature::{Parameter, Signature};
