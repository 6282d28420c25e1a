//! Lists and objects: values with parts, and what is known about all parts together.

use std::sync::{Arc, OnceLock};

use pcl_values::MAX_DEPTH;

use super::{Kind, Marks, Value};

/// The most parts that a value may have, its parts' parts included, each as often as it occurs.
///
/// Values share their parts, so a program of `n` lines can denote a value of `2^n` parts.
/// Everything that walks over a value takes at most this many steps.
pub const MAX_PARTS: usize = 1 << 20;

/// The reason why a value cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// It nests more than [`MAX_DEPTH`] levels.
    Depth,
    /// It has more than [`MAX_PARTS`] parts.
    Parts,
}

/// Facts about a value and all of its parts.
#[derive(Debug, Default)]
struct Facts {
    depth: usize,
    parts: usize,
    has_unknown: bool,
    has_marks: bool,
    /// The name of a failed resource on which a part depends.
    poison: Option<Arc<str>>,
    /// The marks of all parts, computed when they are needed.
    marks: OnceLock<Marks>,
}

impl Facts {
    fn of<'v>(parts: impl Iterator<Item = &'v Value>) -> Result<Self, TooLarge> {
        let mut facts = Self::default();
        for part in parts {
            let inner = part.facts();
            facts.parts = facts
                .parts
                .saturating_add(1)
                .saturating_add(inner.map_or(0, |facts| facts.parts));
            facts.depth = facts.depth.max(inner.map_or(0, |facts| facts.depth));
            facts.has_unknown |= part.is_unknown() || inner.is_some_and(|facts| facts.has_unknown);
            facts.has_marks |= !part.marks.is_empty() || inner.is_some_and(|facts| facts.has_marks);
            if facts.poison.is_none() {
                facts.poison = part.poison().cloned();
            }
        }
        facts.depth += 1;
        if facts.depth > MAX_DEPTH {
            return Err(TooLarge::Depth);
        }
        if facts.parts > MAX_PARTS {
            return Err(TooLarge::Parts);
        }
        Ok(facts)
    }
}

/// The elements of a list.
pub struct List {
    elements: Vec<Value>,
    facts: Facts,
}

impl List {
    /// The elements in order.
    #[must_use]
    pub fn elements(&self) -> &[Value] {
        &self.elements
    }
}

/// The named values of an object, in byte order of their names.
#[derive(Default)]
pub struct Object {
    fields: Vec<(Arc<str>, Value)>,
    facts: Facts,
}

impl Object {
    /// The object with these fields; of several with one name, the last one counts.
    ///
    /// # Errors
    /// Returns an error if the object is too large.
    pub fn new(mut fields: Vec<(Arc<str>, Value)>) -> Result<Self, TooLarge> {
        if !fields.is_sorted_by(|(one, _), (next, _)| one < next) {
            fields.reverse();
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
            fields.dedup_by(|(later, _), (earlier, _)| later == earlier);
        }
        let facts = Facts::of(fields.iter().map(|(_, value)| value))?;
        Ok(Self { fields, facts })
    }

    /// The fields in byte order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> {
        self.fields.iter().map(|(name, value)| (name, value))
    }

    /// The value of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.fields.binary_search_by(|(own, _)| (**own).cmp(name));
        self.fields.get(at.ok()?).map(|(_, value)| value)
    }

    /// The number of fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Returns true if there are no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The names in byte order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| &**name)
    }
}

impl Value {
    /// A list.
    ///
    /// # Errors
    /// Returns an error if it is too large.
    pub fn list(elements: Vec<Self>) -> Result<Self, TooLarge> {
        let facts = Facts::of(elements.iter())?;
        Ok(Kind::List(Arc::new(List { elements, facts })).into())
    }

    /// An object; of several fields with one name, the last one counts.
    ///
    /// # Errors
    /// Returns an error if it is too large.
    pub fn object(fields: Vec<(Arc<str>, Self)>) -> Result<Self, TooLarge> {
        Ok(Kind::Object(Arc::new(Object::new(fields)?)).into())
    }

    /// The number of parts, their parts included.
    #[must_use]
    pub fn count(&self) -> usize {
        self.facts().map_or(0, |facts| facts.parts)
    }

    /// Returns true if the value has more parts or levels than these.
    pub(crate) fn exceeds(&self, (parts, depth): (usize, usize)) -> bool {
        let facts = self.facts();
        facts.is_some_and(|facts| facts.parts > parts || facts.depth > depth)
    }

    fn facts(&self) -> Option<&Facts> {
        match &self.kind {
            Kind::List(list) => Some(&list.facts),
            Kind::Object(object) => Some(&object.facts),
            Kind::Resource(resource) => resource.known_fields().map(|object| &object.facts),
            _ => None,
        }
    }

    /// Returns true if the value, or a part of it, is unknown.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        self.is_unknown() || self.facts().is_some_and(|facts| facts.has_unknown)
    }

    /// The name of the failed resource on which the value, or a part of it, depends.
    #[must_use]
    pub fn poison(&self) -> Option<&Arc<str>> {
        match &self.kind {
            Kind::Poisoned(name) => Some(name),
            // No property that is computed later depends on a failed resource.
            Kind::Resource(resource) => resource.computed_fields()?.facts.poison.as_ref(),
            _ => self.facts()?.poison.as_ref(),
        }
    }

    /// The marks of the value and of all its parts.
    #[must_use]
    pub fn deep_marks(&self) -> Marks {
        match self.facts() {
            Some(facts) if facts.has_marks => {
                self.marks.clone().union(facts.marks.get_or_init(|| {
                    let parts: Vec<Marks> = self.parts().map(Self::deep_marks).collect();
                    Marks::all(&parts)
                }))
            }
            _ => self.marks.clone(),
        }
    }

    /// The value without any marks, nor those of its parts.
    pub(crate) fn unmarked(&self) -> Result<Self, TooLarge> {
        if !self.facts().is_some_and(|facts| facts.has_marks) {
            return Ok(self.kind.clone().into());
        }
        let fields = match &self.kind {
            Kind::List(list) => {
                let elements = list.elements.iter().map(Self::unmarked);
                return Self::list(elements.collect::<Result<_, _>>()?);
            }
            Kind::Object(object) => Some(&**object),
            Kind::Resource(resource) => resource.known_fields(),
            _ => None,
        };
        let fields = fields.into_iter().flat_map(Object::iter);
        let fields = fields.map(|(name, value)| Ok((Arc::clone(name), value.unmarked()?)));
        Self::object(fields.collect::<Result<_, _>>()?)
    }

    /// The elements of a list, or the values of an object.
    pub(crate) fn parts(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match &self.kind {
            Kind::List(list) => Box::new(list.elements.iter()),
            Kind::Object(object) => Box::new(object.iter().map(|(_, value)| value)),
            Kind::Resource(resource) => match resource.known_fields() {
                Some(fields) => Box::new(fields.iter().map(|(_, value)| value)),
                None => Box::new(std::iter::empty()),
            },
            _ => Box::new(std::iter::empty()),
        }
    }
}
