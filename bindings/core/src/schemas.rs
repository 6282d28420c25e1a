//! The package schemas of a workspace: those that were handed in, and those of a callback.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pcl::schema::{
    Distant, DocumentError, LoadError, Loader, NotFound, Package, PackageRequest, Syntax,
};
use semver::Version;
use serde_json::{Value, json};

/// A function that supplies the schema of a package.
pub type Supply = dyn Fn(&PackageRequest) -> Option<Supplied> + Send + Sync;

/// A schema that is supplied.
pub struct Supplied {
    /// Its document.
    pub document: Document,
    /// The path of its file, for diagnostics about it.
    pub path: Option<String>,
}

/// The document of a schema.
pub enum Document {
    /// Its text.
    Text(Vec<u8>),
    /// A document that the host keeps and that is read on demand.
    Distant(Box<dyn Distant>),
}

/// A source of schemas that are not handed in.
#[derive(Clone)]
pub struct Supplier {
    /// The function that supplies them.
    pub supply: Arc<Supply>,
    /// The packages that it is known to supply, for the advice about a package that it does not.
    pub packages: Vec<(String, Option<Version>)>,
    /// The places where it looks schemas up, for the same advice.
    pub places: Vec<String>,
}

/// A source of schemas in memory.
#[derive(Default)]
pub struct Schemas {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The packages that were handed in.
    packages: Vec<Arc<Package>>,
    /// The answers of the callback; `None` where it had none. A request gets its own answer
    /// whatever was asked before, so that a program means the same after any other one.
    supplied: HashMap<PackageRequest, Option<Arc<Package>>>,
    supplier: Option<Supplier>,
}

impl State {
    /// All packages that are here.
    fn all(&self) -> impl Iterator<Item = &Arc<Package>> {
        self.packages.iter().chain(self.supplied.values().flatten())
    }

    fn forget_refused(&mut self) {
        self.supplied.retain(|_, answer| answer.is_some());
    }
}

impl Schemas {
    /// Adds a schema, in JSON or YAML. One of the same name and version is replaced.
    ///
    /// # Errors
    /// Returns a message if the document is not a schema.
    pub fn add(&self, document: Vec<u8>) -> Result<Arc<Package>, String> {
        let package = Arc::new(read(document).map_err(|error| error.to_string())?);
        let mut state = self.lock();
        state.forget_refused();
        state
            .packages
            .retain(|known| (known.name(), known.version()) != (package.name(), package.version()));
        state.packages.push(Arc::clone(&package));
        Ok(package)
    }

    /// Sets the source of packages that were not handed in.
    pub fn set_supplier(&self, supplier: Option<Supplier>) {
        let mut state = self.lock();
        state.supplied.clear();
        state.supplier = supplier;
    }

