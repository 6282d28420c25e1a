//! Options of resources.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::Shown;

/// The value of an option is not known when resources are created.
pub(crate) fn unknown(span: Span) -> Diagnostic {
    let message = "the value of this option is not known yet";
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .note("an option must be known before its resource is created")
}

/// The value of an option is no object.
pub(crate) fn not_an_object(span: Span, name: &str, value: &Shown) -> Diagnostic {
    let message = format!("`{name}` expects an object, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
}

/// The value of an option is no resource.
pub(crate) fn not_a_resource(span: Span, name: &str, value: &Shown) -> Diagnostic {
    let message = format!("`{name}` expects a resource, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .help("name the resource itself, not one of its outputs")
}

/// A number of resources that is negative or not whole.
pub(crate) fn not_a_count(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("`range` must be a whole number from 0 on, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .help("give the number of resources that the block declares")
}

/// A range that is neither a number nor a bool nor a collection.
pub(crate) fn unsupported_range(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("`range` expects a bool, number, list or map, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .help("put a single value in a list, as in `[value]`")
}
