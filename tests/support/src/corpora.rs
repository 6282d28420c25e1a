//! The corpora that laws are tried on.

use std::path::{Path, PathBuf};

use crate::{root, skip, sorted};

/// The package schemas of the corpus, from the root.
pub const SCHEMAS: &str = "corpus/schemas";

/// A directory with more files than this holds programs of one file each.
const MOST_FILES_OF_A_PROGRAM: usize = 40;

/// Returns true if a file is an example of a page of documentation, whose name ends in `__` and
/// the example's number: such a file is a program of its own.
fn is_example(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let number = stem.rsplit_once("__").map(|(_, number)| number);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Programs, and where the schemas are that they use.
pub struct Corpus {
    pub schemas: Vec<PathBuf>,
    /// The directories and files of the programs, in order.
    pub programs: Vec<PathBuf>,
}

impl Corpus {
    /// Our own.
    pub fn own() -> Self {
        let corpus = root().join("corpus");
        Self::new(vec![root().join(SCHEMAS)], &corpus)
    }

    /// Thousands of programs by other authors, if they are beside the checkout.
    pub fn shared() -> Option<Self> {
        let shared = beside()?;
        let sets = ["conformance", "testdata", "providers"];
        let schemas = sets.map(|set| shared.join("schemas").join(set));
        Some(Self::new(schemas.into(), &shared.join("programs")))
    }

    /// The parts of it that have schemas of their own: the examples of providers' documentation,
    /// and the conformance programs.
    pub fn shared_parts() -> Option<[Self; 2]> {
        let shared = beside()?;
        let part = |schemas: &str, programs: &str| {
            let schemas = shared.join("schemas").join(schemas);
            Self::new(vec![schemas], &shared.join("programs").join(programs))
        };
        Some([part("providers", "examples"), part("conformance", "conformance")])
    }

    /// The programs in and below a directory.
    pub fn new(schemas: Vec<PathBuf>, directory: &Path) -> Self {
        let mut programs = Vec::new();
        collect(directory, &mut programs);
        assert!(!programs.is_empty(), "{} is empty", directory.display());
        Self { schemas, programs }
    }
}

/// The directory of the programs by other authors.
fn beside() -> Option<PathBuf> {
    let shared = root().join("../shared/corpus");
    if shared.is_dir() {
        return Some(shared);
    }
    let reason = format!("{} is not beside this checkout", shared.display());
    skip("PCL_REQUIRE_SHARED", reason);
    None
}

/// Adds the programs in and below a directory.
fn collect(directory: &Path, programs: &mut Vec<PathBuf>) {
    let (directories, files): (Vec<_>, Vec<_>) =
        sorted(directory).into_iter().partition(|path| path.is_dir());
    for directory in directories {
        collect(&directory, programs);
    }
    let is_source = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "pp");
    let files: Vec<PathBuf> = files.into_iter().filter(is_source).collect();
    if files.len() > MOST_FILES_OF_A_PROGRAM || files.iter().any(|file| is_example(file)) {
        programs.extend(files);
    } else if !files.is_empty() {
        programs.push(directory.to_owned());
    }
}
