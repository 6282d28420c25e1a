//! Lowering: passes that rewrite a bound program into what code generators write down.

mod apply;
mod convert;
mod deferred;
mod guard;
mod invokes;
mod program;
mod properties;
mod walk;

pub use self::program::{
    applies, conversions, deferred_outputs, invokes, optional_guards, property_references,
};

/// The passes over single expressions, for values that are part of no program.
pub mod expression {
    pub use crate::apply::{Applies, applies};
    pub use crate::convert::{conversion_target, conversions};
    pub use crate::guard::optional_guards;
    pub use crate::invokes::invokes;
    pub use crate::properties::property_references;
}
