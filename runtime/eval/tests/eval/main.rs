//! Tests of the evaluator.

mod environment;
mod eval_vectors;
mod recorder;
mod registration_vectors;
