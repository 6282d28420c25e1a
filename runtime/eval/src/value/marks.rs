//! The marks of values: that a value is secret, and the resources that it depends on.

use std::sync::Arc;

use pcl_values::Dependencies;

/// That a value is secret, and the resources that it depends on. Copies share their marks, and
/// having none costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(Option<Arc<MarkSet>>);

#[derive(Debug, PartialEq, Eq)]
struct MarkSet {
    is_secret: bool,
    dependencies: Dependencies,
}

impl Marks {
    /// No marks.
    pub const NONE: Self = Self(None);

    /// The marks of a value that depends on these resources.
    #[must_use]
    pub fn new(is_secret: bool, dependencies: Dependencies) -> Self {
        if !is_secret && dependencies.is_empty() {
            return Self::NONE;
        }
        Self(Some(Arc::new(MarkSet { is_secret, dependencies })))
    }

    /// The marks of a secret.
    #[must_use]
    pub fn secret() -> Self {
        Self::new(true, Dependencies::NONE)
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true for the marks of a secret.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.0.as_ref().is_some_and(|marks| marks.is_secret)
    }

    /// The resources that the value depends on.
    #[must_use]
    pub fn dependencies(&self) -> &Dependencies {
        match &self.0 {
            Some(marks) => &marks.dependencies,
            None => const { &Dependencies::NONE },
        }
    }

    /// The marks without that of a secret.
    #[must_use]
    pub fn revealed(&self) -> Self {
        if self.is_secret() { Self::new(false, self.dependencies().clone()) } else { self.clone() }
    }

    /// The marks without dependencies.
    #[must_use]
    pub fn without_dependencies(&self) -> Self {
        Self::new(self.is_secret(), Dependencies::NONE)
    }

    /// Adds the marks of another value.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        // Most values have none.
        if let Some(others) = &other.0 {
            self.add_set(others);
        }
    }

    fn add_set(&mut self, others: &Arc<MarkSet>) {
        match &self.0 {
            None => self.0 = Some(Arc::clone(others)),
            Some(own) if Arc::ptr_eq(own, others) => {}
            Some(own) => {
                let is_secret = own.is_secret || others.is_secret;
                let dependencies = own.dependencies.union(&others.dependencies);
                if own.is_secret != is_secret || !own.dependencies.is_copy_of(&dependencies) {
                    *self = Self::new(is_secret, dependencies);
                }
            }
        }
    }

    /// The marks of both.
    #[must_use]
    pub fn union(mut self, other: &Self) -> Self {
        self.add(other);
        self
    }

    /// The marks of many values, in time proportional to their number and sizes.
    pub(crate) fn all<'m>(marks: impl IntoIterator<Item = &'m Self>) -> Self {
        let mut sets: Vec<&Arc<MarkSet>> = Vec::new();
        for set in marks.into_iter().filter_map(|marks| marks.0.as_ref()) {
            if sets.last().is_none_or(|last| !Arc::ptr_eq(last, set)) {
                sets.push(set);
            }
        }
        match sets[..] {
            [] => Self::NONE,
            [only] => Self(Some(Arc::clone(only))),
            _ => {
                let is_secret = sets.iter().any(|set| set.is_secret);
                let all = sets.iter().map(|set| &set.dependencies);
                Self::new(is_secret, Dependencies::all(all))
            }
        }
    }
}
