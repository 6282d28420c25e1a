//! Programs as Python, run under the mocks of Pulumi's SDK.
//!
//! `PCL_PYTHON` is an interpreter that has the package `pulumi`, and `PCL_SDK_GENERATOR` the
//! command of `tests/engine/sdk`, which makes the SDKs of packages; without them, the tests are
//! skipped.

mod corpus;
mod language;
mod mixed;
mod pages;
