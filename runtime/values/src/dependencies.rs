//! The resources on which a value depends.

use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use crate::urn::Urn;

/// A union of at most so many elements is computed at once.
const FEW: usize = 32;

/// The most unions that are computed together: what has more is computed when it is made.
const MOST_UNIONS: usize = 1024;

/// A set of URNs, sorted, each once. The empty set and a single URN need no memory of their own,
/// and copies share the set.
///
/// A union of large sets is computed when its elements are needed, so the sets of `n` values, each
/// of which depends on what the one before depends on, do not have `n * n` elements.
///
/// ```
/// use pcl_values::{Dependencies, Urn};
/// let set = |names: &[&str]| names.iter().map(|&name| Urn::from(name)).collect::<Dependencies>();
/// assert_eq!(set(&["b", "a", "b"]).union(&set(&["c"])), set(&["a", "b", "c"]));
/// ```
#[derive(Clone, Default)]
pub struct Dependencies(Elements);

#[derive(Clone, Default)]
enum Elements {
    #[default]
    None,
    /// Most values depend on one resource, if on any.
    One(Urn),
    Many(Arc<Set>),
}

impl Elements {
    /// The same as a set; `None` if there are no elements.
    fn to_set(&self) -> Option<Arc<Set>> {
        match self {
            Self::None => None,
            Self::One(urn) => Some(Arc::new(Set::of(vec![urn.clone()]))),
            Self::Many(set) => Some(Arc::clone(set)),
        }
    }
}

struct Set {
    /// The elements in their order.
    urns: OnceLock<Box<[Urn]>>,
    /// The sets of which this one is the union, unless its elements were known from the start.
    parts: Box<[Arc<Set>]>,
    /// The number of unions in this one, itself included, whose elements were not known when they
    /// were made. It limits how deeply sets nest.
    unions: usize,
}

impl Set {
    /// The set of these elements, which are in their order.
    fn of(urns: Vec<Urn>) -> Self {
        Self { urns: OnceLock::from(urns.into_boxed_slice()), parts: Box::default(), unions: 0 }
    }

    /// The elements, if they are known.
    fn known(&self) -> Option<&[Urn]> {
        self.urns.get().map(|urns| &**urns)
    }

    fn urns(&self) -> &[Urn] {
        self.urns.get_or_init(|| elements(&self.parts).into())
    }
}

/// The elements of all sets in their order.
fn elements(sets: &[Arc<Set>]) -> Vec<Urn> {
    let mut urns = Vec::new();
    let mut seen: HashSet<*const Set> = HashSet::new();
    let mut pending: Vec<&Arc<Set>> = sets.iter().collect();
    while let Some(set) = pending.pop() {
        if !seen.insert(Arc::as_ptr(set)) {
            continue;
        }
        match set.known() {
            Some(known) => urns.extend_from_slice(known),
            None => pending.extend(&set.parts),
        }
    }
    urns.sort_unstable();
    urns.dedup();
    urns
}

impl Dependencies {
    /// The set without elements.
    pub const NONE: Self = Self(Elements::None);

    /// The set of one resource.
    pub fn on(urn: Urn) -> Self {
        Self(Elements::One(urn))
    }

