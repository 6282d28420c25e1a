//! The option `range`.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// A value that cannot be iterated over. Pulumi accepts it for a component.
pub(crate) fn not_a_collection(span: Span, shown: &str, component: bool) -> Diagnostic {
    let message = format!("`range` cannot iterate over {shown}");
    let diagnostic = Diagnostic::error(Code::NotACollection, span, message)
        .help("give it a bool, a number, a list or a map");
    match component {
        true => diagnostic.ours(),
        false => diagnostic,
    }
}
