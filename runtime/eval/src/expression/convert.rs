//! Conversions of values to numbers, bools and strings.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_number::Number;
use pcl_values::Text;

use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Kind, Value};
use crate::wording;

/// The number that a value converts to; `None` if it is unknown.
pub(crate) fn to_number(value: &Value, span: Span) -> Result<Option<Number>, Stop> {
    let expected = "a number";
    match &value.kind {
        Kind::Unknown => Ok(None),
        Kind::Null => Err(wording::null(span).into()),
        Kind::Number(number) => {
            if number.is_finite() {
                Ok(Some(number.clone()))
            } else {
                Err(wording::not_finite(span).into())
            }
        }
        Kind::String(text) => match text.unmarked().as_str().and_then(Number::from_text) {
            Some(number) if number.is_finite() => Ok(Some(number)),
            Some(_) => Err(wording::not_finite(span).into()),
            None => {
                Err(wording::wrong_kind(span, &Shown::of(value, &value.marks), expected).into())
            }
        },
        _ => Err(wording::wrong_kind(span, &Shown::of(value, &value.marks), expected).into()),
    }
}

/// The bool that a value converts to; `None` if it is unknown.
pub(crate) fn to_bool(value: &Value, span: Span) -> Result<Option<bool>, Stop> {
    match &value.kind {
        Kind::Unknown => Ok(None),
        Kind::Bool(value) => Ok(Some(*value)),
        Kind::String(text) => match text.unmarked().as_str().and_then(read_bool) {
            Some(value) => Ok(Some(value)),
            None => {
                Err(wording::wrong_kind(span, &Shown::of(value, &value.marks), "a bool").into())
            }
        },
        _ => Err(wording::wrong_kind(span, &Shown::of(value, &value.marks), "a bool").into()),
    }
}

fn read_bool(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// The string that a value converts to; `None` if it is unknown.
pub(crate) fn to_text(value: &Value, span: Span) -> Result<Option<Text>, Stop> {
    match &value.kind {
        Kind::Unknown => Ok(None),
        Kind::Number(number) if !number.is_finite() => Err(wording::not_finite(span).into()),
        _ => match plain_text(value) {
            Some(text) => Ok(Some(text)),
            None => {
                Err(wording::wrong_kind(span, &Shown::of(value, &value.marks), "a string").into())
            }
        },
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
    let Some(number) = to_number(value, span)? else {
        return Ok(None);
    };
    match number.read_back().to_i64() {
        Some(whole) => Ok(Some(whole)),
        None => Err(not_whole(span, &Shown::of(value, &value.marks)).into()),
    }
}

/// A number is not whole.
fn not_whole(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("expected a whole number, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
        .help("subtract the remainder, as in `n - n % 1`")
}
