//! The wording of the crate: the messages and help of all diagnostics, and the error types.
//!
//! One file per area, one function per message. A function takes the span and the values that the
//! message names; rules contain no prose.

pub(crate) mod constant;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod header;
pub(crate) mod member;
pub(crate) mod property;
pub(crate) mod reference;
pub(crate) mod token;
pub(crate) mod type_spec;
pub(crate) mod yaml;

/// The end of a message about an unknown name, with the name that is probably meant.
fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"))
}
