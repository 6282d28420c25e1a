//! Secrets against recorded answers, and their laws.

mod laws;
mod vectors;
