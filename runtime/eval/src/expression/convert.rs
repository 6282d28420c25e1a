//! Conversions of values to numbers, bools and strings, and strings with interpolations.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_number::Number;
use pcl_values::Text;
use smallvec::SmallVec;

use crate::stop::Stop;
use crate::value::{Kind, Marks, Value};
use crate::wording::{self, Shown};

/// The number that a value converts to; `None` if it is unknown.
pub(crate) fn to_number(value: &Value, span: Span) -> Result<Option<Number>, Stop> {
    let number = match &value.kind {
        Kind::Unknown => return Ok(None),
        Kind::Null => return Err(wording::null(span).into()),
        Kind::Number(number) => Some(number.clone()),
        Kind::String(text) => text.unmarked().as_str().and_then(Number::from_text),
        _ => None,
    };
    match number {
        Some(number) if number.is_finite() => Ok(Some(number)),
        Some(_) => Err(wording::not_finite(span).into()),
        None => Err(wording::unexpected(value, span, "a number")),
    }
}

/// The bool that a value converts to; `None` if it is unknown.
pub(crate) fn to_bool(value: &Value, span: Span) -> Result<Option<bool>, Stop> {
    let truth = match &value.kind {
        Kind::Unknown => return Ok(None),
        Kind::Bool(value) => Some(*value),
        Kind::String(text) => match text.unmarked().as_str() {
            Some("true" | "1") => Some(true),
            Some("false" | "0") => Some(false),
            _ => None,
        },
        _ => None,
    };
    truth.map(Some).ok_or_else(|| wording::unexpected(value, span, "a bool"))
}

/// The string that a value converts to; `None` if it is unknown.
pub(crate) fn to_text(value: &Value, span: Span) -> Result<Option<Text>, Stop> {
    match &value.kind {
        Kind::Unknown => Ok(None),
        Kind::Number(number) if !number.is_finite() => Err(wording::not_finite(span).into()),
        _ => {
            let text = plain_text(value);
            text.map(Some).ok_or_else(|| wording::unexpected(value, span, "a string"))
        }
    }
}

/// The text of a string, number or bool.
pub(crate) fn plain_text(value: &Value) -> Option<Text> {
    match &value.kind {
        Kind::String(text) => Some(text.clone()),
        Kind::Number(number) => Some(number.text().into()),
        Kind::Bool(value) => Some(if *value { "true" } else { "false" }.into()),
        _ => None,
    }
}

/// The whole number that a value converts to, for a position; `None` if it is unknown.
pub(crate) fn to_whole(value: &Value, span: Span) -> Result<Option<i64>, Stop> {
    let Some(number) = to_number(value, span)? else { return Ok(None) };
    match number.read_back().to_i64() {
        Some(whole) => Ok(Some(whole)),
        None => Err(not_whole(span, &Shown::of(value, &value.marks)).into()),
    }
}

/// The most bytes that a string may have. A program of `n` lines can denote one of `2^n` bytes.
pub(crate) const MAX_TEXT: usize = 1 << 28;

/// The bytes of a string in the making, mostly few.
type Bytes = SmallVec<[u8; 128]>;

/// The parts of a string one after the other.
#[derive(Default)]
pub(super) struct Joined {
    bytes: Bytes,
    marks: Marks,
    has_unknown: bool,
    stop: Option<Stop>,
}

impl Joined {
    /// Adds text of the program.
    pub fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Adds the reason why a part has no value.
    pub fn fail(&mut self, stop: Stop) {
        stop.collect(&mut self.stop);
    }

    /// Adds a value.
    pub fn part(&mut self, part: &Value, span: impl Fn() -> Span) {
        self.marks.add(&part.marks);
        match &part.kind {
            Kind::Null => self.fail(null_in_template(span()).into()),
            Kind::String(text) => self.bytes.extend_from_slice(text.unmarked().as_bytes()),
            Kind::Number(number) if number.is_finite() => self.text(&number.text()),
            _ => match to_text(part, span()) {
                Ok(Some(text)) => self.bytes.extend_from_slice(text.unmarked().as_bytes()),
                Ok(None) => self.has_unknown = true,
                Err(stop) => self.fail(stop),
            },
        }
    }

    /// Fails if the string is too long already.
    pub fn check(&self, span: impl Fn() -> Span) -> Result<(), Stop> {
        if self.bytes.len() > MAX_TEXT {
            Err(wording::text_too_long(span()).into())
        } else {
            Ok(())
        }
    }

    /// The string.
    pub fn finish(self) -> Result<Value, Stop> {
        let Self { bytes, marks, .. } = self;
        match self.stop {
            Some(stop) => Err(stop),
            None if self.has_unknown => Ok(Value::unknown(marks)),
            None => Ok(Value { kind: Kind::String(Text::from(&bytes[..])), marks }),
        }
    }
}

/// A number is not whole.
fn not_whole(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("expected a whole number, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
        .help("subtract the remainder, as in `n - n % 1`")
}

/// A part of a template is null.
fn null_in_template(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "cannot interpolate null")
        .note("expected a string, a number or a bool")
        .help("compare the value with `null` first, or give a default with `try`")
}
