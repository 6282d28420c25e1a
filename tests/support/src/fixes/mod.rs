//! The promises of a fix, the programs that fixes change, and mutants of them.

mod hidden;
mod law;
mod mutants;
mod positions;
mod program;
mod sets;
mod settles;

pub use law::keeps;
pub use mutants::mutate;
pub use program::{Original, Program};
pub use sets::Set;
pub use settles::settles;
