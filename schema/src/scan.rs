//! Finds where JSON values begin and end without decoding them.
//!
//! A value in brackets is skipped by counting brackets outside strings. That proves no more than
//! the places: the content of a value is checked when the value is decoded. Nothing here recurses.
//! A document need not be in memory: a scanner over a file keeps no more of it than a window, and
//! the requested keys.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;

use memchr::memchr;

use crate::bracket_scan::{BLOCK, Brackets};

/// A range of bytes in a document.
pub(crate) type Bytes = Range<usize>;

/// The length of the window over a file, small enough for the processor's cache.
const WINDOW: usize = 128 * 1024;

/// The reason why a scan stopped. The place is [`Scanner::at`].
#[derive(Debug)]
pub(crate) enum ScanError {
    /// The text ends inside a value.
    Truncated,
    /// Something else than expected.
    Expected(&'static str),
    /// The file cannot be read any further.
    Io(io::Error),
}

/// A cursor over the bytes of a document.
pub(crate) struct Scanner<'d> {
    /// The part of the document that is accessible, up to `end`.
    window: Cow<'d, [u8]>,
    end: usize,
    /// The start of the window in the document.
    start: usize,
    /// The next byte, counted in the window.
    next: usize,
    /// The rest of the document, behind the window.
    rest: Option<&'d mut dyn Read>,
}

impl<'d> Scanner<'d> {
    /// A cursor over a document that is in memory.
    pub fn new(bytes: &'d [u8]) -> Self {
        Self { window: Cow::Borrowed(bytes), end: bytes.len(), start: 0, next: 0, rest: None }
    }

    /// A cursor over a document that is read meanwhile.
    pub fn over(document: &'d mut dyn Read) -> Self {
        Self { window: Cow::Owned(Vec::new()), end: 0, start: 0, next: 0, rest: Some(document) }
    }

    /// The next byte, counted in the document.
    pub fn at(&self) -> usize {
        self.start + self.next
    }

    /// The bytes of the window from the next one on.
    fn rest(&self) -> &[u8] {
        self.window.get(self.next..self.end).unwrap_or_default()
    }

