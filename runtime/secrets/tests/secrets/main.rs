//! Settings and secrets against recorded answers, and their laws.

mod laws;
mod settings;
mod vectors;
