//! Reading JSON into records that borrow from it, and walking through it.
//!
//! It accepts what `serde_json` accepts, in half of the instructions: strings are compared 8 or 64
//! bytes at a time, the text is checked for UTF-8 once for all of its strings, and records are read
//! without visitors.

use std::borrow::Cow;
use std::ops::Range;

use crate::bracket_scan::string_end;

/// The deepest nesting of values that are read. Those that are stepped over may be deeper.
const MAX_DEPTH: u32 = 127;

/// The reason why a text cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub struct JsonError {
    /// The byte that is wrong, or the first one of a value of the wrong kind.
    pub at: usize,
    /// The reason, without a full stop.
    pub message: Cow<'static, str>,
}

pub(crate) type Result<T> = std::result::Result<T, Box<JsonError>>;

/// A reader of the parts of a text, which are told in the order of the text.
pub trait Visitor {
    /// An object or a list begins with the bracket at this byte.
    fn open(&mut self, at: usize);
    /// The object or list that began last ends before this byte.
    fn close(&mut self, end: usize);
    /// A key, quotes included.
    fn key(&mut self, at: Range<usize>);
    /// A value that is neither an object nor a list, quotes included.
    fn scalar(&mut self, at: Range<usize>);
}

/// Nobody is told anything.
impl Visitor for () {
    #[inline]
    fn open(&mut self, _: usize) {}
    #[inline]
    fn close(&mut self, _: usize) {}
    #[inline]
    fn key(&mut self, _: Range<usize>) {}
    #[inline]
    fn scalar(&mut self, _: Range<usize>) {}
}

/// Walks through a text that is one value, without recursion.
///
/// # Errors
/// Returns an error if the text is not JSON, or if its values nest deeper than `max_depth` levels.
/// The visitor has then been told everything before the error.
///
/// ```
/// use pcl_schema::json::{Visitor, walk};
/// struct Keys(usize);
/// impl Visitor for Keys {
///     fn open(&mut self, _: usize) {}
///     fn close(&mut self, _: usize) {}
///     fn key(&mut self, _: std::ops::Range<usize>) { self.0 += 1 }
///     fn scalar(&mut self, _: std::ops::Range<usize>) {}
/// }
/// let mut keys = Keys(0);
/// assert!(walk(br#"{ "a": [{ "b": 1 }] }"#, 3, &mut keys).is_ok());
/// assert_eq!(keys.0, 2);
/// assert_eq!(walk(b"[1,]", 3, &mut keys).unwrap_err().at, 3);
/// ```
pub fn walk(
    bytes: &[u8],
    max_depth: usize,
    visitor: &mut impl Visitor,
) -> std::result::Result<(), Box<JsonError>> {
    let mut reader = Reader::new(bytes);
    reader.walk(max_depth, visitor)?;
    match reader.peek() {
        None => Ok(()),
        Some(_) => Err(reader.wrong(TRAILING)),
    }
}

/// Reads a text that is one value.
pub(crate) fn read<'de, T: Value<'de>>(bytes: &'de [u8]) -> Result<T> {
    let mut reader = Reader::new(bytes);
    let value = T::read(&mut reader)?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.wrong(TRAILING)),
    }
}

/// A value that can be read from JSON.
pub(crate) trait Value<'de>: Sized {
    fn read(reader: &mut Reader<'de>) -> Result<Self>;
}

/// A cursor over a JSON text.
pub(crate) struct Reader<'de> {
    bytes: &'de [u8],
    /// The bytes as a text, unless a part of them is not UTF-8.
    text: Option<&'de str>,
    /// Set if there are control characters, such as line breaks, which strings must not contain.
    has_controls: bool,
    at: usize,
    depth: u32,
}

impl<'de> Reader<'de> {
    fn new(bytes: &'de [u8]) -> Self {
        Self {
            bytes,
            text: std::str::from_utf8(bytes).ok(),
            has_controls: has_controls(bytes),
            at: 0,
            depth: 0,
        }
    }

    /// The next byte that is not white space, which becomes the current position.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                byte if byte > b' ' => return Some(byte),
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// The error about the byte at the current position.
    #[cold]
    fn wrong(&self, message: &'static str) -> Box<JsonError> {
        let message = if self.at < self.bytes.len() { message } else { ENDS_IN_VALUE };
        self.error(message)
    }

    #[cold]
    fn error(&self, message: impl Into<Cow<'static, str>>) -> Box<JsonError> {
        Box::new(JsonError { at: self.at, message: message.into() })
    }

