//! Words that several rules share.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_schema::PropertySpec;

use crate::place::Place;

pub(crate) fn refused(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::ImportRefused, at, message)
}

pub(crate) fn inexact(at: Span, place: &Place<'_>, reason: &str) -> Diagnostic {
    inexact_part(at, &place.urn, &format!("the input `{}`", place.text()), reason)
}

pub(crate) fn inexact_part(at: Span, urn: &str, part: &str, reason: &str) -> Diagnostic {
    let message = format!("{part} differs from the state: {reason}");
    Diagnostic::warning(Code::ImportInexact, at, message).note(format!("of {urn}"))
}

/// An input that a run adds to those of the program is not in the state: a constant, or one with a
/// default.
pub(crate) fn added(at: Span, place: &Place<'_>, spec: &PropertySpec) -> Diagnostic {
    let reason = match spec.constant {
        Some(_) => "the state has no value, and the schema adds the only one",
        None => "the state has no value, and the schema adds its default",
    };
    inexact(at, place, reason).help(format!("write `{} = null` to send no value", place.text()))
}
