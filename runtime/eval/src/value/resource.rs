//! Resources as values.

use std::sync::{Arc, OnceLock};

use pcl_values::{ResourceId, ResourceReference, Urn};

use super::summary::Summary;
use super::{Object, Value};

/// A resource as a value: what it is registered as, and its properties.
///
/// Properties are computed when they are read: most programs read the id of a resource and a few
/// outputs, and a `range` makes up to a million resources. Those of a resource that another one
/// refers to are fetched from the engine.
pub struct Resource {
    /// The reference to the resource that is sent in its place.
    pub reference: ResourceReference,
    fields: OnceLock<Arc<Object>>,
    later: Option<Box<dyn Later>>,
}

/// Properties that are computed when one of them is read.
pub(crate) trait Later: Send + Sync {
    /// The properties of the resource with this reference.
    fn fields(&self, reference: &ResourceReference) -> Object;

    /// The property of this name, if it can be computed without the others.
    fn property(&self, reference: &ResourceReference, name: &str) -> Option<Value>;

    /// The summary of the properties, if it is known without them.
    fn summary(&self) -> Option<Summary>;
}

impl Resource {
    /// A resource with its properties.
    #[must_use]
    pub fn new(reference: ResourceReference, fields: Object) -> Self {
        Self { reference, fields: OnceLock::from(Arc::new(fields)), later: None }
    }

    /// A resource whose properties are computed when one of them is read.
    pub(crate) fn deferred(reference: ResourceReference, later: Box<dyn Later>) -> Self {
        Self { reference, fields: OnceLock::new(), later: Some(later) }
    }

    /// A resource whose properties are not known here.
    #[must_use]
    pub fn referred(reference: ResourceReference) -> Self {
        Self { reference, fields: OnceLock::new(), later: None }
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
            Some(later) => {
                let compute = || Arc::new(later.fields(&self.reference));
                Some(self.fields.get_or_init(compute))
            }
            None => self.computed_fields(),
        }
    }

    /// The properties, unless they have to be fetched or computed.
    pub(crate) fn computed_fields(&self) -> Option<&Object> {
        self.fields.get().map(|fields| &**fields)
    }

    /// The property of this name, if it is computed later and does not take the others.
    pub(crate) fn single_property(&self, name: &str) -> Option<Value> {
        match (self.computed_fields(), &self.later) {
            (None, Some(later)) => later.property(&self.reference, name),
            _ => None,
        }
    }

    /// The summary of the properties; `None` if they have to be fetched.
    pub(super) fn summary(&self) -> Option<Summary> {
        let uncomputed = match self.computed_fields() {
            None => self.later.as_ref().and_then(|later| later.summary()),
            Some(_) => None,
        };
        uncomputed.or_else(|| Some(self.known_fields()?.summary()))
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

impl From<Resource> for Value {
    fn from(resource: Resource) -> Self {
        super::Kind::Resource(Arc::new(resource)).into()
    }
}
