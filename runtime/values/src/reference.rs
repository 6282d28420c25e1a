//! References to resources, which are values, and to the provider of a resource, `URN::ID`; and
//! aliases, the former names of a resource.

use std::fmt;

use crate::urn::Urn;
use crate::wire::UNKNOWN_STRING;

/// A reference to a resource.
///
/// ```
/// use pcl_values::{ResourceId, ResourceReference, Urn};
/// let urn = Urn::from("urn:pulumi:dev::shop::a:b:C::n");
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
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }
}

impl ResourceReference {
    /// A reference with the name and the type that the URN has.
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

/// The provider of a resource: its URN and its id, which is unknown before it is created.
///
/// ```
/// use pcl_values::{ProviderReference, Urn};
/// let urn = Urn::new("dev", "shop", "", "pulumi:providers:aws", "west");
/// let provider = ProviderReference { urn, id: Some("2f6a".into()) };
/// assert_eq!(provider.to_string(), "urn:pulumi:dev::shop::pulumi:providers:aws::west::2f6a");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProviderReference {
    /// The URN.
    pub urn: Urn,
    /// The id; `None` if it is unknown.
    pub id: Option<String>,
}

/// An unknown id is written as engines expect it.
impl fmt::Display for ProviderReference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id.as_deref().unwrap_or(UNKNOWN_STRING);
        write!(out, "{}::{id}", self.urn)
    }
}

/// A former name of a resource. A program sends it as it is; the engine computes the URN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alias {
    /// The whole URN.
    Urn(Urn),
    /// The parts that differ from those of the resource.
    Spec(AliasSpec),
}

/// The parts of an alias. Absent parts are those of the resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasSpec {
    /// The former name.
    pub name: Option<String>,
    /// The former type, without those of the parents.
    pub kind: Option<String>,
    /// The former stack.
    pub stack: Option<String>,
    /// The former project.
    pub project: Option<String>,
    /// The former parent.
    pub parent: AliasParent,
}

/// The former parent of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AliasParent {
    /// The parent that the resource has now.
    #[default]
    Same,
    /// No parent.
    None,
    /// The resource of this URN.
    Urn(Urn),
}
