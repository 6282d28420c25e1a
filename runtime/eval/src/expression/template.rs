//! Strings with interpolations.

use pcl_diagnostics::Span;
use pcl_values::Text;

use super::convert::to_text;
use crate::messages::operands;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Value};

/// The most bytes that a string may have. A program of `n` lines can denote one of `2^n` bytes.
pub(crate) const MAX_TEXT: usize = 1 << 28;

/// The bytes that most strings of templates have at most.
const USUAL_TEXT: usize = 64;

/// The parts of a template one after the other.
pub(crate) fn join<'v>(
    parts: impl Iterator<Item = (&'v Value, Span)>,
    span: Span,
) -> Result<Value, Stop> {
    let mut marks = Marks::NONE;
    let mut stop = None;
    let (mut bytes, mut is_known) = (Vec::with_capacity(USUAL_TEXT), true);
    for (part, part_span) in parts {
        marks.add(&part.marks);
        match &part.kind {
            Kind::Unknown => is_known = false,
            Kind::Null => Stop::from(operands::null_in_template(part_span)).collect(&mut stop),
            Kind::String(text) => bytes.extend_from_slice(text.as_bytes()),
            _ => match to_text(part, part_span) {
                Ok(Some(text)) => bytes.extend_from_slice(text.as_bytes()),
                Ok(None) => is_known = false,
                Err(other) => other.collect(&mut stop),
            },
        }
        if bytes.len() > MAX_TEXT {
            return Err(operands::text_too_long(span).into());
        }
    }
    match stop {
        Some(stop) => Err(stop),
        None if is_known => Ok(Value::from(Text::from(bytes)).marked(&marks)),
        None => Ok(Value::unknown(marks)),
    }
}
