//! Several loaders as one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::{Loader, not_found};
use crate::{LoadError, Package, PackageRequest};

/// Loaders that are tried in order, until one has the package or fails for another reason than not
/// having it.
#[derive(Default)]
pub struct ChainLoader {
    loaders: Vec<Box<dyn Loader>>,
    /// The packages that were found. Each program of a run asks for them again.
    found: Mutex<FxHashMap<PackageRequest, Arc<Package>>>,
}

impl ChainLoader {
    /// Adds a loader at the end.
    pub fn push(&mut self, loader: impl Loader + 'static) {
        self.loaders.push(Box::new(loader));
        self.found = Mutex::default();
    }

    fn found(&self) -> MutexGuard<'_, FxHashMap<PackageRequest, Arc<Package>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loader for ChainLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        if let Some(package) = self.found().get(request) {
            return Ok(Arc::clone(package));
        }
        let mut all = not_found(request, Vec::new(), Vec::new());
        for loader in &self.loaders {
            match loader.find(request) {
                Err(LoadError::NotFound(missing)) => {
                    all.places.extend(missing.places.iter().cloned());
                    all.versions.extend(missing.versions.iter().cloned());
                    all.plugins.extend(missing.plugins.iter().cloned());
                    all.refused = all.refused.or_else(|| missing.refused.clone());
                }
                Ok(package) => {
                    self.found().insert(request.clone(), Arc::clone(&package));
                    return Ok(package);
                }
                error => return error,
            }
        }
        all.versions.sort();
        all.versions.dedup();
        Err(all.into())
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.loaders.iter().flat_map(|loader| loader.names()).collect();
        names.sort();
        names.dedup();
        names
    }
}
