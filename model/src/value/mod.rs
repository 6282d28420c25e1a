//! Values that the type system knows: exact numbers, and the constants that literals and schemas
//! carry.

mod constant;
mod number;

pub use constant::Constant;
pub(crate) use constant::quote;
pub use number::Number;
