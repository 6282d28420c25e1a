//! Lists, objects and resources: values with parts, and what is known about all parts together.

use std::sync::{Arc, OnceLock};

use pcl_values::{MAX_DEPTH, Output, PropertyValue, ResourceId, ResourceReference, Urn};

use super::{Kind, Marks, Value};

/// The most parts that a value may have, its parts' parts included, each as often as it occurs.
///
/// Values share their parts, so a program of `n` lines can denote a value of `2^n` parts.
/// Everything that walks over a value takes at most this many steps.
pub const MAX_PARTS: usize = 1 << 20;

/// The reason why a value cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// It nests more than [`MAX_DEPTH`](pcl_values::MAX_DEPTH) levels.
    Depth,
    /// It has more than [`MAX_PARTS`] parts.
    Parts,
}

/// Facts about the parts of a value.
#[derive(Debug, Default)]
struct Facts {
    summary: Summary,
    /// The name of a failed resource on which a part depends.
    poison: Option<Arc<str>>,
    /// The marks of all parts, computed when they are needed.
    marks: OnceLock<Marks>,
}

impl Facts {
    fn of<'v>(parts: impl Iterator<Item = &'v Value>) -> Result<Self, TooLarge> {
        let mut poison = None;
        let summaries = parts.map(|part| {
            if poison.is_none() {
                poison = part.poison().cloned();
            }
            part.summary()
        });
        Ok(Self { summary: Summary::of_parts(summaries).check()?, poison, marks: OnceLock::new() })
    }
}

impl Kind {
    /// The summary of a value of this kind without marks of its own.
    fn summary(&self) -> Summary {
        match self {
            Self::Unknown => Summary::UNKNOWN,
            Self::List(list) => list.facts.summary,
            Self::Object(object) => object.facts.summary,
            Self::Resource(resource) => resource.summary().unwrap_or_default(),
            _ => Summary::LEAF,
        }
    }
}

/// The elements of a list.
pub struct List {
    elements: Vec<Value>,
    facts: Facts,
}

impl List {
    /// The elements in order.
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
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.fields.binary_search_by(|(own, _)| (**own).cmp(name));
        self.fields.get(at.ok()?).map(|(_, value)| value)
    }

    /// The number of fields.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Returns true if there are no fields.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The summary of a value with these fields.
    pub(crate) fn summary(&self) -> Summary {
        self.facts.summary
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
    pub fn count(&self) -> usize {
        self.kind.summary().parts()
    }

    /// Returns true if the value has more parts or levels than these.
    pub(crate) fn exceeds(&self, (parts, depth): (usize, usize)) -> bool {
        let summary = self.kind.summary();
        summary.parts() > parts || summary.depth() > depth
    }

    /// The summary of the value with its marks.
    pub(crate) fn summary(&self) -> Summary {
        let unmarked = self.kind.summary();
        if self.marks.is_empty() { unmarked } else { unmarked.marked() }
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
    pub fn has_unknown(&self) -> bool {
        self.kind.summary().has_unknown
    }

    /// The name of the failed resource on which the value, or a part of it, depends.
    pub fn poison(&self) -> Option<&Arc<str>> {
        match &self.kind {
            Kind::Poisoned(name) => Some(name),
            // No property that is computed later depends on a failed resource.
            Kind::Resource(resource) => resource.computed_fields()?.facts.poison.as_ref(),
            _ => self.facts()?.poison.as_ref(),
        }
    }

    /// The marks of the value and of all its parts.
    pub fn deep_marks(&self) -> Marks {
        if !self.kind.summary().has_marks {
            return self.marks.clone();
        }
        let of_parts = || {
            let parts: Vec<Marks> = self.parts().map(Self::deep_marks).collect();
            Marks::all(&parts)
        };
        match self.facts() {
            Some(facts) => self.marks.clone().union(facts.marks.get_or_init(of_parts)),
            None => self.marks.clone(),
        }
    }

    /// The value without any marks, nor those of its parts.
    pub(crate) fn unmarked(&self) -> Result<Self, TooLarge> {
        if !self.kind.summary().has_marks {
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
    pub fn new(reference: ResourceReference, fields: Object) -> Self {
        Self { reference, fields: OnceLock::from(Arc::new(fields)), later: None }
    }

    /// A resource whose properties are computed when one of them is read.
    pub(crate) fn deferred(reference: ResourceReference, later: Box<dyn Later>) -> Self {
        Self { reference, fields: OnceLock::new(), later: Some(later) }
    }

    /// A resource whose properties are not known here.
    pub fn referred(reference: ResourceReference) -> Self {
        Self { reference, fields: OnceLock::new(), later: None }
    }

    /// The URN.
    pub fn urn(&self) -> &Urn {
        &self.reference.urn
    }

    /// The id.
    pub fn id(&self) -> &ResourceId {
        &self.reference.id
    }

    /// The properties, `id`, `urn`, `__name` and `__type`; `None` if they have to be fetched.
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
    fn summary(&self) -> Option<Summary> {
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
        Kind::Resource(Arc::new(resource)).into()
    }
}

/// Facts about a value and all of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    parts: u32,
    depth: u16,
    /// The value or one of its parts is unknown.
    pub has_unknown: bool,
    /// The value or one of its parts has marks.
    pub has_marks: bool,
}

impl Summary {
    /// The summary of a value without parts.
    pub const LEAF: Self = Self { parts: 0, depth: 0, has_unknown: false, has_marks: false };

    /// The summary of an unknown value without marks.
    pub const UNKNOWN: Self = Self { has_unknown: true, ..Self::LEAF };

    /// The number of parts, their parts included.
    pub fn parts(self) -> usize {
        self.parts as usize
    }

    /// The number of levels below the value.
    pub fn depth(self) -> usize {
        self.depth.into()
    }

    /// The same with marks.
    pub fn marked(self) -> Self {
        Self { has_marks: true, ..self }
    }

    /// The summary of a value with these parts.
    pub fn of_parts(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::LEAF;
        for part in parts {
            all.parts = all.parts.saturating_add(part.parts).saturating_add(1);
            all.depth = all.depth.max(part.depth);
            all.has_unknown |= part.has_unknown;
            all.has_marks |= part.has_marks;
        }
        all.depth = all.depth.saturating_add(1);
        all
    }

    /// Returns an error if no value may be as large.
    pub fn check(self) -> Result<Self, TooLarge> {
        match self {
            _ if self.depth() > MAX_DEPTH => Err(TooLarge::Depth),
            _ if self.parts() > MAX_PARTS => Err(TooLarge::Parts),
            _ => Ok(self),
        }
    }

    /// The summary of the value that an engine answers as this.
    pub fn of_property(value: &PropertyValue) -> Self {
        match value {
            PropertyValue::Array(elements) => {
                Self::of_parts(elements.iter().map(Self::of_property))
            }
            PropertyValue::Object(fields) => Self::of_parts(fields.values().map(Self::of_property)),
            PropertyValue::Secret(inner) => Self::of_property(inner).marked(),
            PropertyValue::Computed(_) => Self::UNKNOWN,
            PropertyValue::Output(output) => {
                Self::of_output(output, output.value().map(Self::of_property))
            }
            _ => Self::LEAF,
        }
    }

    /// The summary of an output, given that of its value if there is one.
    pub fn of_output(output: &Output<PropertyValue>, value: Option<Self>) -> Self {
        let value = value.unwrap_or(Self::UNKNOWN);
        if output.is_secret() || !output.dependencies().is_empty() { value.marked() } else { value }
    }
}
