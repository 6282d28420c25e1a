//! Reading JSON into any type that serde can read.
//!
//! The cursor is that of the records of schemas, so numbers and short strings, of which documents
//! for code generators consist, take a third of the instructions that they take in `serde_json`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, IntoDeserializer as _, Visitor};

use super::{JsonError, Reader, Result, Text, Value as _, short_string_end};
use crate::messages::document as messages;

/// The place of an error that the type found, which does not know places.
const UNKNOWN: usize = usize::MAX;

/// Reads a text that is one value.
///
/// # Errors
/// Returns an error if the text is not JSON or not of that type, or if its values nest deeper than
/// 127 levels.
///
/// ```
/// use pcl_schema::json::from_json;
/// assert_eq!(from_json::<Vec<u32>>(b"[1, 20]").unwrap(), [1, 20]);
/// let error = from_json::<Vec<u32>>(b"[1, true]").unwrap_err();
/// assert_eq!(error.to_string(), "invalid type: boolean `true`, expected u32");
/// assert_eq!(error.at, 8);
/// ```
pub fn from_json<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> std::result::Result<T, JsonError> {
    let mut reader = Reader::new(bytes);
    let read = T::deserialize(&mut reader).and_then(|value| match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.wrong(messages::TRAILING)),
    });
    read.map_err(|error| JsonError {
        at: match error.at {
            UNKNOWN => reader.at,
            at => at,
        },
        ..*error
    })
}

impl fmt::Display for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for JsonError {}

impl de::Error for Box<JsonError> {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Box::new(JsonError {
            at: UNKNOWN,
            message: Cow::Owned(message.to_string()),
        })
    }
}

impl<'de> Reader<'de> {
    /// A number of at most 7 digits, without sign, fraction and exponent, that is not at the end of
    /// the text; `None`, and no step, for any other.
    #[inline]
    fn whole(&mut self) -> Option<u32> {
        let word = u64::from_le_bytes(*self.bytes.get(self.at..)?.first_chunk()?);
        // The digits are 0 to 9 now, and all else is more.
        let values = word ^ u64::from_le_bytes([b'0'; 8]);
        // The highest bit of the first byte that is no digit, and perhaps of later ones.
        let stops = (values.wrapping_add(u64::from_le_bytes([0x76; 8])) | values)
            & u64::from_le_bytes([0x80; 8]);
        let length = stops.trailing_zeros() / 8;
        let is_plain = |byte| !matches!(byte, b'.' | b'e' | b'E');
        let has_zeros = length > 1 && values & 0xff == 0;
        if has_zeros || !(1..8).contains(&length) || !is_plain((word >> (length * 8)) as u8) {
            return None;
        }
        self.at += length as usize;
        // With zeros before it the number has 8 digits, of which neighbours are added at once.
        let digits = values << (64 - length * 8);
        let pairs = (digits.wrapping_mul(10) + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
        let fours = (pairs.wrapping_mul(100) + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
        Some((fours.wrapping_mul(10_000) + (fours >> 32)) as u32)
    }

    /// Reads any value, apart from the code for the usual ones.
    #[cold]
    fn visit_rare<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        de::Deserializer::deserialize_any(self, visitor)
    }

    fn visit_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        if let Some(number) = self.whole() {
            return visitor.visit_u64(number.into());
        }
        let start = self.at;
        let text = self.number()?;
        if let Ok(number) = text.parse::<u64>() {
            return visitor.visit_u64(number);
        }
        if let (Ok(number), true) = (text.parse::<i64>(), text != "-0") {
            return visitor.visit_i64(number);
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => visitor.visit_f64(number),
            _ => Err(self.error_at(start, messages::NUMBER_RANGE)),
        }
    }