    /// Returns true for the empty set.
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Elements::None)
    }

    /// The URNs in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Urn> {
        self.as_slice().iter()
    }

    /// The URNs in their order.
    pub fn as_slice(&self) -> &[Urn] {
        match &self.0 {
            Elements::None => &[],
            Elements::One(urn) => std::slice::from_ref(urn),
            Elements::Many(set) => set.urns(),
        }
    }

    /// Returns true if this set has all elements of another one.
    pub fn includes(&self, other: &Self) -> bool {
        includes(self.as_slice(), other.as_slice())
    }

    /// Returns true if this set is a copy of another one, which it may be equal to even if it is
    /// none.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Elements::None, Elements::None) => true,
            (Elements::One(mine), Elements::One(others)) => mine == others,
            (Elements::Many(mine), Elements::Many(others)) => Arc::ptr_eq(mine, others),
            _ => false,
        }
    }

    /// The elements of both sets; a copy of one of them if it is seen at once that this has all.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        match () {
            () if self.has(other) => self.clone(),
            () if other.has(self) => other.clone(),
            () => Self::of_sets(vec![self, other]),
        }
    }

    /// Returns true if it is seen at once that this set has all elements of another one.
    fn has(&self, part: &Self) -> bool {
        let known = |own: &Self| match &own.0 {
            Elements::Many(set) => set.known().is_some(),
            _ => true,
        };
        let is_part = match (&self.0, &part.0) {
            (Elements::Many(set), Elements::Many(part)) => {
                set.parts.iter().any(|own| Arc::ptr_eq(own, part))
            }
            _ => false,
        };
        part.is_empty()
            || is_part
            || self.is_copy_of(part)
            || known(self) && known(part) && part.as_slice().len() <= FEW && self.includes(part)
    }

    /// The elements of several sets.
    pub fn all<'s>(sets: impl IntoIterator<Item = &'s Self>) -> Self {
        let mut sets: Vec<&Self> = sets.into_iter().filter(|set| !set.is_empty()).collect();
        sets.sort_unstable_by_key(|set| set.identity());
        sets.dedup_by_key(|set| set.identity());
        match &sets[..] {
            [] => Self::NONE,
            [only] => (*only).clone(),
            _ => Self::of_sets(sets),
        }
    }

    /// The address of the elements, which copies share.
    fn identity(&self) -> *const () {
        match &self.0 {
            Elements::None => std::ptr::null(),
            Elements::One(urn) => urn.as_str().as_ptr().cast(),
            Elements::Many(set) => Arc::as_ptr(set).cast(),
        }
    }

    fn of_sets(sets: Vec<&Self>) -> Self {
        let sets = sets.into_iter().filter_map(|set| set.0.to_set());
        let sets: Vec<Arc<Set>> = sets.collect();
        let unions = sets.iter().map(|set| set.unions);
        let unions = unions.fold(1_usize, usize::saturating_add);
        let lengths = sets.iter().map(|set| set.known().map(<[Urn]>::len));
        let length = lengths.sum::<Option<usize>>();
        let set = if unions > MOST_UNIONS || length.is_some_and(|length| length <= FEW) {
            Set::of(elements(&sets))
        } else {
            Set { urns: OnceLock::new(), parts: sets.into(), unions }
        };
        Self(Elements::Many(Arc::new(set)))
    }
}

/// Returns true if a sorted list has all elements of another one.
fn includes(urns: &[Urn], others: &[Urn]) -> bool {
    others.iter().all(|urn| urns.binary_search(urn).is_ok())
}

impl FromIterator<Urn> for Dependencies {
    fn from_iter<I: IntoIterator<Item = Urn>>(urns: I) -> Self {
        let mut urns: Vec<Urn> = urns.into_iter().collect();
        urns.sort_unstable();
        urns.dedup();
        match <[Urn; 1]>::try_from(urns) {
            Ok([urn]) => Self::on(urn),
            Err(urns) if urns.is_empty() => Self::NONE,
            Err(urns) => Self(Elements::Many(Arc::new(Set::of(urns)))),
        }
    }
}

impl PartialEq for Dependencies {
    fn eq(&self, other: &Self) -> bool {
        self.is_copy_of(other) || self.as_slice() == other.as_slice()
    }
}

impl Eq for Dependencies {}

impl Hash for Dependencies {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_slice().hash(state);
    }
}

impl fmt::Debug for Dependencies {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: impl IntoIterator<Item = usize>) -> Dependencies {
        let urns = names.into_iter();
        urns.map(|name| Urn::from(format!("{name:05}"))).collect()
    }

    #[test]
    fn a_long_chain_of_unions_has_all_elements() {
        let mut chain = Dependencies::NONE;
        for name in 0..10_000 {
            chain = chain.union(&set([name]));
        }
        assert_eq!(chain, set(0..10_000));
        // One whose elements are read after each step does not nest more deeply.
        let mut chain = Dependencies::NONE;
        for name in 0..3_000 {
            chain = chain.union(&set([name]));
            assert_eq!(chain.as_slice().len(), name + 1);
        }
        assert!(matches!(chain.0, Elements::Many(set) if set.unions <= MOST_UNIONS));
    }

    #[test]
    fn a_union_that_adds_nothing_is_a_copy() {
        let (large, small) = (set(0..1000), set(5..9));
        assert!(large.union(&small).is_copy_of(&large));
        assert!(small.union(&large).is_copy_of(&large));
        let both = large.union(&set(900..1100));
        assert!(both.union(&large).is_copy_of(&both));
        assert_eq!(both.as_slice().len(), 1100);
    }

    #[test]
    fn many_sets_have_one_union() {
        let sets: Vec<Dependencies> = (0..100).map(|name| set(name..name + 50)).collect();
        let twice = sets.iter().chain(&sets);
        assert_eq!(Dependencies::all(twice), set(0..149));
        let one = &sets[..1];
        assert!(Dependencies::all(one.iter().chain(one)).is_copy_of(&sets[0]));
        assert!(Dependencies::all([&Dependencies::NONE]).is_empty());
    }
}
