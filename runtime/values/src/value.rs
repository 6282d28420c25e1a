//! Property values: what programs, engines and providers exchange.

use std::sync::Arc;

use litemap::LiteMap;

use crate::asset::{Archive, Asset};
use crate::dependencies::Dependencies;
use crate::output::Output;
use crate::reference::ResourceReference;
use crate::text::Text;

/// The levels to which values nest: those that this crate builds do not nest deeper, and it refuses
/// to convert others. A value inside a secret or an output is a level deeper.
pub const MAX_DEPTH: usize = 512;

/// Values, or facts about each of them, by name in byte order. Copies share the names.
///
/// Most maps have a few properties, and a program may have a million maps: a list of properties
/// takes a tenth of the memory of a tree. In exchange, a property that is inserted before others
/// moves them, so build a large map with `collect` or `extend`, which sort once.
pub type PropertyMap<V = PropertyValue> = LiteMap<Arc<str>, V>;

/// A value as it reaches the engine, with its secrets, unknowns and dependencies.
///
/// [`Debug`](std::fmt::Debug) and [`Display`](std::fmt::Display) print `[secret]` instead of
/// secrets and `[unknown]` instead of unknown values.
///
/// ```
/// use pcl_values::{PropertyMap, PropertyValue};
/// let value = PropertyValue::Object(PropertyMap::from_iter([
///     ("name".into(), "web".into()),
///     ("ports".into(), vec![80.0.into(), 443.0.into()].into()),
///     ("token".into(), PropertyValue::from("t0p").secret()),
/// ]));
/// assert_eq!(value.to_string(), r#"{"name":"web","ports":[80,443],"token":[secret]}"#);
/// ```
#[derive(Clone, Default, PartialEq)]
pub enum PropertyValue {
    /// The absence of a value.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A 64-bit float.
    Number(f64),
    /// A string.
    String(Text),
    /// A list.
    Array(Vec<PropertyValue>),
    /// Named values.
    Object(PropertyMap),
    /// A blob.
    Asset(Arc<Asset>),
    /// A collection of blobs.
    Archive(Arc<Archive>),
    /// A value that must not be shown.
    Secret(Box<PropertyValue>),
    /// An unknown value of some kind that depends on nothing.
    Computed(Sample),
    /// A value with dependencies. An unknown value with dependencies is either an unknown output or
    /// a known output of a computed value.
    Output(Box<Output<PropertyValue>>),
    /// A reference to a resource.
    Resource(Box<ResourceReference>),
}

/// The kind of a computed value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sample {
    /// Null.
    Null,
    /// A truth value.
    Bool,
    /// A number.
    Number,
    /// A string, or a value of which nothing is known.
    #[default]
    String,
    /// A list.
    Array,
    /// Named values.
    Object,
    /// A blob.
    Asset,
    /// A collection of blobs.
    Archive,
}

impl PropertyValue {
    /// An unknown value of which nothing is known.
    pub const UNKNOWN: Self = Self::Computed(Sample::String);

    /// The value as a secret. An output is a secret output.
    #[must_use]
    pub fn secret(self) -> Self {
        match self {
            Self::Output(output) => output.with_secret(true).into(),
            value => Self::Secret(Box::new(value)),
        }
    }

    /// The value with dependencies. Without any, it is the value itself. A secret and an unknown
    /// value are one output with these dependencies.
    ///
    /// ```
    /// use pcl_values::{Dependencies, PropertyValue, Urn};
    /// let on_box = || Dependencies::on(Urn::from("urn:pulumi:dev::shop::toy:index:Box::box"));
    /// let pin = PropertyValue::from("4711").secret().depending_on(on_box());
    /// assert_eq!(pin, PropertyValue::from("4711").depending_on(on_box()).secret());
    /// assert!(matches!(pin, PropertyValue::Output(output) if output.is_secret()));
    /// ```
    #[must_use]
    pub fn depending_on(self, dependencies: Dependencies) -> Self {
        if dependencies.is_empty() {
            return self;
        }
        let output = match self {
            Self::Secret(value) => return value.depending_on(dependencies).secret(),
            Self::Output(output) => *output,
            Self::Computed(_) => Output::unknown(),
            value => Output::known(value),
        };
        output.with_dependencies(dependencies).into()
    }

