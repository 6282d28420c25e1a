//! Strings as programs have them: bytes that are normally, but not necessarily, UTF-8.

use std::fmt;
use std::sync::Arc;

/// A string of a running program. Copies share their bytes.
///
/// Files and decoded base64 may hold bytes that are not UTF-8; they pass through a program
/// unchanged. Nothing is normalised: `"e\u{301}"` and `"é"` are two strings. Strings are ordered by
/// their bytes.
///
/// A string does not know the marks of the values that it is a part of. So nothing prints it, and
/// its content has one getter, [`Text::unmarked`], whose users `tests/architecture` lists.
///
/// ```
/// use pcl_values::Text;
/// assert_eq!(Text::from("é").unmarked().as_str(), Some("é"));
/// let bytes = Text::from(vec![0xff, 0x00]);
/// assert_eq!((bytes.unmarked().as_str(), bytes.unmarked().as_bytes()), (None, &[0xff, 0x00][..]));
/// assert_eq!(format!("{bytes:?}"), "[text]");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(Unmarked);

/// The content of a [`Text`], without the marks of the values that the text is a part of.
#[derive(Clone)]
pub struct Unmarked(Bytes);

#[derive(Clone)]
enum Bytes {
    Utf8(Arc<str>),
    /// Bytes that are not UTF-8.
    Other(Arc<[u8]>),
}

impl Text {
    /// The content. Whoever takes it answers for the marks, which tell if it may be shown.
    pub fn unmarked(&self) -> &Unmarked {
        &self.0
    }

    /// Returns true for the empty string.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.0.as_bytes().len()
    }
}

impl Unmarked {
    /// The text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Bytes::Utf8(text) => Some(text),
            Bytes::Other(_) => None,
        }
    }

    /// The text, which copies share, if it is UTF-8.
    pub fn shared(&self) -> Option<Arc<str>> {
        match &self.0 {
            Bytes::Utf8(text) => Some(Arc::clone(text)),
            Bytes::Other(_) => None,
        }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Bytes::Utf8(text) => text.as_bytes(),
            Bytes::Other(bytes) => bytes,
        }
    }
}

impl Default for Unmarked {
    fn default() -> Self {
        Self(Bytes::Utf8("".into()))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(Unmarked(Bytes::Utf8(text.into())))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(Unmarked(Bytes::Utf8(text.into())))
    }
}

impl From<Arc<str>> for Text {
    fn from(text: Arc<str>) -> Self {
        Self(Unmarked(Bytes::Utf8(text)))
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(error) => Self(Unmarked(Bytes::Other(error.into_bytes().into()))),
        }
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => Self(Unmarked(Bytes::Other(bytes.into()))),
        }
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0.as_bytes() == other.as_bytes()
    }
}

impl PartialEq for Unmarked {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Unmarked {}

impl PartialOrd for Unmarked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Unmarked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl std::hash::Hash for Unmarked {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

/// The text, with a replacement character for what is not UTF-8.
impl fmt::Display for Unmarked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&String::from_utf8_lossy(self.as_bytes()))
    }
}

/// No content: it may be secret.
impl fmt::Debug for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[text]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_does_not_matter_for_equality() {
        assert_eq!(Text::from(b"abc".to_vec()), Text::from("abc"));
        assert_ne!(Text::from("e\u{301}"), Text::from("\u{e9}"));
        assert!(Text::from(vec![0xff]).cmp(&Text::from("z")).is_gt());
    }
}
