//! Strings with interpolations.

use pcl_diagnostics::Span;
use pcl_values::Text;

use super::convert::to_text;
use crate::messages::operands;
use crate::stop::Stop;
use crate::value::{Marks, Value};

/// The most bytes that a string may have. A program of `n` lines can denote one of `2^n` bytes.
pub(crate) const MAX_TEXT: usize = 1 << 29;

/// The parts of a template one after the other.
pub(crate) fn join<'v>(
    parts: impl Iterator<Item = (&'v Value, Span)>,
    span: Span,
) -> Result<Value, Stop> {
    let mut marks = Marks::NONE;
    let mut stop = None;
    let (mut texts, mut length, mut is_known) = (Vec::<Text>::new(), 0_usize, true);
    for (part, part_span) in parts {
        marks.add(&part.marks);
        if part.is_null() {
            Stop::from(operands::null_in_template(part_span)).collect(&mut stop);
            continue;
        }
        match to_text(part, part_span) {
            Ok(Some(text)) => {
                length = length.saturating_add(text.as_bytes().len());
                texts.push(text);
            }
            Ok(None) => is_known = false,
            Err(other) => other.collect(&mut stop),
        }
    }
    if let Some(stop) = stop {
        return Err(stop);
    }
    if !is_known {
        return Ok(Value::unknown(marks));
    }
    if length > MAX_TEXT {
        return Err(operands::text_too_long(span).into());
    }
    let mut bytes = Vec::with_capacity(length);
    for text in &texts {
        bytes.extend_from_slice(text.as_bytes());
    }
    Ok(Value::from(Text::from(bytes)).marked(&marks))
}
