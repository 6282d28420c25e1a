//! Documents, and the questions about them that their JSON leaves to the reader.

use pcl::document::{Document as Model, FileIndex, Place, Type, TypeIndex};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::run::detached;

/// The model of a program. Positions lead into its tables; one that leads nowhere is answered as
/// the library does.
#[pyclass(frozen, module = "pcl._native")]
pub struct Document {
    model: Model,
}

impl Document {
    pub const fn new(model: Model) -> Self {
        Self { model }
    }
}

#[pymethods]
impl Document {
    /// The document as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || self.model.to_json())
    }

    /// The line and the column of an offset in a file, both from 1.
    fn position(&self, file: u32, byte: u32) -> (u32, u32) {
        let place = Place { file: FileIndex(file), start: byte, end: byte };
        let position = self.model.position(place);
        (position.line, position.column)
    }

    /// A type as text.
    fn type_text(&self, ty: u32) -> String {
        self.model.type_text(TypeIndex(ty))
    }

    /// The type inside of the outputs, promises and options around it.
    fn strip(&self, ty: u32) -> u32 {
        self.model.strip(TypeIndex(ty)).0
    }

    /// Returns true if null is among the values of a type.
    fn is_optional(&self, ty: u32) -> bool {
        self.model.is_optional(TypeIndex(ty))
    }

    /// Returns true if a value of a type is known only later, or may be.
    fn is_eventual(&self, ty: u32) -> bool {
        self.model.is_eventual(TypeIndex(ty))
    }

    /// The object type that a type allows, also behind outputs and options; `None` if there are
    /// several.
    fn object(&self, ty: u32) -> Option<usize> {
        let object = self.model.object(TypeIndex(ty))?;
        let mut types = self.model.types.iter();
        types.position(|ty| matches!(ty, Type::Object(other) if std::ptr::eq(other, object)))
    }

    /// The types that a value of a type may have at run time.
    fn alternatives(&self, ty: u32) -> Vec<u32> {
        positions(self.model.alternatives(TypeIndex(ty)))
    }

    /// The types that an author may write for a value of a type, and the union around them that has
    /// a discriminator.
    fn plain(&self, ty: u32) -> (Vec<u32>, Option<u32>) {
        let union = self.model.plain_union(TypeIndex(ty));
        let types = positions(self.model.plain(TypeIndex(ty)));
        (types, union.map(|union| union.0))
    }

    /// The options of a declaration of the module that a file belongs to, as JSON.
    fn options(&self, file: u32, node: usize) -> PyResult<String> {
        let components = self.model.components.iter();
        let mut modules = std::iter::once(&self.model.main).chain(components.map(|it| &it.module));
        let module = modules.find(|module| module.files.contains(&FileIndex(file)));
        let node = module.and_then(|module| module.nodes.get(node));
        let options = node.map(|node| self.model.options(node));
        serde_json::to_string(&options).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

fn positions(types: Vec<TypeIndex>) -> Vec<u32> {
    types.into_iter().map(|ty| ty.0).collect()
}
