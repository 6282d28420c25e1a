//! Parts that a value does not have.

use pcl_diagnostics::{Code, Diagnostic, Span, suggest};

use super::shown::{LONGEST, quoted, shown};
use crate::value::{Kind, Object, Value};

/// An object has no field of that name.
pub(crate) fn no_field(span: Span, object: &Object, name: &str) -> Diagnostic {
    let message = format!("the object has no value named {}", quoted(name));
    let diagnostic = Diagnostic::error(Code::MissingPart, span, message);
    match suggest(name, object.names()) {
        Some(similar) => diagnostic.help(format!("a value named `{similar}` exists")),
        None => diagnostic.help("`lookup` and `try` give a default where a name may be missing"),
    }
}

/// A list has no element at that position.
pub(crate) fn no_element(span: Span, length: usize, key: &Value) -> Diagnostic {
    let element = match &key.kind {
        Kind::Number(number) if !key.deep_marks().is_secret() => match number.text() {
            text if text.len() <= LONGEST => format!("element `[{text}]`"),
            _ => String::from("such element"),
        },
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
pub(crate) fn not_a_position(span: Span, key: &Value) -> Diagnostic {
    let message = format!(
        "the position in a list must be a number, found {}",
        shown(key)
    );
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// The key of an object is a position.
pub(crate) fn position_in_object(span: Span) -> Diagnostic {
    let message = "the key of an object must be a string, found a number";
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// The key of an object is not a string.
pub(crate) fn wrong_key(span: Span, key: &Value) -> Diagnostic {
    let message = format!(
        "the key of an object must be a string, found {}",
        shown(key)
    );
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// A key is null.
pub(crate) fn null_key(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "this key is null")
        .note("expected a string or a number")
}

/// A key is not UTF-8.
pub(crate) fn key_not_text(span: Span) -> Diagnostic {
    let message = "the key of an object must be text, found a string that is not UTF-8";
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// A part of null.
pub(crate) fn of_null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "null has no parts")
        .note("the value before this step is null")
        .help("compare it with `null` first, or give a default with `try`")
}

/// A part of a value that has none.
pub(crate) fn no_parts(span: Span, value: &Value) -> Diagnostic {
    let message = format!("expected a list or an object, found {}", shown(value));
    Diagnostic::error(Code::WrongValueKind, span, message)
}
