//! Values that the type system knows: the constants that literals and schemas carry, and the exact
//! numbers in them.

mod constant;

pub use constant::Constant;
pub(crate) use constant::quote;
pub use pcl_number::Number;
