//! Values that the type system knows: the constants that literals and schemas carry, and the exact
//! numbers in them.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

pub use pcl_number::Number;

/// The value of a literal, or of a schema property that can only hold one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An exact number.
    Number(Number),
    /// A string, in the composed form in which the syntax layer gives it.
    String(Arc<str>),
}

impl Constant {
    /// The text that this constant has as an object key or inside a template; `None` for null.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Null => None,
            Self::Bool(value) => Some(value.to_string().into()),
            Self::Number(value) => Some(value.to_string().into()),
            Self::String(value) => Some(Cow::Borrowed(value)),
        }
    }
}

impl From<&str> for Constant {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<bool> for Constant {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Constant {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}

/// As source text: `null`, `true`, `12`, `"quoted"`.
impl fmt::Display for Constant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("null"),
            Self::Bool(value) => value.fmt(out),
            Self::Number(value) => value.fmt(out),
            Self::String(value) => out.write_str(&quote(value)),
        }
    }
}

/// `text` in quotes, with everything that does not print written as an escape.
pub(crate) fn quote(text: &str) -> String {
    use fmt::Write;
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            ' '..='~' => quoted.push(c),
            _ if prints(c) => quoted.push(c),
            '\0'..='\u{7f}' => _ = write!(quoted, "\\x{:02x}", c as u32),
            '\u{80}'..='\u{ffff}' => _ = write!(quoted, "\\u{:04x}", c as u32),
            _ => _ = write!(quoted, "\\U{:08x}", c as u32),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns whether `c` is a letter, mark, number, punctuation or symbol. The standard library
/// exposes this only through its debug escapes, which do not escape marks after another character.
fn prints(c: char) -> bool {
    let mut buffer = [b'a', 0, 0, 0, 0];
    let length = 1 + c.encode_utf8(&mut buffer[1..]).len();
    let pair = buffer.get(..length).unwrap_or_default();
    std::str::from_utf8(pair).is_ok_and(|pair| pair.escape_debug().nth(1) == Some(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_quoted_with_escapes_for_what_does_not_print() {
        assert_eq!(quote("a\"b\\c\n\u{7}\u{b}"), r#""a\"b\\c\n\a\v""#);
        assert_eq!(
            quote("\0\u{1b}\u{7f}\u{85}\u{200b}\u{feff}"),
            r#""\x00\x1b\x7f\u0085\u200b\ufeff""#
        );
        assert_eq!(quote("é日本\u{301}€"), "\"é日本\u{301}€\"");
        assert_eq!(quote("\u{a0}\u{10ffff}"), "\"\\u00a0\\U0010ffff\"");
    }
}