    /// The error about a value of the wrong kind, which begins at the current position.
    #[cold]
    pub fn expected(&mut self, what: &'static str) -> Box<JsonError> {
        let found = match self.peek() {
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "a string",
            Some(b'-' | b'0'..=b'9') => "a number",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "`null`",
            _ => return self.wrong(NO_VALUE),
        };
        self.error(wrong_kind(what, found))
    }

    /// Steps over `null`; `false` if the value is something else.
    #[inline]
    pub fn null(&mut self) -> Result<bool> {
        match self.peek() {
            Some(b'n') => self.word(b"null").map(|()| true),
            _ => Ok(false),
        }
    }

    /// Steps over a word.
    fn word(&mut self, word: &'static [u8]) -> Result<()> {
        for byte in word {
            if self.bytes.get(self.at) != Some(byte) {
                return Err(self.wrong(NO_VALUE));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Steps over a bracket that opens, and into its value.
    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.error(TOO_DEEP)) } else { Ok(()) }
    }

    /// Steps over what separates parts of a list or an object; `false` behind its end.
    #[inline]
    fn next(&mut self, is_first: bool, close: u8, expected: &'static str) -> Result<bool> {
        match self.peek() {
            Some(b',') if !is_first => {
                self.at += 1;
                match self.peek() {
                    Some(byte) if byte == close => Err(self.wrong(TRAILING_COMMA)),
                    _ => Ok(true),
                }
            }
            Some(byte) if byte == close => {
                self.at += 1;
                self.depth -= 1;
                Ok(false)
            }
            _ if is_first => Ok(true),
            _ => Err(self.wrong(expected)),
        }
    }

