//! References to resources, which are values.

use crate::urn::Urn;

/// A reference to a resource.
///
/// ```
/// use pcl_values::{ResourceId, ResourceReference, Urn};
/// let urn = Urn::parse("urn:pulumi:dev::shop::a:b:C::n").unwrap();
/// let reference = ResourceReference::new(urn, ResourceId::Unknown);
/// assert_eq!((&*reference.name, &*reference.kind), ("n", "a:b:C"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResourceReference {
    /// The URN.
    pub urn: Urn,
    /// The id.
    pub id: ResourceId,
    /// The name; empty if it is not sent.
    pub name: Box<str>,
    /// The type; empty if it is not sent.
    pub kind: Box<str>,
    /// The version of the package; empty if it is not sent.
    pub package_version: Box<str>,
}

/// The id of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResourceId {
    /// No id, as components have none.
    #[default]
    Absent,
    /// An id that the resource will get.
    Unknown,
    /// The id.
    Known(String),
}

impl ResourceId {
    /// Returns true for an id that the resource will get.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }
}

impl ResourceReference {
    /// A reference with the name and the type that the URN has.
    #[must_use]
    pub fn new(urn: Urn, id: ResourceId) -> Self {
        let part = |part: Option<&str>| part.unwrap_or_default().into();
        Self {
            name: part(urn.name()),
            kind: part(urn.resource_type()),
            urn,
            id,
            package_version: Box::default(),
        }
    }
}
