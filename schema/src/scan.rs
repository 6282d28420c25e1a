//! Finds where JSON values begin and end without reading them.
//!
//! A value in brackets is skipped by counting brackets outside strings; strings are skipped by `memchr`. That proves no more than the places: what
//! stands inside a value is judged when the value is read. Nothing here recurses.

use std::ops::Range;

use memchr::memchr;

/// A range of bytes in a document.
pub(crate) type Bytes = Range<usize>;

/// What stopped a scan. The place is [`Scanner::at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanError {
    /// The text ends inside a value.
    Truncated,
    /// Something else than what has to stand here.
    Expected(&'static str),
}

/// A cursor over the bytes of a document.
pub(crate) struct Scanner<'d> {
    bytes: &'d [u8],
    /// The next byte.
    pub at: usize,
}

impl<'d> Scanner<'d> {
    pub fn new(bytes: &'d [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The next byte that is not white space, if any; stands on it afterwards.
    pub fn peek(&mut self) -> Option<u8> {
        let rest = self.bytes.get(self.at..)?;
        let skipped = rest
            .iter()
            .position(|b| !matches!(b, b' ' | b'\n' | b'\r' | b'\t'));
        self.at += skipped.unwrap_or(rest.len());
        self.bytes.get(self.at).copied()
    }

    /// Steps over one byte after white space.
    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), ScanError> {
        match self.peek() {
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(ScanError::Expected(what)),
            None => Err(ScanError::Truncated),
        }
    }

    /// Steps over a string; gives the bytes between its quotes.
    pub fn string(&mut self) -> Result<Bytes, ScanError> {
        self.expect(b'"', "a string")?;
        let start = self.at;
        match string_end(self.bytes, start) {
            Some(end) => {
                self.at = end + 1;
                Ok(start..end)
            }
            None => {
                self.at = self.bytes.len();
                Err(ScanError::Truncated)
            }
        }
    }

    /// Steps over a value; gives its bytes.
    pub fn value(&mut self) -> Result<Bytes, ScanError> {
        let first = self.peek().ok_or(ScanError::Truncated)?;
        let start = self.at;
        match first {
            b'{' | b'[' => self.brackets()?,
            b'"' => {
                self.string()?;
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                let rest = &self.bytes[start..];
                let end = rest.iter().position(
                    |b| !matches!(b, b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E'),
                );
                self.at = start + end.unwrap_or(rest.len());
            }
            _ => return Err(ScanError::Expected("a value")),
        }
        Ok(start..self.at)
    }

    /// Steps over an object or a list by counting brackets. Stands on the opening one.
    fn brackets(&mut self) -> Result<(), ScanError> {
        let bytes = self.bytes;
        let mut at = self.at;
        let mut depth = 0usize;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'"' => match string_end(bytes, at) {
                    Some(end) => at = end + 1,
                    None => break,
                },
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at = at;
                        return Ok(());
                    }
                }
                // Indented documents are a third white space.
                b'\n' => {
                    while bytes.get(at..at + 8) == Some(b"        ") {
                        at += 8;
                    }
                }
                _ => {}
            }
        }
        self.at = bytes.len();
        Err(ScanError::Truncated)
    }

    /// Walks an object: calls `visit` with the bytes of each key, standing on the value, which `visit` has to step over.
    pub fn object<E: From<ScanError>>(
        &mut self,
        mut visit: impl FnMut(&mut Self, Bytes) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect(b'{', "`{`")?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':', "`:`")?;
            visit(self, key)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(_) => return Err(ScanError::Expected("`,` or `}`").into()),
                None => return Err(ScanError::Truncated.into()),
            }
        }
    }

    /// The element of a list at this index. Stands on the list.
    fn element(&mut self, index: usize) -> Option<Bytes> {
        self.expect(b'[', "`[`").ok()?;
        for _ in 0..index {
            self.value().ok()?;
            self.expect(b',', "`,`").ok()?;
        }
        self.value().ok()
    }
}

/// The closing quote of the string whose content begins at `from`.
fn string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr(b'"', bytes.get(at..)?)?;
        let backslashes = bytes[from..at]
            .iter()
            .rev()
            .take_while(|b| **b == b'\\')
            .count();
        if backslashes % 2 == 0 {
            return Some(at);
        }
        at += 1;
    }
}

/// The text of a key or string from the bytes between its quotes; `None` when it is not UTF-8 or has a broken escape.
pub(crate) fn unescape(document: &[u8], content: Bytes) -> Option<std::borrow::Cow<'_, str>> {
    let raw = document.get(content.clone())?;
    if memchr(b'\\', raw).is_none() {
        return std::str::from_utf8(raw).ok().map(Into::into);
    }
    let quoted = document.get(content.start.checked_sub(1)?..content.end + 1)?;
    serde_json::from_slice::<String>(quoted)
        .ok()
        .map(Into::into)
}

