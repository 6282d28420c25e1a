//! The schemas of a run: the inputs that requests carry, and the outputs that answers lack.

pub(crate) mod facts;
pub(crate) mod inputs;
pub(crate) mod outputs;
mod replaced;

pub(crate) use facts::Facts;
