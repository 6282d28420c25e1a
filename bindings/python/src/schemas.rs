//! Packages and their members as JSON.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pcl::schema::{
    ChainLoader, LoadError, Loader, NotFound, Package, PackageRequest, Section, Syntax,
};
use pcl::schema_view::{PackageView, find_members, load_package, search as find, sort_hits};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serde::Serialize;

/// A package with the tokens of its members.
#[derive(Serialize)]
struct PackageRecord {
    #[serde(flatten)]
    view: PackageView,
    resource_tokens: Vec<String>,
    function_tokens: Vec<String>,
    type_tokens: Vec<String>,
}

pub fn package(loader: &ChainLoader, name: &str) -> Result<Vec<u8>, String> {
    let package = load_package(loader, name).map_err(|error| error.to_string())?;
    let tokens = |section| {
        let members = package.members(section);
        members.map(|member| package.token(member).to_owned()).collect()
    };
    json(&PackageRecord {
        view: PackageView::of(&package)?,
        resource_tokens: tokens(Section::Resources),
        function_tokens: tokens(Section::Functions),
        type_tokens: tokens(Section::Types),
    })
}

pub fn members(loader: &ChainLoader, token: &str) -> Result<Vec<u8>, String> {
    json(&find_members(loader, token).map_err(|error| error.to_string())?)
}

pub fn search(loader: &ChainLoader, package: &str, words: &[String]) -> Result<Vec<u8>, String> {
    let package = load_package(loader, package).map_err(|error| error.to_string())?;
    let mut hits = find(&package, words);
    sort_hits(&mut hits);
    json(&hits)
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(value).map_err(|error| error.to_string())
}

/// A function that supplies schemas. Each package is asked for once.
pub struct CallbackLoader {
    function: Py<PyAny>,
    known: Mutex<HashMap<PackageRequest, Arc<Package>>>,
    /// The first exception of the function that was not passed on yet.
    raised: Mutex<Option<PyErr>>,
}

impl CallbackLoader {
    pub fn new(function: Py<PyAny>) -> Self {
        Self { function, known: Mutex::default(), raised: Mutex::default() }
    }

    /// Passes an exception of the function on.
    pub fn raise(&self) -> PyResult<()> {
        match lock(&self.raised).take() {
            Some(raised) => Err(raised),
            None => Ok(()),
        }
    }

    fn call(&self, request: &PackageRequest) -> PyResult<Option<Vec<u8>>> {
        let version =
            |version: Option<&_>| version.map(|version: &pcl::schema::Version| version.to_string());
        Python::attach(|py| {
            let arguments = (
                request.name(),
                version(request.version()),
                &request.name,
                version(request.version.as_ref()),
                request.download_url.as_deref(),
            );
            let answer = self.function.bind(py).call1(arguments)?;
            if answer.is_none() {
                return Ok(None);
            }
            if let Ok(text) = answer.cast::<PyString>() {
                return Ok(Some(text.to_str()?.as_bytes().to_vec()));
            }
            Ok(Some(answer.cast::<PyBytes>()?.as_bytes().to_vec()))
        })
    }
}

impl Loader for CallbackLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        if let Some(known) = lock(&self.known).get(request) {
            return Ok(Arc::clone(known));
        }
        // No lock is held: the function may use the workspace.
        let document = self.call(request).unwrap_or_else(|raised| {
            lock(&self.raised).get_or_insert(raised);
            None
        });
        let Some(document) = document else {
            return Err(LoadError::NotFound(Arc::new(NotFound {
                request: request.clone(),
                places: vec!["the loader".to_owned()],
                versions: Vec::new(),
                plugins: Vec::new(),
                refused: None,
            })));
        };
        let syntax = Syntax::of_document(&document);
        let package = Package::from_source(document, syntax)
            .map_err(|error| LoadError::Invalid { path: PathBuf::from(request.name()), error })?;
        let package = Arc::new(package);
        lock(&self.known).insert(request.clone(), Arc::clone(&package));
        Ok(package)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
