//! The front end of PCL for Python: the native part of the package `pcl`.
//!
//! The classes and functions here take and return plain data, JSON for the most part, in the
//! formats of the command. The package in `python/pcl` makes typed objects of it and is what people
//! use; `README.md` shows it.
//!
//! Invariants:
//! - Python runs on while a program is checked: the interpreter is only held to convert arguments
//!   and results, and to call the loader of the caller.
//! - What a caller does wrong is an exception of the package. An exception in a loader ends the
//!   call that asked for the schema, and is passed on.

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

mod checked;
mod document;
mod names;
mod run;
mod schemas;
mod settings;
mod workspace;

use pyo3::prelude::*;

/// The native part of the package `pcl`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::checked::{Checked, render};
    #[pymodule_export]
    use super::document::Document;
    #[pymodule_export]
    use super::names::{Names, camel_case, pascal_case, snake_case};
    #[pymodule_export]
    use super::workspace::{Workspace, explain, find_programs, format_text, write};

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
