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
    later: Option<Box<dyn Later>>,
}

/// Properties that are computed when one of them is read.
pub(crate) trait Later: Send + Sync {
    /// The properties.
    fn fields(&self) -> Object;

    /// Returns true if the property of this name is unknown, which needs no other property.
    fn is_unknown(&self, name: &str) -> bool;
}

impl Resource {
    /// A resource with its properties.
    #[must_use]
    pub fn new(reference: ResourceReference, fields: Object) -> Self {
        Self {
            reference,
            fields: OnceLock::from(Arc::new(fields)),
            later: None,
        }
    }

    /// A resource whose properties are computed when one of them is read.
    pub(crate) fn deferred(reference: ResourceReference, later: Box<dyn Later>) -> Self {
        Self {
            reference,
            fields: OnceLock::new(),
            later: Some(later),
        }
    }

    /// A resource whose properties are not known here.
    #[must_use]
    pub fn referred(reference: ResourceReference) -> Self {
        Self {
            reference,
            fields: OnceLock::new(),
            later: None,
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
        match &self.later {
            Some(later) => Some(self.fields.get_or_init(|| Arc::new(later.fields()))),
            None => self.computed_fields(),
        }
    }

    /// The properties, unless they have to be fetched or computed.
    pub(crate) fn computed_fields(&self) -> Option<&Object> {
        self.fields.get().map(|fields| &**fields)
    }

    /// Returns true if the property of this name is unknown, and no property was computed yet.
    pub(crate) fn leaves_open(&self, name: &str) -> bool {
        let mut later = self.later.iter();
        self.computed_fields().is_none() && later.any(|later| later.is_unknown(name))
    }

    /// The properties, which are fetched by the function if they are not known.
    ///
    /// # Errors
    /// Returns the error of the function.
    pub fn fields<E>(&self, fetch: impl FnOnce() -> Result<Arc<Object>, E>) -> Result<&Object, E> {
        if let Some(fields) = self.known_fields() {
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
