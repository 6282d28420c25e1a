//! The wording of the binder's diagnostics: one file per area, one function per message.
//!
//! A rule knows what is wrong, and where; the function of the message says it. Functions named
//! `with_...` add a help, a label or a fix that depends on more of the program.

pub(crate) mod well_known;
