//! Previews.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// An expression needs a resource that failed.
pub(crate) fn failed_resource(span: Span, name: &str) -> Diagnostic {
    let message = format!("the expression needs the resource `{name}`, which failed");
    Diagnostic::error(Code::EngineError, span, message)
}

/// The program read a file outside of its project.
pub(crate) fn outside_project(span: Span, path: &str) -> Diagnostic {
    let message = format!("the program reads `{path}`, which is outside of the project");
    Diagnostic::warning(Code::ReadOutsideProject, span, message)
        .ours()
        .help("run only programs that you trust with the files that you can read")
}
