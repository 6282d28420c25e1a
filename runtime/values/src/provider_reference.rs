//! References to the provider of a resource, `URN::ID`.

use std::fmt;
use std::str::FromStr;

use crate::error::UrnError;
use crate::urn::Urn;
use crate::wire::UNKNOWN_STRING;

/// The provider of a resource: its URN and its id, which is unknown before it is created.
///
/// ```
/// use pcl_values::{ProviderReference, Urn};
/// let urn = Urn::new("dev", "shop", "", "pulumi:providers:aws", "west");
/// let provider = ProviderReference { urn, id: Some("2f6a".into()) };
/// assert_eq!(provider.to_string(), "urn:pulumi:dev::shop::pulumi:providers:aws::west::2f6a");
/// assert_eq!(provider.to_string().parse(), Ok(provider));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProviderReference {
    /// The URN.
    pub urn: Urn,
    /// The id; `None` if it is unknown.
    pub id: Option<String>,
}

impl FromStr for ProviderReference {
    type Err = UrnError;

    fn from_str(text: &str) -> Result<Self, UrnError> {
        let invalid = || UrnError::NotAProvider(text.to_owned());
        let (urn, id) = text.rsplit_once("::").ok_or_else(invalid)?;
        Ok(Self {
            urn: Urn::parse(urn)?,
            id: (id != UNKNOWN_STRING).then(|| id.to_owned()),
        })
    }
}

/// An unknown id is written as engines expect it.
impl fmt::Display for ProviderReference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id.as_deref().unwrap_or(UNKNOWN_STRING);
        write!(out, "{}::{id}", self.urn)
    }
}
