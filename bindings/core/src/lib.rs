//! Programs of PCL in memory, for hosts of WebAssembly modules.
//!
//! [`Programs`](programs::Programs) has programs as texts by path, and answers questions about
//! them; [`Schemas`](schemas::Schemas) has the schemas that a host hands in, or supplies when it is
//! asked. Nothing is read from a disk or a network. `pcl-wasm` gives both to JavaScript, and
//! `pcl-plain` to other hosts, by bytes in the memory of the module.
//!
//! Invariants:
//! - Every answer is about the texts as they are: an edit forgets the programs that have the file.
//! - Nothing here knows the language of the host.
//!
//! ```
//! use pcl_embedded::programs::Programs;
//!
//! let mut programs = Programs::default();
//! programs.set_file("main.pp", "size = lenght([1, 2])\n");
//! let found = programs.diagnostics("main.pp").unwrap();
//! assert_eq!((found[0].place.from, found[0].place.to), (7, 13));
//! assert_eq!(found[0].code, "PCL0601");
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

pub mod programs;
pub mod schemas;
