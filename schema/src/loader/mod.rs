//! From the name of a package to its schema.

mod chain;
mod directory;
mod file;
mod memory;
mod pulumi_home;

pub use chain::ChainLoader;
pub use directory::DirectoryLoader;
pub use file::FileLoader;
pub use memory::MemoryLoader;
pub use pulumi_home::{PulumiHome, choose_plugin};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use semver::Version;

use crate::{IndexCache, LoadError, NotFound, Package, PackageRequest, builtin_package};

/// A source of package schemas. One loader serves all threads.
pub trait Loader: Send + Sync {
    /// Finds the package for a request: always the same package for the same request. The result is
    /// checked by [`load`](Self::load).
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError>;

    /// The names of the packages that are there, sorted; for suggestions.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Loads the package for a request. The name `pulumi` means the built-in package; any other one
    /// is found, and must have the requested name and, where both are known, the requested version.
    fn load(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        if request.name() == "pulumi" {
            return Ok(builtin_package());
        }
        let package = self.find(request)?;
        if request.is_met_by(&package) {
            return Ok(package);
        }
        Err(LoadError::Mismatch {
            path: package.path().map(PathBuf::from),
            request: Arc::new(request.clone()),
            name: package.name().to_owned(),
            version: package.version().cloned(),
        })
    }
}

/// A loader may be shared by several chains.
impl<L: Loader + ?Sized> Loader for Arc<L> {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        (**self).find(request)
    }

    fn names(&self) -> Vec<String> {
        (**self).names()
    }
}

impl PackageRequest {
    /// Returns whether a package has the name and, where both are known, the version of the
    /// request.
    pub fn is_met_by(&self, package: &Package) -> bool {
        package.name() == self.name() && is_version(package, self.version())
    }
}

/// Returns whether the package may serve a request for that version: an unknown version is any
/// version, and build metadata does not count.
fn is_version(package: &Package, wanted: Option<&Version>) -> bool {
    match (package.version(), wanted) {
        (Some(version), Some(wanted)) => version.cmp_precedence(wanted).is_eq(),
        _ => true,
    }
}

/// The texts of schema files that are open in an editor, by absolute path. They count instead of
/// those on disk.
pub type EditedSchemas = BTreeMap<PathBuf, Arc<str>>;

/// The packages of files, each opened once however many threads ask.
#[derive(Debug, Default)]
struct OpenFiles {
    files: Mutex<FxHashMap<PathBuf, Arc<OpenedPackage>>>,
    cache: Option<IndexCache>,
    edited: Arc<EditedSchemas>,
}

type OpenedPackage = OnceLock<Result<Arc<Package>, LoadError>>;

impl OpenFiles {
    /// The package of a file. `version` is that of a document that does not say its own.
    fn open(&self, path: &Path, version: Option<&Version>) -> Result<Arc<Package>, LoadError> {
        let opened = {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.entry(path.to_owned()).or_default().clone()
        };
        let opened = opened.get_or_init(|| {
            let mut package = match self.edited(path) {
                Some(text) => Package::edited(path, text)?,
                None => Package::open(path, self.cache.as_ref())?,
            };
            if let Some(version) = version {
                package.set_default_version(version);
            }
            Ok(Arc::new(package))
        });
        opened.clone()
    }

    /// The text of a file that is open in an editor.
    fn edited(&self, path: &Path) -> Option<&str> {
        if self.edited.is_empty() {
            return None;
        }
        let path = std::path::absolute(path).ok()?;
        self.edited.get(&path).map(|text| &**text)
    }
}

fn not_found(
    request: &PackageRequest,
    places: Vec<String>,
    mut versions: Vec<Version>,
) -> NotFound {
    versions.sort();
    versions.dedup();
    NotFound { request: request.clone(), places, versions, plugins: Vec::new(), refused: None }
}
