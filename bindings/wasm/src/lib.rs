//! The front end of PCL for JavaScript: the same answers as those of the command, in a browser or
//! in Node.js.
//!
//! [`Workspace`] holds programs as texts by path, and package schemas; nothing is read from a disk
//! or a network. Its methods return plain JavaScript objects, whose types are declared for
//! TypeScript. Those that the command prints as well, such as the result of `check`, are the same
//! JSON. Places of editors are offsets in UTF-16 code units from the start of a file, as JavaScript
//! counts.
//!
//! Invariants:
//! - The answers are those of `pcl-embedded`, which knows no JavaScript.
//! - What a caller does wrong is an exception with a message. A trap of the module is a bug, after
//!   which the instance must not be used any more.
//!
//! `bindings/wasm/README.md` shows the package in use; `bindings/npm` builds it, and tests it in
//! Node.js.
//!
//! ```
//! assert_eq!(pcl_wasm::format("size=[1,2]\n").ok().unwrap(), "size = [1, 2]\n");
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod declarations;
mod workspace;

pub use workspace::{Workspace, explain, format, version};
