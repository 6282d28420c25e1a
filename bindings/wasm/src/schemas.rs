//! The package schemas of a workspace: those that were handed in, and those of a callback.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pcl::schema::{DocumentError, LoadError, Loader, NotFound, Package, PackageRequest, Syntax};

/// A function that supplies the schema of a package, as the text of its document.
pub type Supply = dyn Fn(&PackageRequest) -> Option<Vec<u8>> + Send + Sync;

/// A source of schemas in memory.
#[derive(Default)]
pub struct Schemas {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    packages: Vec<Arc<Package>>,
    /// The requests that the callback could not answer.
    refused: Vec<PackageRequest>,
    supply: Option<Arc<Supply>>,
}

impl Schemas {
    /// Adds a schema, in JSON or YAML. One of the same name and version is replaced.
    ///
    /// # Errors
    /// Returns a message if the document is not a schema.
    pub fn add(&self, document: Vec<u8>) -> Result<Arc<Package>, String> {
        let package = Arc::new(read(document).map_err(|error| error.to_string())?);
        let mut state = self.lock();
        state.refused.clear();
        state
            .packages
            .retain(|known| (known.name(), known.version()) != (package.name(), package.version()));
        state.packages.push(Arc::clone(&package));
        Ok(package)
    }

    /// Sets the function that is asked for packages that were not handed in.
    pub fn set_supply(&self, supply: Option<Arc<Supply>>) {
        let mut state = self.lock();
        state.refused.clear();
        state.supply = supply;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The package that was handed in for a request: the newest if it names no version.
    fn known(&self, request: &PackageRequest) -> Option<Arc<Package>> {
        let state = self.lock();
        let fitting = state.packages.iter().filter(|it| request.is_met_by(it));
        fitting.max_by_key(|package| package.version()).cloned()
    }
}

impl Loader for Schemas {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        if let Some(package) = self.known(request) {
            return Ok(package);
        }
        let supply = {
            let state = self.lock();
            let is_refused = state.refused.contains(request);
            state.supply.clone().filter(|_| !is_refused)
        };
        // The lock is not held: the callback may use the workspace.
        let supplied = supply.and_then(|supply| supply(request));
        let package = supplied.map(read).transpose();
        let mut state = self.lock();
        match package.map_err(|error| LoadError::Invalid {
            path: PathBuf::from(request.name()),
            error,
        })? {
            Some(package) => {
                let package = Arc::new(package);
                state.packages.push(Arc::clone(&package));
                Ok(package)
            }
            None => {
                state.refused.push(request.clone());
                let named = state
                    .packages
                    .iter()
                    .filter(|it| it.name() == request.name());
                let mut versions: Vec<_> = named.filter_map(|it| it.version().cloned()).collect();
                versions.sort();
                Err(LoadError::NotFound(Arc::new(NotFound {
                    request: request.clone(),
                    places: vec!["the schemas of the workspace".to_owned()],
                    versions,
                    plugins: Vec::new(),
                })))
            }
        }
    }

    fn names(&self) -> Vec<String> {
        let state = self.lock();
        let names = state
            .packages
            .iter()
            .map(|package| package.name().to_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names.dedup();
        names
    }
}

/// Reads a schema. JSON begins with a brace; everything else is YAML.
fn read(document: Vec<u8>) -> Result<Package, DocumentError> {
    let first = document.iter().find(|byte| !byte.is_ascii_whitespace());
    let syntax = match first {
        Some(b'{') => Syntax::Json,
        _ => Syntax::Yaml,
    };
    Package::from_source(document, syntax)
}