    /// Moves the window on and forgets the bytes before `keep`. `false` at the end of the document.
    #[cold]
    fn refill(&mut self, keep: usize) -> Result<bool, ScanError> {
        let Some(rest) = &mut self.rest else { return Ok(false) };
        let window = self.window.to_mut();
        window.copy_within(keep..self.end, 0);
        self.start += keep;
        self.next -= keep;
        self.end -= keep;
        // A key that is longer than the window makes that as long as itself.
        if window.len() < WINDOW.max(self.end * 2) {
            window.resize(WINDOW.max(self.end * 2), 0);
        }
        let read = loop {
            match rest.read(window.get_mut(self.end..).unwrap_or_default()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ScanError::Io(error)),
                Ok(read) => break read,
            }
        };
        self.end += read;
        Ok(read > 0)
    }

    /// The next byte that is not white space, if any, which becomes the current position.
    pub fn peek(&mut self) -> Result<Option<u8>, ScanError> {
        loop {
            let mut rest = self.rest().iter().enumerate();
            match rest.find(|(_, b)| !matches!(b, b' ' | b'\n' | b'\r' | b'\t')) {
                Some((skipped, &byte)) => {
                    self.next += skipped;
                    return Ok(Some(byte));
                }
                None => self.next = self.end,
            }
            if !self.refill(self.next)? {
                return Ok(None);
            }
        }
    }

    /// Steps over one byte after white space.
    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), ScanError> {
        match self.peek()? {
            Some(found) if found == byte => {
                self.next += 1;
                Ok(())
            }
            Some(_) => Err(ScanError::Expected(what)),
            None => Err(ScanError::Truncated),
        }
    }

    /// Steps over a key; gives its bytes with the quotes, as it is written.
    fn key(&mut self) -> Result<Bytes, ScanError> {
        self.expect(b'"', "a string")?;
        let mut first = self.next - 1;
        loop {
            let seen = self.window.get(..self.end).unwrap_or_default();
            match string_end(seen, first + 1) {
                Some(end) => {
                    self.next = end + 1;
                    return Ok(first..end + 1);
                }
                None => {
                    self.next = self.end;
                    if !self.refill(first)? {
                        return Err(ScanError::Truncated);
                    }
                    first = 0;
                }
            }
        }
    }

    /// Steps to the end of a string. Stands behind the opening quote.
    fn string(&mut self) -> Result<(), ScanError> {
        // True if an odd number of backslashes precedes the rest of the string.
        let mut escaped = false;
        loop {
            let rest = self.rest();
            let quote = memchr(b'"', rest);
            let before = quote.and_then(|at| rest.get(..at)).unwrap_or(rest);
            let backslashes = before.iter().rev().take_while(|b| **b == b'\\').count();
            let odd = (backslashes % 2 == 1) != (escaped && backslashes == before.len());
            match quote {
                Some(quote) => {
                    self.next += quote + 1;
                    escaped = false;
                    if !odd {
                        return Ok(());
                    }
                }
                None => {
                    self.next = self.end;
                    escaped = odd;
                    if !self.refill(self.next)? {
                        return Err(ScanError::Truncated);
                    }
                }
            }
        }
    }

    /// Steps over a value; gives its place.
    pub fn value(&mut self) -> Result<Bytes, ScanError> {
        let first = self.peek()?.ok_or(ScanError::Truncated)?;
        let start = self.at();
        match first {
            b'{' | b'[' => self.brackets()?,
            b'"' => {
                self.next += 1;
                self.string()?;
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => loop {
                let rest = self.rest();
                let word = rest.iter().position(
                    |b| !matches!(b, b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E'),
                );
                self.next += word.unwrap_or(rest.len());
                if word.is_some() || !self.refill(self.next)? {
                    break;
                }
            },
            _ => return Err(ScanError::Expected("a value")),
        }
        Ok(start..self.at())
    }

    /// Steps over an object or a list by counting brackets. Stands on the opening one.
    fn brackets(&mut self) -> Result<(), ScanError> {
        let mut brackets = Brackets::default();
        loop {
            let (blocks, _) = self.rest().as_chunks();
            if let Some(end) = brackets.close_in(blocks) {
                self.next += end + 1;
                return Ok(());
            }
            let behind = blocks.len() * BLOCK;
            self.next += behind;
            if self.refill(self.next)? {
                continue;
            }
            // The last bytes of the document do not fill a block.
            let mut block = [b' '; BLOCK];
            for (byte, last) in block.iter_mut().zip(self.rest()) {
                *byte = *last;
            }
            let end = brackets.close_in(&[block]);
            let start = std::mem::replace(&mut self.next, self.end);
            self.next = start + end.ok_or(ScanError::Truncated)? + 1;
            return Ok(());
        }
    }

    /// Walks an object: calls `visit` with each key as it is written, quotes included, standing on
    /// the value, which `visit` has to step over.
    pub fn object<E: From<ScanError>>(
        &mut self,
        mut visit: impl FnMut(&mut Self, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect(b'{', "`{`")?;
        if self.peek()? == Some(b'}') {
            self.next += 1;
            return Ok(());
        }
        let mut key = Vec::new();
        loop {
            key.clear();
            let place = self.key()?;
            key.extend_from_slice(self.window.get(place).unwrap_or_default());
            self.expect(b':', "`:`")?;
            visit(self, &key)?;
            match self.peek()? {
                Some(b',') => self.next += 1,
                Some(b'}') => {
                    self.next += 1;
                    return Ok(());
                }
                Some(_) => return Err(ScanError::Expected("`,` or `}`").into()),
                None => return Err(ScanError::Truncated.into()),
            }
        }
    }

    /// Reads a list up to its end, or to the first element that cannot be read. Returns the ranges
    /// of its elements.
    pub fn elements(&mut self) -> Vec<Bytes> {
        let mut elements = Vec::new();
        let mut separator = (b'[', "`[`");
        while self.expect(separator.0, separator.1).is_ok() {
            let Ok(element) = self.value() else { break };
            elements.push(element);
            separator = (b',', "`,`");
        }
        elements
    }
}

/// The closing quote of the string whose content begins at `from`.
pub(crate) fn string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr(b'"', bytes.get(at..)?)?;
        let backslashes = bytes.get(from..at)?.iter().rev().take_while(|b| **b == b'\\').count();
        if backslashes % 2 == 0 {
            return Some(at);
        }
        at += 1;
    }
}

