//! The values of a running program.
//!
//! The rules, with examples: `tests/spec/run/value.md`.

mod container;
mod marks;
mod property;
mod resource;
mod summary;

use std::fmt;
use std::sync::Arc;

use pcl_number::Number;
use pcl_values::{Archive, Asset, Text};

pub use container::{List, MAX_PARTS, Object, TooLarge};
pub use marks::Marks;
pub use property::References;
pub(crate) use resource::Later;
pub use resource::Resource;
pub(crate) use summary::Summary;

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
    #[must_use]
    pub const fn unknown(marks: Marks) -> Self {
        Self { kind: Kind::Unknown, marks }
    }

    /// Returns true for an unknown value; not for a known one with unknown parts.
    #[must_use]
    pub const fn is_unknown(&self) -> bool {
        matches!(self.kind, Kind::Unknown)
    }

    /// Returns true for null, marked or not.
    #[must_use]
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
    #[must_use]
    pub fn as_text(&self) -> Option<&Text> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(list) => Some(list.elements()),
            _ => None,
        }
    }

    /// The noun for the kind of value in messages.
    #[must_use]
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