    /// Asks again for the packages that the callback could not supply.
    pub fn forget_refused(&self) {
        self.lock().forget_refused();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The package that was handed in for a request, the newest if it names no version; or else
    /// that which was supplied for it.
    fn known(&self, request: &PackageRequest) -> Option<Arc<Package>> {
        let state = self.lock();
        let fitting = state.packages.iter().filter(|it| request.is_met_by(it));
        let fitting = fitting.max_by_key(|package| package.version());
        fitting.or_else(|| state.supplied.get(request)?.as_ref()).cloned()
    }
}

impl Loader for Schemas {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        if let Some(package) = self.known(request) {
            return Ok(package);
        }
        let supply = {
            let state = self.lock();
            let is_refused = matches!(state.supplied.get(request), Some(None));
            let supplier = state.supplier.as_ref().filter(|_| !is_refused);
            supplier.map(|supplier| supplier.supply.clone())
        };
        // The lock is not held: the callback may use the workspace.
        let supplied = supply.and_then(|supply| supply(request));
        let package = supplied.map(|Supplied { document, path }| {
            let path = PathBuf::from(path.as_deref().unwrap_or(request.name()));
            match document {
                Document::Text(text) => {
                    read(text).map_err(|error| LoadError::Invalid { path, error })
                }
                Document::Distant(document) => Package::from_distant(&path, document),
            }
        });
        let mut state = self.lock();
        match package.transpose()? {
            Some(package) => {
                // One package for all requests that it answers: its types are equal to themselves.
                let is_same = |it: &&Arc<Package>| {
                    (it.name(), it.version()) == (package.name(), package.version())
                };
                let package = match state.all().find(is_same) {
                    Some(known) => Arc::clone(known),
                    None => Arc::new(package),
                };
                state.supplied.insert(request.clone(), Some(Arc::clone(&package)));
                Ok(package)
            }
            None => {
                state.supplied.insert(request.clone(), None);
                let own = state.all().map(|it| (it.name(), it.version()));
                let supplied = state.supplier.iter().flat_map(|it| &it.packages);
                let supplied = supplied.map(|(name, version)| (name.as_str(), version.as_ref()));
                let named = own.chain(supplied).filter(|(name, _)| *name == request.name());
                let mut versions: Vec<_> = named.filter_map(|it| it.1.cloned()).collect();
                versions.sort();
                versions.dedup();
                let places = state.supplier.as_ref().map(|it| it.places.clone());
                let places = places.filter(|places| !places.is_empty());
                let own = || vec!["the schemas of the workspace".to_owned()];
                Err(LoadError::NotFound(Arc::new(NotFound {
                    request: request.clone(),
                    places: places.unwrap_or_else(own),
                    versions,
                    plugins: Vec::new(),
                    refused: None,
                })))
            }
        }
    }

    fn names(&self) -> Vec<String> {
        let state = self.lock();
        let names = state.all().map(|package| package.name().to_owned());
        let supplied = state.supplier.iter().flat_map(|it| &it.packages);
        let mut names: Vec<String> = names.chain(supplied.map(|(name, _)| name.clone())).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// A request as hosts see it.
pub fn request_json(request: &PackageRequest) -> Value {
    json!({
        "name": request.name(),
        "version": request.version().map(ToString::to_string),
        "plugin": request.name,
        "pluginVersion": request.version.as_ref().map(ToString::to_string),
        "downloadUrl": request.download_url,
    })
}

fn read(document: Vec<u8>) -> Result<Package, DocumentError> {
    let syntax = Syntax::of_document(&document);
    Package::from_source(document, syntax)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions_of(asked: &[Option<&str>]) -> Vec<String> {
        let schemas = Schemas::default();
        let supply = |request: &PackageRequest| {
            let version = request.version().map_or("2.0.0".to_owned(), ToString::to_string);
            let document = format!(r#"{{ "name": "zoo", "version": "{version}" }}"#).into_bytes();
            Some(Supplied { document: Document::Text(document), path: None })
        };
        let (packages, places) = (Vec::new(), Vec::new());
        schemas.set_supplier(Some(Supplier { supply: Arc::new(supply), packages, places }));
        let find = |version: &Option<&str>| {
            let request = PackageRequest::new("zoo");
            let request = match version {
                Some(version) => request.with_version(Version::parse(version).unwrap()),
                None => request,
            };
            schemas.find(&request).ok().unwrap().version().unwrap().to_string()
        };
        asked.iter().map(find).collect()
    }

    #[test]
    fn an_answer_does_not_depend_on_what_was_asked_before() {
        assert_eq!(versions_of(&[None, Some("1.0.0")]), ["2.0.0", "1.0.0"]);
        assert_eq!(versions_of(&[Some("1.0.0"), None]), ["1.0.0", "2.0.0"]);
    }

    #[test]
    fn what_was_refused_is_asked_for_again() {
        let schemas = Schemas::default();
        let count = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&count);
        let supply = move |_: &PackageRequest| {
            *counted.lock().unwrap() += 1;
            None
        };
        let (packages, places) = (Vec::new(), Vec::new());
        schemas.set_supplier(Some(Supplier { supply: Arc::new(supply), packages, places }));
        let request = PackageRequest::new("zoo");
        assert!(schemas.find(&request).is_err() && schemas.find(&request).is_err());
        assert_eq!(*count.lock().unwrap(), 1);
        schemas.forget_refused();
        assert!(schemas.find(&request).is_err());
        assert_eq!(*count.lock().unwrap(), 2);
    }
}
