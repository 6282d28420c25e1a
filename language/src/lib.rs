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
