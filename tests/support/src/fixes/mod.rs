//! The promises of a fix, the programs that fixes change, and mutants of them.

mod hidden;
mod law;
mod mutants;
mod positions;
mod program;
mod settles;

pub use law::keeps;
pub use mutants::mutate;
pub use program::{Original, Program};
pub use settles::settles;
