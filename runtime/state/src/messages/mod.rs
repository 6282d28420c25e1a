//! The wording of the crate: one file per area, one function per message.

pub(crate) mod document;
pub(crate) mod integrity;
pub(crate) mod value;
