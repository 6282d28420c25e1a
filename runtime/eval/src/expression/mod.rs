//! Expressions: from operands that have values to the value of the whole.
//!
//! The operators work on finished values; [`evaluate`] decides which operands are evaluated.
//!
//! The rules, with examples: `tests/spec/run/expression.md`.

pub(crate) mod convert;
pub(crate) mod evaluate;
mod loops;
mod operators;
pub(crate) mod steps;
