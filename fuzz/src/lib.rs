//! The laws that every input keeps. The fuzz targets and the run over mutants share them.

mod diagnostics;
mod whole;

use std::path::PathBuf;
use std::sync::Arc;

use pcl::binder::edition::OldestPulumi;
use pcl::binder::{Lints, Options};
use pcl::schema::MemoryLoader;
use pcl::{Settings, Workspace};

pub use whole::{check_program, check_text};

/// The directory that `seeds.py` writes.
pub fn seeds() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "seeds"].iter().collect()
}

/// Workspaces with the packages of all seeds: as strict as can be, with every lint, and lenient for
/// an old release of Pulumi.
///
/// # Panics
/// Panics if `seeds.py` has not been run.
pub fn workspaces() -> [Workspace; 2] {
    let directory = seeds().join("schemas");
    let entries = std::fs::read_dir(&directory)
        .unwrap_or_else(|error| panic!("run fuzz/seeds.py: {}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let strict = Options { lints: Lints::all(), ..Options::default() };
    let lenient = Options {
        oldest: OldestPulumi::parse("3.100.0", "the fuzz target").ok(),
        ..Options::lenient()
    };
    [strict, lenient].map(|options| {
        let mut loader = MemoryLoader::default();
        for path in &paths {
            let bytes = std::fs::read(path).expect("a seed can be read");
            // Some packages of the corpus are damaged on purpose.
            let _ = loader.add(bytes);
        }
        let settings = Settings { options, ..Settings::default() };
        Workspace::new(settings).with_loader(Arc::new(loader))
    })
}
