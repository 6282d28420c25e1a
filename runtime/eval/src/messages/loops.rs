//! Loops.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::Shown;

/// A loop over null.
pub(crate) fn over_null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "cannot loop over null")
        .note("expected a list, map or object")
}

/// A loop over a value that is no collection.
pub(crate) fn not_a_collection(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("cannot loop over {value}");
    Diagnostic::error(Code::WrongValueKind, span, message).note("expected a list, map or object")
}

/// Two rounds give one key.
pub(crate) fn repeated_key(span: Span, name: &Shown) -> Diagnostic {
    let message = format!("the loop gives the key {} twice", name.or("of a secret"));
    Diagnostic::error(Code::RepeatedKey, span, message)
        .help("put `...` behind the value to collect the values of equal keys in lists")
}