    /// Reads the entries of an object: `entry` must read or skip the value of each key.
    #[inline]
    pub fn object(
        &mut self,
        mut entry: impl FnMut(&mut Self, Text<'de>) -> Result<()>,
    ) -> Result<()> {
        if self.peek() != Some(b'{') {
            return Err(self.expected("an object"));
        }
        self.enter()?;
        let mut is_first = true;
        while self.next(is_first, b'}', NO_BRACE)? {
            is_first = false;
            if self.peek() != Some(b'"') {
                return Err(self.wrong(NO_KEY));
            }
            let key = self.string()?;
            self.colon()?;
            entry(self, key)?;
        }
        Ok(())
    }

    /// Reads the elements of a list: `element` must read or skip each.
    #[inline]
    pub fn list(&mut self, mut element: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.peek() != Some(b'[') {
            return Err(self.expected("a list"));
        }
        self.enter()?;
        let mut is_first = true;
        while self.next(is_first, b']', NO_BRACKET)? {
            is_first = false;
            element(self)?;
        }
        Ok(())
    }

    #[inline]
    fn colon(&mut self) -> Result<()> {
        if self.bytes.get(self.at) != Some(&b':') && self.peek() != Some(b':') {
            return Err(self.wrong(NO_COLON));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a string, whose quote is the next byte.
    #[inline]
    fn string(&mut self) -> Result<Text<'de>> {
        let from = self.at + 1;
        let has_escapes = self.skip_string()?;
        let content = from..self.at - 1;
        if has_escapes {
            return self.unescape(from - 1);
        }
        // The quotes are between characters.
        let text = match self.text {
            Some(text) => text.get(content),
            None => (self.bytes.get(content)).and_then(|bytes| std::str::from_utf8(bytes).ok()),
        };
        match text {
            Some(text) => Ok(Text(Cow::Borrowed(text))),
            None => Err(self.error_at(from - 1, NOT_UTF8)),
        }
    }

    /// The text of a string with escapes, which begins at its quote and ends here.
    #[cold]
    fn unescape(&self, start: usize) -> Result<Text<'de>> {
        let quoted = self.bytes.get(start..self.at).unwrap_or_default();
        match serde_json::from_slice(quoted) {
            Ok(text) => Ok(Text(Cow::Owned(text))),
            Err(_) => Err(self.error_at(start, NO_CHARACTER)),
        }
    }

    #[cold]
    fn error_at(&self, start: usize, message: &'static str) -> Box<JsonError> {
        Box::new(JsonError { at: start, message: message.into() })
    }

    /// Steps over a string, whose quote is the next byte; returns whether it has escapes.
    #[inline]
    fn skip_string(&mut self) -> Result<bool> {
        let from = self.at + 1;
        match short_string_end(self.bytes, from) {
            Some(quote) if !self.has_controls => {
                self.at = quote + 1;
                Ok(false)
            }
            Some(quote) => self.end_string(from, quote).map(|()| false),
            None => self.skip_long_string(from),
        }
    }

    #[inline(never)]
    fn skip_long_string(&mut self, from: usize) -> Result<bool> {
        match string_end(self.bytes, from, |at| is_escape(self.bytes, at)) {
            Ok(Some(end)) => self.end_string(from, end.quote).map(|()| end.has_escapes),
            Ok(None) => {
                self.at = self.bytes.len();
                Err(self.wrong(ENDS_IN_VALUE))
            }
            Err(at) => {
                self.at = at;
                Err(self.wrong(ESCAPE))
            }
        }
    }

    /// Steps behind a closing quote, if there are no control characters before it.
    fn end_string(&mut self, from: usize, quote: usize) -> Result<()> {
        if self.has_controls {
            self.check_controls(from, quote)?;
        }
        self.at = quote + 1;
        Ok(())
    }

    /// Fails at a control character.
    fn check_controls(&mut self, from: usize, to: usize) -> Result<()> {
        let bytes = self.bytes.get(from..to).unwrap_or_default();
        match bytes.iter().position(|byte| *byte < 0x20) {
            None => Ok(()),
            Some(at) => {
                self.at = from + at;
                Err(self.error(CONTROL))
            }
        }
    }

    /// Steps over a number; returns its text.
    fn number(&mut self) -> Result<&'de str> {
        let from = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        // No zeros before other digits.
        match self.bytes.get(self.at) {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if let Some(b'0'..=b'9') = self.bytes.get(self.at) {
            return Err(self.wrong(NO_NUMBER));
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = self.bytes.get(from..self.at).unwrap_or_default();
        Ok(std::str::from_utf8(text).unwrap_or_default())
    }

    /// Steps over at least one digit.
    fn digits(&mut self) -> Result<()> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest.iter().take_while(|byte| byte.is_ascii_digit()).count() {
            0 => Err(self.wrong(NO_NUMBER)),
            count => {
                self.at += count;
                Ok(())
            }
        }
    }

    /// Steps over a value of any kind and depth, which must be JSON all the same.
    #[inline]
    pub fn skip(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'"') => self.skip_string().map(drop),
            Some(b'{' | b'[') => self.walk(usize::MAX, &mut ()),
            _ => self.skip_scalar(),
        }
    }

    fn skip_scalar(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'"') => self.skip_string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number().map(drop),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            _ => Err(self.wrong(NO_VALUE)),
        }
    }

    /// Steps over a value without recursion, and tells the visitor about its parts.
    #[inline]
    fn walk(&mut self, max_depth: usize, visitor: &mut impl Visitor) -> Result<()> {
        // The closing brackets of the objects and lists around.
        let mut open: Vec<u8> = Vec::new();
        let depth = self.depth;
        loop {
            // At a value.
            let mut is_first = false;
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    if open.len() == max_depth {
                        return Err(self.error(TOO_DEEP));
                    }
                    visitor.open(self.at);
                    self.at += 1;
                    open.push(if bracket == b'{' { b'}' } else { b']' });
                    is_first = true;
                }
                _ => {
                    let start = self.at;
                    self.skip_scalar()?;
                    visitor.scalar(start..self.at);
                }
            }
            // Behind a value, or behind a bracket that opens.
            while let Some(&close) = open.last() {
                self.depth = depth + 1;
                let message = match close {
                    b'}' => NO_BRACE,
                    _ => NO_BRACKET,
                };
                if self.next(is_first, close, message)? {
                    if close == b'}' {
                        if self.peek() != Some(b'"') {
                            return Err(self.wrong(NO_KEY));
                        }
                        let start = self.at;
                        self.skip_string()?;
                        visitor.key(start..self.at);
                        self.colon()?;
                    }
                    break;
                }
                visitor.close(self.at);
                is_first = false;
                open.pop();
            }
            self.depth = depth;
            if open.is_empty() {
                return Ok(());
            }
        }
    }
}

/// Returns whether there are control characters.
fn has_controls(bytes: &[u8]) -> bool {
    // Without a branch, so that the compiler can compare many bytes at a time.
    let (blocks, rest) = bytes.as_chunks::<64>();
    let any = |bytes: &[u8]| bytes.iter().fold(0, |any, byte| any | u8::from(*byte < 0x20)) != 0;
    blocks.iter().any(|block| any(block)) || any(rest)
}

/// Returns whether there is an escape behind a backslash.
#[inline]
fn is_escape(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
        Some(b'u') => {
            let digits = bytes.get(at + 1..at + 5);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        }
        _ => false,
    }
}

