//! Attributes that take a literal only.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// The note about attributes that are read early.
const READ_EARLY: &str = "it is read before the program runs, so it cannot be computed";

/// A value that is not a plain string.
pub(crate) fn not_a_string(span: Span, name: &str) -> Diagnostic {
    string(span, name, READ_EARLY)
}

/// A value in a `package` block that is not a plain string.
pub(crate) fn not_a_string_in_package(span: Span, name: &str) -> Diagnostic {
    string(span, name, "packages are known before the program runs")
}

fn string(span: Span, name: &str, note: &'static str) -> Diagnostic {
    let message = format!("`{name}` takes a plain quoted string");
    Diagnostic::error(Code::NotAStringLiteral, span, message)
        .note(note)
        .help(format!("write it out, as in `{name} = \"..\"`"))
}

/// A value that is not `true` or `false`.
pub(crate) fn not_a_bool(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` takes `true` or `false`");
    Diagnostic::error(Code::NotABoolLiteral, span, message)
        .note(READ_EARLY)
        .help(format!("write `{name} = true` or `{name} = false`"))
}
