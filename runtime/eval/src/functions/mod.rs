//! The functions of the language at run time.
//!
//! The rules, with examples: `tests/spec/run/functions.md`.

mod assets;
mod attempts;
pub(crate) mod call;
mod collections;
mod encoding;
mod files;
mod json;
mod numbers;
mod outputs;
mod program;
mod reading;
mod site;
mod strings;
mod table;
