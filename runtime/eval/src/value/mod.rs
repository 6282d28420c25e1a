//! The values of a running program.
//!
//! The rules, with examples: `tests/spec/run/value.md`.

mod container;
mod property;

use std::fmt;
use std::sync::Arc;

use pcl_number::Number;
use pcl_values::{Archive, Asset, Dependencies, Text};

pub(crate) use container::{Later, Summary};
pub use container::{List, MAX_PARTS, Object, Resource, TooLarge};
pub use property::References;

/// A value of a running program, with its marks. Copies share their content.
#[derive(Clone, Debug)]
pub struct Value {
    /// The value itself.
    pub kind: Kind,
    /// The marks of the value as a whole; its parts have their own.
    pub marks: Marks,
}

/// The kinds of values.
#[derive(Clone)]
pub enum Kind {
    /// A value that will be known later.
    Unknown,
    /// The absence of a value.
    Null,
    /// A truth value.
    Bool(bool),
    /// An exact number.
    Number(Number),
    /// A string.
    String(Text),
    /// A list.
    List(Arc<List>),
    /// Named values.
    Object(Arc<Object>),
    /// A resource.
    Resource(Arc<Resource>),
    /// A blob.
    Asset(Arc<Asset>),
    /// A collection of blobs.
    Archive(Arc<Archive>),
    /// A value that does not exist, because the resource of this name failed.
    Poisoned(Arc<str>),
}

impl Value {
    /// Null without marks.
    pub const NULL: Self = Self { kind: Kind::Null, marks: Marks::NONE };

    /// An unknown value without marks.
    pub const UNKNOWN: Self = Self { kind: Kind::Unknown, marks: Marks::NONE };

    /// An unknown value with these marks.
    pub const fn unknown(marks: Marks) -> Self {
        Self { kind: Kind::Unknown, marks }
    }

    /// Returns true for an unknown value; not for a known one with unknown parts.
    pub const fn is_unknown(&self) -> bool {
        matches!(self.kind, Kind::Unknown)
    }

    /// Returns true for null, marked or not.
    pub const fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    /// The value with more marks.
    #[must_use]
    pub fn marked(mut self, marks: &Marks) -> Self {
        self.marks.add(marks);
        self
    }

    /// The value as a secret.
    #[must_use]
    pub fn secret(self) -> Self {
        self.marked(&Marks::secret())
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&Text> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(list) => Some(list.elements()),
            _ => None,
        }
    }

    /// The noun for the kind of value in messages.
    pub const fn noun(&self) -> &'static str {
        self.kind.noun()
    }
}

impl Kind {
    const fn noun(&self) -> &'static str {
        match self {
            Self::Unknown => "an unknown value",
            Self::Null => "null",
            Self::Bool(_) => "a bool",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
            Self::Resource(_) => "a resource",
            Self::Asset(_) => "an asset",
            Self::Archive(_) => "an archive",
            Self::Poisoned(_) => "a value of a failed resource",
        }
    }
}

/// No more than the noun: the marks, which tell if the value may be shown, are beside it.
impl fmt::Debug for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.noun())
    }
}

impl From<Kind> for Value {
    fn from(kind: Kind) -> Self {
        Self { kind, marks: Marks::NONE }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Kind::Bool(value).into()
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Kind::Number(number).into()
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Kind::Number(number.into()).into()
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Kind::String(text).into()
    }
}

impl From<Arc<str>> for Value {
    fn from(text: Arc<str>) -> Self {
        Kind::String(text.into()).into()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Kind::String(text.into()).into()
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Kind::String(text.into()).into()
    }
}

impl From<Asset> for Value {
    fn from(asset: Asset) -> Self {
        Kind::Asset(Arc::new(asset)).into()
    }
}

impl From<Archive> for Value {
    fn from(archive: Archive) -> Self {
        Kind::Archive(Arc::new(archive)).into()
    }
}

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
    pub fn new(is_secret: bool, dependencies: Dependencies) -> Self {
        if !is_secret && dependencies.is_empty() {
            return Self::NONE;
        }
        Self(Some(Arc::new(MarkSet { is_secret, dependencies })))
    }

    /// The marks of a secret.
    pub fn secret() -> Self {
        Self::new(true, Dependencies::NONE)
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true for the marks of a secret.
    pub fn is_secret(&self) -> bool {
        self.0.as_ref().is_some_and(|marks| marks.is_secret)
    }

    /// The resources that the value depends on.
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