    #[inline]
    fn visit_string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.string()?.0 {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    #[inline]
    fn visit_parts<T>(
        &mut self,
        close: u8,
        message: &'static str,
        visit: impl FnOnce(&mut Parts<'_, 'de>) -> Result<T>,
    ) -> Result<T> {
        self.enter()?;
        let mut parts = Parts {
            reader: self,
            close,
            message,
            is_first: true,
            is_done: false,
        };
        let value = visit(&mut parts)?;
        match parts.is_done || !parts.next()? {
            true => Ok(value),
            false => Err(self.wrong(messages::MORE_PARTS)),
        }
    }
}

/// The parts of a list or an object.
struct Parts<'r, 'de> {
    reader: &'r mut Reader<'de>,
    close: u8,
    /// The error where a part should follow or end.
    message: &'static str,
    is_first: bool,
    is_done: bool,
}

impl Parts<'_, '_> {
    #[inline]
    fn next(&mut self) -> Result<bool> {
        let has_next = self.reader.next(self.is_first, self.close, self.message)?;
        self.is_first = false;
        self.is_done = !has_next;
        Ok(has_next)
    }
}

impl<'de> de::SeqAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Box<JsonError>;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match !self.is_done && self.next()? {
            true => seed.deserialize(&mut *self.reader).map(Some),
            false => Ok(None),
        }
    }
}

impl<'de> de::MapAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Box<JsonError>;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.is_done || !self.next()? {
            return Ok(None);
        }
        if self.reader.bytes.get(self.reader.at) != Some(&b'"') {
            return Err(self.reader.wrong(messages::NO_KEY));
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.reader.colon()?;
        seed.deserialize(&mut *self.reader)
    }
}

