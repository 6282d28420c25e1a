//! The files of settings, and the configuration that they make up.

mod entry;
mod project;
mod stack;
mod value;

pub use entry::{ConfigEntry, ConfigValue};
pub use project::{Declaration, ProjectSettings};
pub use stack::StackSettings;
