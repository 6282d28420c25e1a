//! Previews.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// An expression needs a resource that failed.
pub(crate) fn failed_resource(span: Span, name: &str) -> Diagnostic {
    let message = format!("the expression needs the resource `{name}`, which failed");
    Diagnostic::error(Code::EngineError, span, message)
}
