//! Tests of the evaluator.

mod constants;
mod construct;
mod environment;
mod eval_vectors;
mod laws;
mod mutual;
mod planted_secrets;
mod question;
mod registration_vectors;
mod requests;
