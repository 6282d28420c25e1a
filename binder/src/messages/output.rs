//! Outputs.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// An output without a value.
pub(crate) fn missing_value(span: Span, name: &str) -> Diagnostic {
    let message = format!("output `{name}` has no value");
    Diagnostic::error(Code::MissingOutputValue, span, message)
        .help("add `value = ..` to its body, or remove the output")
        .ours()
}
