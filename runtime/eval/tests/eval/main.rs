//! Tests of the evaluator.

mod environment;
mod eval_vectors;
