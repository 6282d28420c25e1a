//! Files and directories of programs.

use std::io::{Error, ErrorKind};

use pcl_diagnostics::{Code, Diagnostic, Setting, Span};

/// A directory without a program file.
pub(crate) fn no_program_files(span: Span, directory: &str) -> Diagnostic {
    let message = format!("there is no `.pp` file in `{directory}`");
    Diagnostic::error(Code::NoProgramFiles, span, message)
        .help("name a directory that holds `.pp` files")
        .setting(Setting::Recursive)
        .ours()
}

/// A link to something that does not exist.
pub(crate) fn dead_link(span: Span, display: &str) -> Diagnostic {
    let message = format!("`{display}` is a link that leads nowhere");
    Diagnostic::error(Code::UnreadableSource, span, message)
        .help("make the file that it leads to, or remove the link")
}

/// A file or directory (`what`) that gives no text.
pub(crate) fn unreadable(span: Span, display: &str, error: &Error, what: &str) -> Diagnostic {
    let (code, message, help) = match error.kind() {
        ErrorKind::NotFound => (
            Code::UnreadableSource,
            format!("there is no {what} `{display}`"),
            "check the path and its permissions",
        ),
        ErrorKind::PermissionDenied => (
            Code::UnreadableSource,
            format!("`{display}` may not be read with your permissions"),
            "check the path and its permissions",
        ),
        ErrorKind::InvalidInput => (
            Code::UnreadableSource,
            format!("`{display}` cannot be read: {error}"),
            "programs are regular files; `-` reads standard input",
        ),
        ErrorKind::InvalidFilename => (
            Code::UnreadableSource,
            format!("`{display}` cannot be read: {error}"),
            "rename the file",
        ),
        ErrorKind::FileTooLarge => (
            Code::FileTooLarge,
            format!("`{display}` is not read: {error}"),
            "split the program into several files",
        ),
        _ => (
            Code::UnreadableSource,
            format!("`{display}` cannot be read: {error}"),
            "check the path and its permissions",
        ),
    };
    Diagnostic::error(code, span, message).help(help)
}
