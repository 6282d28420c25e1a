//! Limits of a run.

use pcl_diagnostics::{Code, Diagnostic, Span};

fn exceeded(span: Span, message: String, setting: &str) -> Diagnostic {
    Diagnostic::error(Code::ValueTooLarge, span, message)
        .note("a run that reaches a limit ends")
        .help(format!(
            "make the program do less, or raise the setting `{setting}` for a program that you trust"
        ))
}

/// The program computes too much.
pub(crate) fn steps(span: Span, limit: u64) -> Diagnostic {
    exceeded(
        span,
        format!("the run takes more than {limit} steps here"),
        "max-steps",
    )
}

/// The program reads too many files.
pub(crate) fn files(span: Span, limit: u64) -> Diagnostic {
    exceeded(
        span,
        format!("the run reads more than {limit} files here"),
        "max-files",
    )
}

/// The program reads too much.
pub(crate) fn bytes(span: Span, limit: u64) -> Diagnostic {
    exceeded(
        span,
        format!("the run reads more than {limit} bytes of files here"),
        "max-file-bytes",
    )
}
