//! Parts of values: `.name`, `[key]`.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span, suggest};

use super::convert::plain_text;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Object, Value};
use crate::wording;

/// A part of a value, or that it is unknown.
pub(crate) enum Part<'v> {
    Known(&'v Value),
    Unknown,
}

/// The field of an object or resource. The marks are those of the object and of the name.
pub(crate) fn field<'v>(
    object: &'v Object,
    name: &str,
    marks: &Marks,
    span: Span,
) -> Result<Part<'v>, Stop> {
    match object.get(name) {
        Some(value) => Ok(Part::Known(value)),
        None => Err(no_field(object, name, marks, span)),
    }
}

/// The reason why an object has no field of that name.
pub(crate) fn no_field(object: &Object, name: &str, marks: &Marks, span: Span) -> Stop {
    let similar = suggest(name, object.names()).map(|similar| Shown::text(similar, marks));
    let name = Shown::text(name, marks);
    unknown_field(span, &name, similar.as_ref()).into()
}

/// The element of a list at a position. The marks are those of the list.
pub(crate) fn element<'v>(
    elements: &'v [Value],
    key: &Value,
    marks: &Marks,
    span: Span,
) -> Result<Part<'v>, Stop> {
    let position = match &key.kind {
        Kind::Unknown => return Ok(Part::Unknown),
        Kind::Number(number) => Some(number.clone()),
        Kind::String(text) => text.unmarked().as_str().and_then(pcl_number::Number::from_text),
        _ => None,
    };
    let Some(position) = position else {
        return Err(not_a_position(span, &Shown::of(key, marks)).into());
    };
    let found = position
        .read_back()
        .to_i64()
        .and_then(|at| usize::try_from(at).ok())
        .and_then(|at| elements.get(at));
    match found {
        Some(value) => Ok(Part::Known(value)),
        None => Err(no_element(span, elements.len(), &Shown::of(key, marks)).into()),
    }
}

/// The field of an object that a key leads to.
pub(crate) fn entry<'v>(
    object: &'v Object,
    key: &Value,
    marks: &Marks,
    span: Span,
) -> Result<Part<'v>, Stop> {
    match &key.kind {
        Kind::Unknown => Ok(Part::Unknown),
        Kind::String(_) => match key_text(key, span)? {
            Some(name) => field(object, &name, marks, span),
            None => Ok(Part::Unknown),
        },
        _ => Err(wrong_key(span, &Shown::of(key, marks)).into()),
    }
}

/// The text of a key of an object; `None` if it is unknown.
pub(crate) fn key_text(key: &Value, span: Span) -> Result<Option<Arc<str>>, Stop> {
    match &key.kind {
        Kind::Unknown => Ok(None),
        Kind::Null => Err(wording::null_key(span).into()),
        _ => match plain_text(key) {
            Some(text) => match text.unmarked().shared() {
                Some(text) => Ok(Some(text)),
                None => Err(key_not_text(span).into()),
            },
            None => Err(wrong_key(span, &Shown::of(key, &key.marks)).into()),
        },
    }
}

/// An object has no field of that name, but perhaps one of a similar name.
fn unknown_field(span: Span, name: &Shown, similar: Option<&Shown>) -> Diagnostic {
    let message = format!("the object has no value named {}", name.or("like this"));
    let diagnostic = Diagnostic::error(Code::MissingPart, span, message);
    match similar {
        Some(similar) => diagnostic.help(format!("a value named {} exists", similar.or("so"))),
        None => diagnostic.help("`lookup` and `try` give a default where a name may be missing"),
    }
}

/// A list has no element at that position.
fn no_element(span: Span, length: usize, key: &Shown) -> Diagnostic {
    let element = match (key.noun(), key.or("")) {
        ("a number", number) if !number.is_empty() => format!("element `[{number}]`"),
        _ => String::from("such element"),
    };
    let message = match length {
        0 => format!("there is no {element}: the list is empty"),
        1 => format!("there is no {element}: the list has one element"),
        _ => format!("there is no {element}: the list has {length} elements"),
    };
    Diagnostic::error(Code::MissingPart, span, message)
        .help("`try` gives a default where a position may be missing")
}

/// The key of a list is not a number.
fn not_a_position(span: Span, key: &Shown) -> Diagnostic {
    let message = format!("the position in a list must be a number, found {key}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// The key of an object is not a string.
fn wrong_key(span: Span, key: &Shown) -> Diagnostic {
    let message = format!("the key of an object must be a string, found {key}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// A key is not UTF-8.
fn key_not_text(span: Span) -> Diagnostic {
    let message = "the key of an object must be text, found a string that is not UTF-8";
    Diagnostic::error(Code::WrongValueKind, span, message)
}
