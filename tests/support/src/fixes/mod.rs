//! What a fix promises, and the programs that fixes change.

mod law;
mod program;

pub use law::keeps;
pub use program::Program;
