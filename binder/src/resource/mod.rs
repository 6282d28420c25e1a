//! The parts that resources, reads and components share: token, inputs, options, `range`.

pub(crate) mod bind;
pub(crate) mod discriminated;
pub(crate) mod inputs;
pub(crate) mod known;
pub(crate) mod options;
pub(crate) mod range;
pub(crate) mod resolve;
