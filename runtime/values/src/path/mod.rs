//! Property paths: places in values.

mod edit;
mod parse;
mod reset;

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::error::PathError;

/// A path to a value inside others: names of properties and indexes of elements.
///
/// ```
/// use pcl_values::{PropertyPath, PropertyValue};
/// let path: PropertyPath = r#"tags["my.key"][0]"#.parse().unwrap();
/// let mut value = PropertyValue::Null;
/// assert!(path.add(&mut value, true.into()));
/// assert_eq!(value.to_string(), r#"{"tags":{"my.key":[true]}}"#);
/// assert_eq!(path.get(&value), Some(&true.into()));
/// assert_eq!(path.to_string(), r#"tags["my.key"][0]"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyPath(Vec<Key>);

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The name of a property. In [`PropertyPath::contains`] and [`PropertyPath::reset`], `*`
    /// stands for every name and every index.
    Name(String),
    /// The index of an element. No element has a negative one.
    Index(i64),
}

impl Key {
    /// Returns true for `*`.
    fn is_wildcard(&self) -> bool {
        matches!(self, Self::Name(name) if name == "*")
    }
}

impl From<&str> for Key {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<usize> for Key {
    fn from(index: usize) -> Self {
        Self::Index(i64::try_from(index).unwrap_or(i64::MAX))
    }
}

impl PropertyPath {
    /// Reads a path.
    ///
    /// A bracket may follow a dot, as some providers write it.
    ///
    /// # Errors
    /// Returns an error for a path that begins or ends with a dot, for quotes and brackets without
    /// an end, and for an index that is no whole number.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        parse::parse(text, false).map(Self)
    }

    /// Reads a path as [`PropertyPath::parse`], but refuses a bracket that follows a dot.
    ///
    /// # Errors
    /// Returns an error for such a bracket, and those of [`PropertyPath::parse`].
    pub fn parse_strict(text: &str) -> Result<Self, PathError> {
        parse::parse(text, true).map(Self)
    }

    /// The steps.
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        &self.0
    }

    /// Returns true for the path to the value itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the other path leads to the same place or below it. A `*` in this path is
    /// any step of the other one.
    ///
    /// ```
    /// use pcl_values::PropertyPath;
    /// let path = |text| PropertyPath::parse(text).unwrap();
    /// assert!(path("a[*].x").contains(&path("a[3].x.y")));
    /// assert!(!path("a[0]").contains(&path("a")));
    /// ```
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        let is_same = |(mine, others): (&Key, &Key)| mine.is_wildcard() || mine == others;
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(is_same)
    }
}

impl FromIterator<Key> for PropertyPath {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Self {
        Self(keys.into_iter().collect())
    }
}

impl FromStr for PropertyPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}

/// The text that [`PropertyPath::parse`] reads as the path. There is none for a name that ends with
/// a backslash, which cannot be written.
impl fmt::Display for PropertyPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        for (place, key) in self.0.iter().enumerate() {
            match key {
                Key::Index(index) => write!(out, "[{index}]")?,
                Key::Name(name) if !name.is_empty() && name.bytes().all(is_bare) => {
                    out.write_str(if place > 0 { "." } else { "" })?;
                    out.write_str(name)?;
                }
                Key::Name(name) => {
                    out.write_str("[\"")?;
                    for char in name.chars() {
                        out.write_str(if char == '"' { "\\" } else { "" })?;
                        out.write_char(char)?;
                    }
                    out.write_str("\"]")?;
                }
            }
        }
        Ok(())
    }
}