/// The closing quote of a string of less than 32 bytes without escapes, as nearly all are that are
/// not stepped over: a word at a time. At the end of the text there is none.
#[inline]
fn short_string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let block: &[u8; 32] = bytes.get(from..)?.first_chunk()?;
    let (words, _) = block.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let quotes = equal_bytes(word, b'"');
        let stops = quotes | equal_bytes(word, b'\\');
        if stops != 0 {
            let is_quote = quotes & stops & stops.wrapping_neg() != 0;
            return is_quote.then(|| from + place * 8 + stops.trailing_zeros() as usize / 8);
        }
    }
    None
}

/// The highest bit of the first byte that equals `byte`, and perhaps of later ones.
#[inline]
const fn equal_bytes(word: u64, byte: u8) -> u64 {
    let differs = word ^ u64::from_le_bytes([byte; 8]);
    differs.wrapping_sub(u64::from_le_bytes([0x01; 8])) & !differs & u64::from_le_bytes([0x80; 8])
}

/// A string, borrowed when it has no escapes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Text<'de>(pub Cow<'de, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;
    #[inline]
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Value<'de> for Text<'de> {
    #[inline]
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        match reader.peek() {
            Some(b'"') => reader.string(),
            _ => Err(reader.expected("a string")),
        }
    }
}

impl<'de> Value<'de> for bool {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        match reader.peek() {
            Some(b't') => reader.word(b"true").map(|()| true),
            Some(b'f') => reader.word(b"false").map(|()| false),
            _ => Err(reader.expected("a boolean")),
        }
    }
}

/// `null` is the same as nothing.
impl<'de, T: Value<'de>> Value<'de> for Option<T> {
    #[inline]
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        if reader.null()? { Ok(None) } else { T::read(reader).map(Some) }
    }
}

impl<'de, T: Value<'de>> Value<'de> for Box<T> {
    #[inline]
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        T::read(reader).map(Box::new)
    }
}

impl<'de, T: Value<'de>> Value<'de> for Vec<T> {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        let mut elements = Self::new();
        reader.list(|reader| {
            elements.push(T::read(reader)?);
            Ok(())
        })?;
        Ok(elements)
    }
}

/// A value that a constant or a removed key may have, decoded only as far as needed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar<'de> {
    Boolean(bool),
    Number(f64),
    String(Text<'de>),
    /// A list, by the number of its elements.
    List(usize),
    Object,
}

impl<'de> Value<'de> for Scalar<'de> {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        Ok(match reader.peek() {
            Some(b'"') => Self::String(reader.string()?),
            Some(b't' | b'f') => Self::Boolean(bool::read(reader)?),
            Some(b'-' | b'0'..=b'9') => {
                let start = reader.at;
                match reader.number()?.parse::<f64>() {
                    Ok(number) if number.is_finite() => Self::Number(number),
                    _ => return Err(reader.error_at(start, NUMBER_RANGE)),
                }
            }
            Some(b'[') => {
                let mut length = 0;
                reader.list(|reader| {
                    length += 1;
                    reader.skip()
                })?;
                Self::List(length)
            }
            Some(b'{') => {
                reader.object(|reader, _| reader.skip())?;
                Self::Object
            }
            _ => return Err(reader.expected("a value")),
        })
    }
}

#[cfg(test)]
#[path = "tests/json.rs"]
mod tests;

/// Errors of texts that are not JSON.
const TRAILING: &str = "expected the end of the text after the value";

const ENDS_IN_VALUE: &str = "the text ends inside a value";

const NO_VALUE: &str = "expected a value";

const NO_KEY: &str = "expected a key in double quotes";

const NO_COLON: &str = "expected `:`";

const NO_BRACE: &str = "expected `,` or `}`";

const NO_BRACKET: &str = "expected `,` or `]`";

const TRAILING_COMMA: &str = "expected another element after `,`, found the closing bracket";

const NO_NUMBER: &str = "expected a number as JSON writes it";

const NUMBER_RANGE: &str = "the number is out of range";

const NOT_UTF8: &str = "the string is not UTF-8";

const NO_CHARACTER: &str = "an escape in the string is not a character";

const ESCAPE: &str = "expected an escape as JSON has it, such as `\\n` or `\\u00e9`";

const CONTROL: &str = "a control character in a string must be escaped";

const TOO_DEEP: &str = "the value is nested too deeply";

/// A value of another kind than needed.
fn wrong_kind(expected: &str, found: &str) -> String {
    format!("expected {expected}, found {found}")
}
