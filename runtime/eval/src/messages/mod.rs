//! The wording of every diagnostic of a run. Nothing that is secret is ever part of one.

pub(crate) mod access;
pub(crate) mod config;
pub(crate) mod engine;
pub(crate) mod functions;
pub(crate) mod hooks;
pub(crate) mod loops;
pub(crate) mod operands;
pub(crate) mod options;
mod shown;