/// The value that a path of keys and indexes leads to from the value at `from`, as far as the path goes.
pub(crate) fn locate<'k>(
    document: &[u8],
    from: Bytes,
    path: impl IntoIterator<Item = &'k str>,
) -> Bytes {
    let mut here = from;
    for step in path {
        let mut scanner = Scanner::new(document, here.start);
        let next = match scanner.peek() {
            Some(b'{') => {
                let mut found = None;
                let walked: Result<(), ScanError> = scanner.object(|scanner, key| {
                    let value = scanner.value()?;
                    if unescape(document, key).as_deref() == Some(step) {
                        found = Some(value);
                    }
                    Ok(())
                });
                walked.ok().and(found)
            }
            Some(b'[') => step.parse().ok().and_then(|index| scanner.element(index)),
            _ => None,
        };
        match next {
            Some(next) => here = next,
            None => break,
        }
    }
    here
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::value::RawValue;
    use serde_json::{Map, Number, Value};
    use std::collections::BTreeMap;

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<f64>().prop_map(|n| Number::from_f64(n).map_or(Value::Null, Value::Number)),
            "[\\PC\"\\\\{}\\[\\],:]{0,12}".prop_map(Value::String),
        ];
        leaf.prop_recursive(6, 64, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
                proptest::collection::vec(("[\\PC\"\\\\{}]{0,6}", inner), 0..6)
                    .prop_map(|m| Value::Object(Map::from_iter(m))),
            ]
        })
    }

    /// Keys and the texts of their values, in the order of the keys.
    fn members(text: &str) -> Result<BTreeMap<String, String>, ScanError> {
        let mut found = BTreeMap::new();
        let mut scanner = Scanner::new(text.as_bytes(), 0);
        scanner.object::<ScanError>(|scanner, key| {
            let value = scanner.value()?;
            found.insert(
                unescape(text.as_bytes(), key).unwrap().into_owned(),
                text[value].to_owned(),
            );
            Ok(())
        })?;
        assert_eq!(scanner.peek(), None);
        Ok(found)
    }

    proptest! {
        /// On any object the scanner finds the members that a full parser finds, byte for byte.
        #[test]
        fn agrees_with_a_full_parser(entries in proptest::collection::vec(("\\PC{0,6}", json()), 0..6), indented: bool) {
            let value = Value::Object(Map::from_iter(entries));
            let text = if indented { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let oracle: BTreeMap<String, &RawValue> = serde_json::from_str(&text).unwrap();
            let oracle: BTreeMap<String, String> = oracle.into_iter().map(|(k, v)| (k, v.get().to_owned())).collect();
            prop_assert_eq!(members(&text).unwrap(), oracle);
        }

        /// Whatever the bytes are, a scan ends, inside the text.
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(b"{}[]\",:\\ 1n".to_vec())], 0..64)) {
            let mut scanner = Scanner::new(&bytes, 0);
            let _ = scanner.object::<ScanError>(|scanner, key| {
                let value = scanner.value()?;
                assert!(key.end <= bytes.len() && value.end <= bytes.len());
                let _ = unescape(&bytes, key);
                Ok(())
            });
            prop_assert!(scanner.at <= bytes.len());
            let _ = locate(&bytes, 0..bytes.len(), ["a", "0", ""]);
        }
    }

    #[test]
    fn escapes_before_a_quote() {
        for (text, end) in [
            (r#"ab" "#, 2),
            (r#"a\" b" "#, 5),
            (r#"a\\" "#, 3),
            (r#"\\\"" "#, 4),
        ] {
            assert_eq!(string_end(text.as_bytes(), 0), Some(end), "{text}");
        }
        assert_eq!(string_end(br#"a\""#, 0), None);
    }

    #[test]
    fn a_path_is_followed_as_far_as_it_goes() {
        let text = r#"{"a": [1, {"b\u0063": "here"}], "x": 0}"#;
        let at =
            |path: &[&str]| &text[locate(text.as_bytes(), 0..text.len(), path.iter().copied())];
        assert_eq!(at(&["a", "1", "bc"]), "\"here\"");
        assert_eq!(at(&["a", "1", "d"]), r#"{"b\u0063": "here"}"#);
        assert_eq!(at(&["a", "7"]), r#"[1, {"b\u0063": "here"}]"#);
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        let text = format!(
            "{{\"a\": {}{}}}",
            "[".repeat(1_000_000),
            "]".repeat(1_000_000)
        );
        assert_eq!(members(&text).unwrap()["a"].len(), 2_000_000);
        assert_eq!(members(&text[..1_000]), Err(ScanError::Truncated));
    }
}
