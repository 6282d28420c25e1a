//! Parser, type checker and binder for PCL.

pub mod render;
