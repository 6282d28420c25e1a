//! Property paths: places in values.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use crate::error::PathError;

/// A path to a value inside others: names of properties and indexes of elements.
///
/// ```
/// use pcl_values::PropertyPath;
/// let path: PropertyPath = r#"tags["my.key"][0]"#.parse().unwrap();
/// assert_eq!(path.keys(), ["tags".into(), "my.key".into(), 0.into()]);
/// assert_eq!(path.to_string(), r#"tags["my.key"][0]"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyPath(Vec<Key>);

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The name of a property; `*` stands for every name and every index.
    Name(String),
    /// The index of an element. No element has a negative one.
    Index(i64),
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
    /// The steps.
    pub fn keys(&self) -> &[Key] {
        &self.0
    }
}

impl FromIterator<Key> for PropertyPath {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Self {
        Self(keys.into_iter().collect())
    }
}

/// Every text between dots and brackets is a name, and a quote in a quoted name is written `\"`; no
/// other character has a meaning. A bracket may follow a dot, as some providers write it.
impl FromStr for PropertyPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        if text.starts_with('.') {
            return Err(PathError::Start);
        }
        let mut keys = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('.') {
                if after.is_empty() {
                    return Err(PathError::End);
                }
                rest = after;
            } else if let Some(after) = rest.strip_prefix("[\"") {
                let (name, after) = quoted(after)?;
                keys.push(Key::Name(name));
                rest = after.strip_prefix(']').ok_or(PathError::OpenName)?;
            } else if let Some(after) = rest.strip_prefix('[') {
                let (index, after) = after.split_once(']').ok_or(PathError::OpenIndex)?;
                keys.push(match index {
                    "*" => Key::from("*"),
                    _ => {
                        let invalid = |_| PathError::Index(index.to_owned());
                        Key::Index(index.parse().map_err(invalid)?)
                    }
                });
                rest = after;
            } else {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                keys.push(Key::from(name));
                rest = after;
            }
        }
        Ok(Self(keys))
    }
}

/// The text that is read as the path. There is none for a name that ends with
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

/// A name up to its quote, and what follows that.
fn quoted(text: &str) -> Result<(String, &str), PathError> {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"').ok_or(PathError::OpenQuote)?;
        match before.strip_suffix('\\') {
            Some(before) => {
                name.push_str(before);
                name.push('"');
                rest = after;
            }
            None => {
                name.push_str(before);
                return Ok((name, after));
            }
        }
    }
}
