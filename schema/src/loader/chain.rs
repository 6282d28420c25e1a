//! Several loaders as one.

use std::sync::Arc;

use super::{Loader, PackageRequest, not_found};
use crate::{LoadError, Package};

/// Loaders that are asked in order, until one has the package or fails otherwise than by not having it.
#[derive(Default)]
pub struct ChainLoader {
    loaders: Vec<Box<dyn Loader>>,
}

impl ChainLoader {
    /// Adds a loader at the end.
    pub fn push(&mut self, loader: impl Loader + 'static) {
        self.loaders.push(Box::new(loader));
    }
}

impl Loader for ChainLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let (mut places, mut versions) = (Vec::new(), Vec::new());
        for loader in &self.loaders {
            match loader.find(request) {
                Err(LoadError::NotFound(missing)) => {
                    places.extend(missing.places.iter().cloned());
                    versions.extend(missing.versions.iter().cloned());
                }
                answer => return answer,
            }
        }
        Err(not_found(request, places, versions))
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .loaders
            .iter()
            .flat_map(|loader| loader.names())
            .collect();
        names.sort();
        names.dedup();
        names
    }
}
