//! Answers of the engine.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Urn;

/// The engine or a provider fails.
pub(crate) fn failed(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(Code::EngineError, span, message)
}

/// The properties of a resource that another one refers to cannot be read.
pub(crate) fn malformed_resource(span: Span, urn: &Urn) -> Diagnostic {
    let message = format!("the engine does not give the properties of `{urn}`");
    Diagnostic::error(Code::EngineError, span, message)
}