/// The text of a key or string from its bytes, quotes included; `None` when it is not UTF-8 or has
/// a broken escape.
pub(crate) fn unescape(quoted: &[u8]) -> Option<Cow<'_, str>> {
    let raw = quoted.get(1..quoted.len().checked_sub(1)?)?;
    if memchr(b'\\', raw).is_none() {
        return std::str::from_utf8(raw).ok().map(Into::into);
    }
    serde_json::from_slice::<String>(quoted).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::ValueRanges;
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
        members_of(text, Scanner::new(text.as_bytes()))
    }

    fn members_of(
        text: &str,
        mut scanner: Scanner<'_>,
    ) -> Result<BTreeMap<String, String>, ScanError> {
        let mut found = BTreeMap::new();
        scanner.object::<ScanError>(|scanner, key| {
            let key = unescape(key).unwrap().into_owned();
            found.insert(key, text[scanner.value()?].to_owned());
            Ok(())
        })?;
        assert_eq!(scanner.peek()?, None);
        Ok(found)
    }

    /// Gives a few bytes at a time, so that every value is cut somewhere.
    struct Dripping<'t>(&'t [u8], usize);

    impl Read for Dripping<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(into.len()).min(self.0.len());
            self.0.read(&mut into[..length])
        }
    }

    proptest! {
        /// On any object the scanner finds the members that a full parser finds, byte for byte.
        #[test]
        fn agrees_with_a_full_parser(entries in proptest::collection::vec(("\\PC{0,6}", json()), 0..6), indented: bool) {
            let value = Value::Object(Map::from_iter(entries));
            let text = if indented { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            let oracle: BTreeMap<String, &RawValue> = serde_json::from_str(&text).unwrap();
            let oracle: BTreeMap<String, String> = oracle.into_iter().map(|(k, v)| (k, v.get().to_owned())).collect();
            prop_assert_eq!(&members(&text).unwrap(), &oracle);
            for bytes in [1, 2, 3, 7, 8, 64] {
                let mut file = Dripping(text.as_bytes(), bytes);
                prop_assert_eq!(&members_of(&text, Scanner::over(&mut file)).unwrap(), &oracle);
            }
        }

        /// Whatever the bytes are, a scan ends, inside the text.
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(b"{}[]\",:\\ 1n".to_vec())], 0..64)) {
            let walk = |mut scanner: Scanner<'_>| {
                let mut found = Vec::new();
                let walked = scanner.object::<ScanError>(|scanner, key| {
                    let value = scanner.value()?;
                    assert!(value.end <= bytes.len());
                    found.push((unescape(key).map(Cow::into_owned), value));
                    Ok(())
                });
                (found, format!("{walked:?}"), scanner.at())
            };
            let whole = walk(Scanner::new(&bytes));
            prop_assert!(whole.2 <= bytes.len());
            for drip in [1, 3, 16] {
                prop_assert_eq!(&walk(Scanner::over(&mut Dripping(&bytes, drip))), &whole);
            }
            let _ = ValueRanges::default().locate(&bytes, ["a", "0", ""]);
        }
    }

    #[test]
    fn escapes_before_a_quote() {
        for (text, end) in [(r#"ab" "#, 2), (r#"a\" b" "#, 5), (r#"a\\" "#, 3), (r#"\\\"" "#, 4)] {
            assert_eq!(string_end(text.as_bytes(), 0), Some(end), "{text}");
        }
        assert_eq!(string_end(br#"a\""#, 0), None);
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        let text = format!("{{\"a\": {}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!(members(&text).unwrap()["a"].len(), 2_000_000);
        assert!(matches!(members(&text[..1_000]), Err(ScanError::Truncated)));
    }
}
