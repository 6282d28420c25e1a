//! Loops.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::shown::{quoted, shown};
use crate::value::Value;

/// A loop over null.
pub(crate) fn over_null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "cannot loop over null")
        .note("expected a list, map or object")
}

/// A loop over a value that is no collection.
pub(crate) fn not_a_collection(span: Span, value: &Value) -> Diagnostic {
    let message = format!("cannot loop over {}", shown(value));
    Diagnostic::error(Code::WrongValueKind, span, message).note("expected a list, map or object")
}

/// Two rounds give one key.
pub(crate) fn repeated_key(span: Span, name: &str) -> Diagnostic {
    let message = format!("the loop gives the key {} twice", quoted(name));
    Diagnostic::error(Code::RepeatedKey, span, message)
        .help("put `...` behind the value to collect the values of equal keys in lists")
}
