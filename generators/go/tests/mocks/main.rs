//! Programs as Go, run next to an engine that answers like the recorded one.
//!
//! `PCL_SDK_GENERATOR` is the command of `tests/engine/sdk`, which makes the SDKs of packages, and
//! `PCL_GO_MODULE` a directory with a `go.mod` that has Pulumi's SDK; without them, the tests are
//! skipped. `PCL_STATICCHECK` may name the command, which then sees the programs. Go finds what the
//! SDK needs in its cache, or fetches it.

mod corpus;
mod language;