    /// Returns true for null, but not for a secret null or an output of null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&Text> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The named values of an object.
    pub fn as_object(&self) -> Option<&PropertyMap> {
        match self {
            Self::Object(properties) => Some(properties),
            _ => None,
        }
    }

    /// The number of parts, the value itself and their parts included.
    pub fn count(&self) -> usize {
        let mut count = 0;
        self.any(&mut |_| {
            count += 1;
            false
        });
        count
    }

    /// All resources on which the value and its parts depend, also inside secrets.
    pub fn dependencies(&self) -> Dependencies {
        let mut sets = Vec::new();
        self.any(&mut |value| {
            if let Self::Output(output) = value {
                sets.push(output.dependencies().clone());
            }
            false
        });
        Dependencies::all(&sets)
    }

    /// Returns true if the value is secret or has a secret part.
    pub fn has_secrets(&self) -> bool {
        self.any(&mut |value| match value {
            Self::Secret(_) => true,
            Self::Output(output) => output.is_secret(),
            _ => false,
        })
    }

    /// The references to resources that the value is or contains, also inside secrets.
    pub fn references(&self) -> Vec<&ResourceReference> {
        let mut references = Vec::new();
        self.any(&mut |value| {
            if let Self::Resource(reference) = value {
                references.push(&**reference);
            }
            false
        });
        references
    }

    /// Takes the bytes of the value, written out, off those that are left, about. Returns false as
    /// soon as there are too few: parts that are shared in memory are written out each time.
    pub fn fits(&self, room: &mut usize) -> bool {
        /// The bytes of a value without its text, and of a name without its letters.
        const LEAST: usize = 8;
        let is_over = self.any(&mut |value| {
            let size = match value {
                Self::String(text) => LEAST + text.len(),
                Self::Object(properties) => {
                    properties.keys().map(|name| LEAST + name.len()).sum::<usize>() + LEAST
                }
                _ => LEAST,
            };
            let left = room.checked_sub(size);
            *room = left.unwrap_or_default();
            left.is_none()
        });
        !is_over
    }

    /// Returns true if a test holds for the value or for a part of it, outer values first. Archives
    /// have no parts.
    fn any<'v>(&'v self, test: &mut impl FnMut(&'v Self) -> bool) -> bool {
        if test(self) {
            return true;
        }
        match self {
            Self::Array(elements) => elements.iter().any(|element| element.any(test)),
            Self::Object(properties) => properties.values().any(|value| value.any(test)),
            Self::Secret(value) => value.any(test),
            Self::Output(output) => output.value().is_some_and(|value| value.any(test)),
            Self::Null
            | Self::Bool(_)
            | Self::Number(_)
            | Self::String(_)
            | Self::Asset(_)
            | Self::Archive(_)
            | Self::Computed(_)
            | Self::Resource(_) => false,
        }
    }
}

impl From<bool> for PropertyValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for PropertyValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for PropertyValue {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for PropertyValue {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<Text> for PropertyValue {
    fn from(text: Text) -> Self {
        Self::String(text)
    }
}

impl From<Vec<PropertyValue>> for PropertyValue {
    fn from(elements: Vec<PropertyValue>) -> Self {
        Self::Array(elements)
    }
}

impl From<PropertyMap> for PropertyValue {
    fn from(properties: PropertyMap) -> Self {
        Self::Object(properties)
    }
}

impl From<Asset> for PropertyValue {
    fn from(asset: Asset) -> Self {
        Self::Asset(Arc::new(asset))
    }
}

impl From<Archive> for PropertyValue {
    fn from(archive: Archive) -> Self {
        Self::Archive(Arc::new(archive))
    }
}

impl From<Output<PropertyValue>> for PropertyValue {
    fn from(output: Output<PropertyValue>) -> Self {
        Self::Output(Box::new(output))
    }
}

impl From<ResourceReference> for PropertyValue {
    fn from(reference: ResourceReference) -> Self {
        Self::Resource(Box::new(reference))
    }
}
