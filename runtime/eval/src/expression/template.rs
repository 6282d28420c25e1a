//! Strings with interpolations.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Text;
use smallvec::SmallVec;

use super::convert::to_text;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Value};
use crate::wording;

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
            Kind::Unknown => self.has_unknown = true,
            Kind::Null => {
                Stop::from(null_in_template(span())).collect(&mut self.stop);
            }
            Kind::String(text) => self.bytes.extend_from_slice(text.unmarked().as_bytes()),
            Kind::Number(number) if number.is_finite() => self.text(&number.text()),
            _ => match to_text(part, span()) {
                Ok(Some(text)) => self.bytes.extend_from_slice(text.unmarked().as_bytes()),
                Ok(None) => self.has_unknown = true,
                Err(stop) => stop.collect(&mut self.stop),
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

/// A part of a template is null.
fn null_in_template(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "cannot interpolate null")
        .note("expected a string, a number or a bool")
        .help("compare the value with `null` first, or give a default with `try`")
}
