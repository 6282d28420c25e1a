//! Nodes: what the evaluation of each kind of declaration does.
//!
//! The rules, with examples: `tests/spec/run/node.md`.

pub(crate) mod config;
mod hook;
mod instances;
mod options;
pub(crate) mod read;
pub(crate) mod resource;
pub(crate) mod variables;

pub(crate) use hook::register_hook;
pub(crate) use instances::{Instance, collect, instances};
pub(crate) use options::{Options, evaluate_options};
