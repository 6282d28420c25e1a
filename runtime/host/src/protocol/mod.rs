//! The messages of Pulumi's protocols, as far as a language host needs them. Names and numbers of
//! fields are those of the files with the same names in Pulumi's `proto` directory.
//!
//! A `google.protobuf.Struct` is kept as its bytes, which [`crate::fields`] reads and writes: that
//! costs no copy, and values may nest as deeply as Pulumi allows.

pub(crate) mod language;
pub(crate) mod provider;
pub(crate) mod resource;
