//! The wording of the binder's diagnostics: one file per area, one function per message.
//!
//! A rule knows what is wrong, and where; the function of the message says it. Functions named
//! `with_...` add a help, a label or a fix that depends on more of the program.

pub(crate) mod body;
pub(crate) mod call;
pub(crate) mod component;
pub(crate) mod cycle;
pub(crate) mod declare;
pub(crate) mod discriminated;
pub(crate) mod displaced;
pub(crate) mod edition;
pub(crate) mod edition_words;
pub(crate) mod habits;
pub(crate) mod hook;
pub(crate) mod inputs;
pub(crate) mod invoke;
pub(crate) mod labels;
pub(crate) mod lint;
pub(crate) mod literal;
pub(crate) mod names;
pub(crate) mod nested;
pub(crate) mod options;
pub(crate) mod output;
pub(crate) mod package;
pub(crate) mod range;
pub(crate) mod schema;
pub(crate) mod settings;
pub(crate) mod snippet;
pub(crate) mod source;
pub(crate) mod suppression;
pub(crate) mod token;
pub(crate) mod type_label;
pub(crate) mod well_known;
pub(crate) mod written_values;
