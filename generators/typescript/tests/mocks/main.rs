//! Programs as TypeScript, compiled and run under the mocks of `@pulumi/pulumi`.
//!
//! Node.js and npm are needed. The packages are installed once, below the target directory; where
//! that is impossible, the tests are skipped, or fail when `PCL_REQUIRE_MOCKS` is 1.

mod corpus;
mod installed;
mod mixed;
mod pages;
mod programs;
mod recorded;
