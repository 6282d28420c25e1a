//! Nodes: what the evaluation of each kind of declaration does.
//!
//! The rules, with examples: `tests/spec/run/node.md`.

mod answered;
mod component;
pub(crate) mod config;
mod deferred;
mod hook;
mod instances;
mod options;
pub(crate) mod read;
pub(crate) mod resource;
pub(crate) mod variables;

pub(crate) use component::{Component, declares, input};
pub(crate) use hook::register_hook;
pub(crate) use instances::{Instance, Instances, collect, instances};
pub(crate) use options::{Options, evaluate_options, hidden};
