//! The facts about PCL, the Pulumi Configuration Language: one row for each function, each option,
//! each block.
//!
//! Whoever treats such a thing in its own way matches on its `enum` without a wildcard: the
//! compiler then lists all places that a new one needs.
//!
//! ```
//! use pcl_language::{Function, Release, construct};
//! let function = Function::parse("recover").unwrap();
//! assert_eq!(function, Function::Recover);
//! assert_eq!(function.row().construct.since, Release::new(3, 252, 0));
//! assert_eq!(construct("function.recover"), Some(&function.row().construct));
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

/// A table whose rows are the variants of an enum: the variant, its name, and its meaning; in the
/// tables that have a type for their rows, also what a row says besides.
macro_rules! table {
    ($(#[$about:meta])* $set:ident {$($variant:ident $name:literal $says:literal;)*}) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $set {
            $(#[doc = concat!("`", $name, "`: ", $says, ".")] $variant,)*
        }

        impl $set {
            /// Every one of them, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The one of that name.
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
    ($(#[$about:meta])* $set:ident: $row:ident, $kind:literal {
        $($variant:ident $name:literal $says:literal
            $facts:tt $(.$then:ident($value:expr))?;)*
    }) => {
        table! { $(#[$about])* $set {$($variant $name $says;)*} }

        impl $set {
            /// All that is to say about it.
            pub const fn row(self) -> &'static $row {
                match self {
                    $(Self::$variant => &const {
                        $row::new($name, concat!($kind, $name), $says, $facts)$(.$then($value))?
                    },)*
                }
            }
        }
    };
}

mod block;
mod construct;
mod constructs;
mod function;
mod hook_moment;
mod option;

pub use self::block::{
    AttributeRule, BLOCKS, BlockRule, COMPONENT, CONFIG, HOOK, HOOK_KINDS, NodeKind, OPTIONS,
    OUTPUT, Others, PACKAGE, PARAMETERIZATION, PULUMI, READ, RESOURCE, Takes, rule, rule_of,
};
pub use self::construct::{Construct, Release};
pub use self::constructs::{construct, constructs};
pub use self::function::{
    Area, CallForm, CallRule, Function, FunctionRow, StaticType, TypeFunction, function, functions,
};
pub use self::hook_moment::HookMoment;
pub use self::option::{OptionRow, ResourceOption};
