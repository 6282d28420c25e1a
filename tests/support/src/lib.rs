//! Code that the tests and fuzz targets of several crates share. Nothing of it is published.
//!
//! Each feature is for the tests of one layer; see `Cargo.toml`.

#[cfg(feature = "command")]
mod command;
#[cfg(feature = "generators")]
pub mod constructs;
pub mod corpora;
#[cfg(feature = "divergence")]
pub mod divergence;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(feature = "fixes")]
pub mod fixes;
mod generated;
#[cfg(feature = "binder")]
pub mod invokes;
#[cfg(feature = "command")]
pub mod json_schema;
#[cfg(feature = "command")]
pub mod lowering;
#[cfg(feature = "values")]
pub mod marked_json;
#[cfg(feature = "command")]
pub mod marks;
#[cfg(feature = "engine")]
pub mod mixed;
#[cfg(feature = "mocks")]
pub mod mocks;
#[cfg(feature = "model")]
pub mod named_types;
#[cfg(feature = "model")]
pub mod notation;
#[cfg(all(unix, feature = "process"))]
pub mod process;
pub mod programs;
#[cfg(feature = "generators")]
pub mod projects;
pub mod python;
mod random;
mod skip;
pub mod stack;
#[cfg(feature = "binder")]
pub mod tour;
#[cfg(feature = "model")]
pub mod type_text;

use std::path::{Path, PathBuf};

#[cfg(feature = "command")]
pub use command::*;
pub use corpora::SCHEMAS;
pub use generated::{generated, generated_part, generates};
pub use random::Random;
pub use skip::skip;

/// The root of the repository.
pub fn root() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.nth(2).expect("this crate lies two folders down")
}

/// Writes a file and the directories that lead to it.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) {
    let directory = path.parent().expect("a file lies in a directory");
    std::fs::create_dir_all(directory).expect("a directory can be made");
    std::fs::write(path, contents).expect("a file can be written");
}

/// The paths in a directory, in order.
pub fn sorted(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    paths.sort();
    paths
}
