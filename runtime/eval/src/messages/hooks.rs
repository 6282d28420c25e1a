//! Hooks.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::Shown;

/// The command of a hook is empty or missing.
pub(crate) fn no_command(span: Span) -> Diagnostic {
    let message = "the command of this hook is empty";
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .note("expected a list of a program and its arguments")
}

/// The command of a hook is no list.
pub(crate) fn not_a_list(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("the command of a hook must be a list, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
}

/// A part of the command of a hook is no string.
pub(crate) fn not_a_word(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("a part of a command must be a string, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
}