macro_rules! forward {
    ($to:ident: $($from:ident)*) => {$(
        #[inline]
        fn $from<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.$to(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = Box<JsonError>;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek() {
            Some(b'"') => self.visit_string(visitor),
            Some(b'-' | b'0'..=b'9') => self.visit_number(visitor),
            Some(b'[') => {
                self.visit_parts(b']', messages::NO_BRACKET, |parts| visitor.visit_seq(parts))
            }
            Some(b'{') => {
                self.visit_parts(b'}', messages::NO_BRACE, |parts| visitor.visit_map(parts))
            }
            Some(b't' | b'f') => visitor.visit_bool(bool::read(self)?),
            _ => match self.null()? {
                true => visitor.visit_unit(),
                false => Err(self.wrong(messages::NO_VALUE)),
            },
        }
    }

    #[inline]
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.peek();
        match self.whole() {
            Some(number) => visitor.visit_u32(number),
            None => self.visit_rare(visitor),
        }
    }

    /// The name of a field, which is compared with others and not kept.
    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.has_controls || self.text.is_none() || self.bytes.get(self.at) != Some(&b'"') {
            return self.visit_rare(visitor);
        }
        let from = self.at + 1;
        match short_string_end(self.bytes, from) {
            Some(quote) => {
                self.at = quote + 1;
                let name = self.bytes.get(from..quote);
                visitor.visit_borrowed_bytes(name.unwrap_or_default())
            }
            None => self.visit_rare(visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek() {
            Some(b'"') => self.visit_string(visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.null()? {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek() {
            Some(b'[') => {
                self.visit_parts(b']', messages::NO_BRACKET, |parts| visitor.visit_seq(parts))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek() {
            Some(b'{') => {
                self.visit_parts(b'}', messages::NO_BRACE, |parts| visitor.visit_map(parts))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    /// Only objects are structs: a list has no names for its parts.
    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.peek() {
            Some(b'{') => self.deserialize_map(visitor),
            _ => Err(self.expected("an object")),
        }
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    /// Variants without contents, by their names.
    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let Text(name) = Text::read(self)?;
        visitor.visit_enum(name.into_deserializer())
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    forward! { deserialize_str: deserialize_string deserialize_char }
    forward! { deserialize_any: deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32
    deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u64 deserialize_f32 deserialize_f64
    deserialize_bytes deserialize_byte_buf deserialize_unit }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};
    use serde_json::Value;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        First,
        SecondOne,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Record<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
        kind: Kind,
        place: (u32, u32, u32),
        #[serde(default)]
        more: Option<Vec<u32>>,
        #[serde(default)]
        rest: BTreeMap<String, Value>,
    }

    #[test]
    fn types_read_what_they_wrote() {
        let record = Record {
            text: "a \"b\"\n\u{e9}".into(),
            kind: Kind::SecondOne,
            place: (0, 7, u32::MAX),
            more: Some(vec![]),
            rest: [(
                "x".to_owned(),
                serde_json::json!([1, -2, 0.1, null, { "y": true }]),
            )]
            .into(),
        };
        let json = serde_json::to_vec(&record).unwrap();
        assert_eq!(from_json::<Record<'_>>(&json).as_ref(), Ok(&record));
        let on_lines = serde_json::to_vec_pretty(&record).unwrap();
        assert_eq!(from_json::<Record<'_>>(&on_lines).as_ref(), Ok(&record));
        // The names of fields may have escapes too.
        let escaped = String::from_utf8(json)
            .unwrap()
            .replace("kind", "k\\u0069nd");
        assert_eq!(from_json::<Record<'_>>(escaped.as_bytes()), Ok(record));
    }

    #[test]
    fn names_of_fields_are_checked() {
        let cases: [(&[u8], &str); 3] = [
            (b"{\"no\xff\": 1}", messages::NOT_UTF8),
            (b"{\"no\n\": 1}", messages::CONTROL),
            (b"{\"no\\x\": 1}", messages::ESCAPE),
        ];
        for (json, message) in cases {
            let error = from_json::<Record<'_>>(json).unwrap_err();
            assert_eq!(error.message, message, "{json:?}");
        }
    }

    #[test]
    fn errors_have_places() {
        let cases: [(&str, &str, usize); 9] = [
            (
                r#"{"text": "a", "kind": "first"}"#,
                "missing field `place`",
                30,
            ),
            (r#"{"kind": "third"}"#, "unknown variant `third`", 16),
            (r#"{"place": [1, 2]}"#, "invalid length 2", 16),
            (r#"{"place": [1, 2, 3, 4]}"#, messages::MORE_PARTS, 20),
            (r#"{"place": [1, 2, 03]}"#, messages::NO_NUMBER, 18),
            (r#"{"place": [1, 2, 4294967296]}"#, "invalid value", 27),
            (r#"{"place": [1, 2, -1]}"#, "invalid value", 19),
            (r#"{"text": "a"} 1"#, "missing field", 13),
            (r#"["a"]"#, "expected an object", 0),
        ];
        for (json, message, at) in cases {
            let error = from_json::<Record<'_>>(json.as_bytes()).unwrap_err();
            assert!(error.to_string().contains(message), "{json}: {error}");
            assert_eq!(error.at, at, "{json}: {error}");
        }
    }

    proptest! {
        #[test]
        fn numbers_of_any_length_are_read(numbers in proptest::collection::vec((any::<u64>(), 0_u32..64), 0..20)) {
            let numbers: Vec<u64> = numbers.into_iter().map(|(number, by)| number >> by).collect();
            let json = serde_json::to_vec(&numbers).unwrap();
            let known = serde_json::from_slice::<Vec<u32>>(&json);
            prop_assert_eq!(from_json::<Vec<u32>>(&json).ok(), known.ok());
            prop_assert_eq!(from_json::<Vec<u64>>(&json), Ok(numbers));
        }

        /// Both readers accept the same documents, with the same values.
        #[test]
        fn it_reads_what_serde_json_reads(json in r#"([\[\]{}:,0-9eE.+-]|"[a\\"]{0,2}"|true|null| ){0,24}"#) {
            let known = serde_json::from_str::<Value>(&json);
            let own = from_json::<Value>(json.as_bytes());
            prop_assert_eq!(own.is_ok(), known.is_ok(), "{}", json);
            if let (Ok(own), Ok(known)) = (own, known) {
                // By default `serde_json` does not read all numbers exactly.
                let is_rounded = json.contains(['.', 'e', 'E']) || json.len() > 16;
                prop_assert!(own == known || is_rounded, "{}", json);
            }
        }
    }
}
