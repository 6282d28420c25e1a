//! Constructs that the language of a generated project cannot express.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::generated::Unsupported;

/// The construct is left out of the project.
pub(crate) fn unsupported(unsupported: &Unsupported, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::warning(unsupported.code, span, unsupported.message.clone()).ours();
    match unsupported.code {
        Code::LeftOut => diagnostic.help("solve the problem of the declaration it refers to first"),
        _ => diagnostic
            .note(format!("not supported: {}", unsupported.kind))
            .help("add what is missing to the generated project by hand"),
    }
}
