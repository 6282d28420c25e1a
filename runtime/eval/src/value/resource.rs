//! Resources as values.

use std::sync::{Arc, OnceLock};

use pcl_values::{ResourceId, ResourceReference, Urn};

use super::Object;

/// A resource as a value: what it is registered as, and its properties.
///
/// The properties of a resource that another one refers to are fetched from the engine when one of
/// them is read.
pub struct Resource {
    /// The reference to the resource that is sent in its place.
    pub reference: ResourceReference,
    fields: OnceLock<Arc<Object>>,
}

impl Resource {
    /// A resource with its properties.
    #[must_use]
    pub fn new(reference: ResourceReference, fields: Object) -> Self {
        Self {
            reference,
            fields: OnceLock::from(Arc::new(fields)),
        }
    }

    /// A resource whose properties are not known here.
    #[must_use]
    pub fn referred(reference: ResourceReference) -> Self {
        Self {
            reference,
            fields: OnceLock::new(),
        }
    }

    /// The URN.
    #[must_use]
    pub fn urn(&self) -> &Urn {
        &self.reference.urn
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &ResourceId {
        &self.reference.id
    }

    /// The properties, `id`, `urn`, `__name` and `__type`; `None` if they have to be fetched.
    #[must_use]
    pub fn known_fields(&self) -> Option<&Object> {
        self.fields.get().map(|fields| &**fields)
    }

    /// The properties, which are fetched by the function if they are not known.
    ///
    /// # Errors
    /// Returns the error of the function.
    pub fn fields<E>(&self, fetch: impl FnOnce() -> Result<Arc<Object>, E>) -> Result<&Object, E> {
        if let Some(fields) = self.fields.get() {
            return Ok(fields);
        }
        let fetched = fetch()?;
        Ok(self.fields.get_or_init(|| fetched))
    }
}

impl PartialEq for Resource {
    fn eq(&self, other: &Self) -> bool {
        self.reference.urn == other.reference.urn
    }
}

impl From<Resource> for super::Value {
    fn from(resource: Resource) -> Self {
        super::Kind::Resource(Arc::new(resource)).into()
    }
}
