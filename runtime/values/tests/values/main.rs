//! Values against recorded answers, and their laws.

mod contents;
mod laws;
mod path_vectors;
mod urn_vectors;
mod vectors;
mod wire_vectors;
