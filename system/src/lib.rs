//! Files, paths, programs and signals: the one place where `pcl` reads and writes files.
//!
//! Laws: reading never blocks and never takes more memory than the caller allows; a file of the
//! user holds its old content or its new content, even if the system fails on the way, or has its
//! old content in a backup beside it, and no content that another process wrote in the meantime is
//! lost.

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

mod files;
mod output;
mod paths;
mod programs;
mod read;
mod signals;
mod write;

pub use files::{WriteFilesError, write_files};
pub use output::OutputFile;
pub use paths::{encoded, file_uri, is_remote, real_path, resolved, shown};
pub use programs::is_running;
pub use programs::{is_executable, program_in, program_on_path};
pub use read::{is_dead_link, open, read, read_at, read_some_at, read_stream};
pub use signals::Signals;
pub use write::{Leftover, directory_of, leftovers, replace, write};
