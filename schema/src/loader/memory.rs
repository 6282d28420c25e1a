//! Schemas that the embedder has in memory.

use std::sync::Arc;

use super::{Loader, is_version, not_found};
use crate::{DocumentError, LoadError, Package, PackageRequest, Syntax};

/// Schemas that the embedder has in memory. Without a requested version the highest wins.
///
/// ```
/// use pcl_schema::{Loader, MemoryLoader, PackageRequest};
///
/// let mut loader = MemoryLoader::default();
/// loader.add(r#"{"name": "zoo", "version": "1.0.0"}"#)?;
/// assert_eq!(loader.load(&PackageRequest::new("zoo")).unwrap().name(), "zoo");
/// assert!(loader.load(&PackageRequest::new("ark")).is_err());
///
/// loader.add("name: ark\nversion: 2.0.0\n")?;
/// assert!(loader.load(&PackageRequest::new("ark")).is_ok());
/// # Ok::<(), pcl_schema::DocumentError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryLoader {
    packages: Vec<Arc<Package>>,
}

impl MemoryLoader {
    /// Adds a document, in JSON or YAML. Its name and version are those that it says.
    pub fn add(&mut self, document: impl Into<Vec<u8>>) -> Result<Arc<Package>, DocumentError> {
        let document = document.into();
        let syntax = Syntax::of_document(&document);
        let package = Arc::new(Package::from_source(document, syntax)?);
        self.packages.push(package.clone());
        Ok(package)
    }
}

impl Loader for MemoryLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let named = || self.packages.iter().filter(|package| package.name() == request.name());
        let fitting = named().filter(|package| is_version(package, request.version()));
        match fitting.max_by_key(|package| package.version()) {
            Some(package) => Ok(package.clone()),
            None => Err(not_found(
                request,
                vec!["memory".to_owned()],
                named().filter_map(|package| package.version().cloned()).collect(),
            )
            .into()),
        }
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.packages.iter().map(|package| package.name().to_owned()).collect();
        names.sort();
        names.dedup();
        names
    }
}
