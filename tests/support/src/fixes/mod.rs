//! The promises of a fix, and the programs that fixes change.

mod law;
mod program;
mod settles;

pub use law::keeps;
pub use program::Program;
pub use settles::settles;
