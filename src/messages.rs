//! The wording of the diagnostics that no layer below reports.

use std::fmt::Display;

use pcl_diagnostics::{Code, Diagnostic, Span};

/// A schema file that cannot be read.
pub(crate) fn unreadable_schema(span: Span, path: &str, error: &dyn Display) -> Diagnostic {
    let message = format!("cannot read `{path}`: {error}");
    Diagnostic::error(Code::UnreadableSource, span, message)
}
