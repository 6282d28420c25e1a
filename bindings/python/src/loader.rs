//! Schemas from a function of the caller.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pcl::schema::{LoadError, Loader, NotFound, Package, PackageRequest, Syntax};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

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
