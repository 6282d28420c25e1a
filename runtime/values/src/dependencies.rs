//! The resources on which a value depends.

use std::fmt;
use std::sync::Arc;

use crate::urn::Urn;

/// A set of URNs, sorted, each once. The empty set costs nothing, and copies share the set.
///
/// ```
/// use pcl_values::{Dependencies, Urn};
/// let set = |names: &[&str]| names.iter().map(|&name| Urn::from(name)).collect::<Dependencies>();
/// assert_eq!(set(&["b", "a", "b"]).union(&set(&["c"])), set(&["a", "b", "c"]));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Dependencies(Option<Arc<[Urn]>>);

impl Dependencies {
    /// The set without elements.
    pub const NONE: Self = Self(None);

    /// The set of one resource.
    #[must_use]
    pub fn on(urn: Urn) -> Self {
        Self(Some(Arc::new([urn])))
    }

    /// Returns true for the empty set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The URNs in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Urn> {
        self.as_slice().iter()
    }

    /// The URNs in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Urn] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns true if this set has all elements of another one.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        let mine = self.as_slice();
        other.iter().all(|urn| mine.binary_search(urn).is_ok())
    }

    /// The elements of both sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (_, None) => self.clone(),
            (None, _) => other.clone(),
            (Some(mine), Some(others)) if Arc::ptr_eq(mine, others) => self.clone(),
            _ if self.includes(other) => self.clone(),
            _ if other.includes(self) => other.clone(),
            _ => self.iter().chain(other.iter()).cloned().collect(),
        }
    }
}

impl FromIterator<Urn> for Dependencies {
    fn from_iter<I: IntoIterator<Item = Urn>>(urns: I) -> Self {
        let mut urns: Vec<Urn> = urns.into_iter().collect();
        urns.sort_unstable();
        urns.dedup();
        Self((!urns.is_empty()).then(|| urns.into()))
    }
}

impl fmt::Debug for Dependencies {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}
