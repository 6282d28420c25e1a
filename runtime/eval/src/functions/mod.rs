//! The functions of the language at run time.
//!
//! The rules, with examples: `tests/spec/run/functions.md`.

mod assets;
mod attempts;
mod call;
mod collections;
mod encoding;
mod exists;
mod files;
mod json;
mod numbers;
mod outputs;
mod site;
mod strings;
mod table;

pub(crate) use call::call;
