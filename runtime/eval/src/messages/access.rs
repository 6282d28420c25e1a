//! Parts that a value does not have.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::Shown;

/// An object has no field of that name, but perhaps one of a similar name.
pub(crate) fn no_field(span: Span, name: &Shown, similar: Option<&Shown>) -> Diagnostic {
    let message = format!("the object has no value named {}", name.or("like this"));
    let diagnostic = Diagnostic::error(Code::MissingPart, span, message);
    match similar {
        Some(similar) => diagnostic.help(format!("a value named {} exists", similar.or("so"))),
        None => diagnostic.help("`lookup` and `try` give a default where a name may be missing"),
    }
}

/// A list has no element at that position.
pub(crate) fn no_element(span: Span, length: usize, key: &Shown) -> Diagnostic {
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
pub(crate) fn not_a_position(span: Span, key: &Shown) -> Diagnostic {
    let message = format!("the position in a list must be a number, found {key}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// The key of an object is a position.
pub(crate) fn position_in_object(span: Span) -> Diagnostic {
    let message = "the key of an object must be a string, found a number";
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// The key of an object is not a string.
pub(crate) fn wrong_key(span: Span, key: &Shown) -> Diagnostic {
    let message = format!("the key of an object must be a string, found {key}");
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
pub(crate) fn no_parts(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("expected a list or an object, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}
