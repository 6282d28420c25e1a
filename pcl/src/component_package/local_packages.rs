//! The packages of components in PCL that a project names by their directories. Their schemas are
//! inferred in the process: nothing is started.
//!
//! The rules, with examples: `tests/component_packages.rs`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pcl_schema::{LoadError, Loader, NotFound, Package, PackageRequest};

use super::package::ComponentPackage;
use crate::schemas::SchemaPlaces;
use crate::workspace::{Settings, Workspace};

/// The loader of one package.
pub(crate) struct LocalPackage {
    package: ComponentPackage,
    places: SchemaPlaces,
    /// The directories of packages that need this one, and its own. A package that needs itself
    /// has no schema while it is inferred for itself.
    within: Vec<PathBuf>,
    inferred: OnceLock<Result<Arc<Package>, LoadError>>,
}

impl LocalPackage {
    /// The loader of the package in a directory; `None` if there is none in PCL, or if it is being
    /// inferred.
    pub fn new(directory: &Path, places: &SchemaPlaces, within: &[PathBuf]) -> Option<Self> {
        let real = pcl_system::resolved(directory);
        if within.contains(&real) {
            return None;
        }
        Some(Self {
            package: ComponentPackage::find(directory)?,
            places: places.clone(),
            within: within.iter().cloned().chain([real]).collect(),
            inferred: OnceLock::new(),
        })
    }

    fn infer(&self) -> Result<Arc<Package>, LoadError> {
        let settings =
            Settings { schemas: self.places.clone(), untried: true, ..Settings::default() };
        let workspace = Workspace::within(settings, self.within.clone());
        let inferred = self.package.infer(&workspace);
        let package = Package::from_bytes(inferred.schema.as_bytes());
        let path = self.package.directory().to_path_buf();
        package.map(Arc::new).map_err(|error| LoadError::Invalid { path, error })
    }
}

impl Loader for LocalPackage {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let version = self.package.version();
        let is_named = request.name() == self.package.name();
        let wanted = request.version();
        if is_named && wanted.is_none_or(|wanted| wanted.cmp_precedence(version).is_eq()) {
            return self.inferred.get_or_init(|| self.infer()).clone();
        }
        let missing = NotFound {
            request: request.clone(),
            places: Vec::new(),
            versions: if is_named { vec![version.clone()] } else { Vec::new() },
            plugins: Vec::new(),
            refused: None,
        };
        Err(missing.into())
    }

    fn names(&self) -> Vec<String> {
        vec![self.package.name().to_owned()]
    }
}
