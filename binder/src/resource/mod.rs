//! What resources, reads and components have in common: inputs, options, `range`.

pub(crate) mod discriminated;
pub(crate) mod inputs;
pub(crate) mod options;
pub(crate) mod range;
