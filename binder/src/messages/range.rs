//! The option `range`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::value::Number;

/// A value that cannot be iterated over, in words. Pulumi accepts it for a component.
pub(crate) fn not_a_collection(span: Span, found: &str, component: bool) -> Diagnostic {
    let message = format!("`range` must be a bool, a number, a list or a map, found {found}");
    let diagnostic = Diagnostic::error(Code::NotACollection, span, message);
    if component {
        diagnostic.ours()
    } else {
        diagnostic
    }
}

/// A number of resources that is negative or not whole.
pub(crate) fn not_a_count(span: Span, count: &Number) -> Diagnostic {
    let message = format!("`range` must be a whole number from 0 on, found {count}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
        .ours()
        .help("write the number of resources that the block declares")
}
