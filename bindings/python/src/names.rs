//! Names for generated code.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pcl::names;
use pyo3::prelude::*;

/// Gives out names of which no two are equal.
#[pyclass(frozen, module = "pcl.names")]
pub struct Names {
    names: Mutex<names::Names>,
}

impl Names {
    fn lock(&self) -> MutexGuard<'_, names::Names> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Names {
    /// Names that are none of the reserved words.
    #[new]
    #[pyo3(signature = (reserved = Vec::new()), text_signature = "(reserved=[])")]
    #[expect(clippy::needless_pass_by_value, reason = "Python passes a list")]
    fn new(reserved: Vec<String>) -> Self {
        let reserved: Vec<&str> = reserved.iter().map(String::as_str).collect();
        Self { names: Mutex::new(names::Names::new(&reserved)) }
    }

    /// A name like a text, in its own case.
    fn identifier(&self, text: &str) -> String {
        self.lock().identifier(text)
    }

    /// A name like a text in camelCase.
    fn camel(&self, text: &str) -> String {
        self.lock().camel(text)
    }

    /// A name like a text in PascalCase.
    fn pascal(&self, text: &str) -> String {
        self.lock().pascal(text)
    }

    /// A name like a text in snake_case.
    fn snake(&self, text: &str) -> String {
        self.lock().snake(text)
    }
}

/// A text in camelCase, as a legal identifier.
#[pyfunction]
pub fn camel_case(text: &str) -> String {
    names::camel_case(text)
}

/// A text in PascalCase, as a legal identifier.
#[pyfunction]
pub fn pascal_case(text: &str) -> String {
    names::pascal_case(text)
}

/// A text in snake_case, as a legal identifier.
#[pyfunction]
pub fn snake_case(text: &str) -> String {
    names::snake_case(text)
}
