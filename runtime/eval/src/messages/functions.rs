//! Calls of functions.

use std::io;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::ContentErrorKind;

use super::Shown;

/// A function that does not exist at run time.
pub(crate) fn unknown(span: Span, name: &str) -> Diagnostic {
    let message = format!("the function `{name}` does not exist when a program runs");
    Diagnostic::error(Code::FunctionFailed, span, message)
}

/// A call with too few or too many arguments.
pub(crate) fn wrong_count(span: Span, name: &str, expected: usize, given: usize) -> Diagnostic {
    let arguments = if expected == 1 {
        "argument"
    } else {
        "arguments"
    };
    let message = format!("`{name}` expects {expected} {arguments}, found {given}");
    Diagnostic::error(Code::FunctionFailed, span, message)
}

/// An argument of another kind than the function takes.
pub(crate) fn wrong_argument(span: Span, name: &str, value: &Shown, expected: &str) -> Diagnostic {
    let message = format!("`{name}` expects {expected}, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// `...` behind a value that is no list.
pub(crate) fn cannot_expand(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("`...` expects a list, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// An element of a list is null.
pub(crate) fn null_element(span: Span, name: &str, at: usize) -> Diagnostic {
    let message = format!("element {at} of this list is null");
    Diagnostic::error(Code::NullValue, span, message)
        .note(format!("`{name}` expects elements that are not null"))
}

/// A list without elements where one is needed.
pub(crate) fn no_elements(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` expects a list with elements, found an empty list");
    Diagnostic::error(Code::MissingPart, span, message)
}

/// A list with several elements where at most one is expected.
pub(crate) fn not_single(span: Span, found: usize) -> Diagnostic {
    let message = format!("`singleOrNone` expects at most one element, found {found}");
    Diagnostic::error(Code::FunctionFailed, span, message)
}

/// Text that is not base64. The error tells bytes of the text, so it is not shown.
pub(crate) fn not_base64(span: Span, error: &base64::DecodeError) -> Diagnostic {
    let reason = match error {
        base64::DecodeError::InvalidByte(at, _) => {
            format!("the byte at {at} is not in its alphabet")
        }
        base64::DecodeError::InvalidLength(length) => {
            format!("{length} bytes are not a whole code")
        }
        base64::DecodeError::InvalidLastSymbol(at, _) => {
            format!("the last byte, at {at}, has no meaning")
        }
        base64::DecodeError::InvalidPadding => {
            String::from("the `=` at its end are missing or too many")
        }
    };
    Diagnostic::error(
        Code::FunctionFailed,
        span,
        "this string is not valid Base64",
    )
    .note(reason)
    .help("`toBase64` writes Base64, with `=` at its end where needed")
}

/// A file that cannot be read.
pub(crate) fn unreadable_file(
    span: Span,
    name: &str,
    path: &Shown,
    error: &io::Error,
) -> Diagnostic {
    let message = format!("`{name}` cannot read {}", path.or("a secret path"));
    Diagnostic::error(Code::UnreadableContent, span, message)
        .note(error.to_string())
        .help("relative paths begin at the directory of the program")
}

/// An asset or archive whose content cannot be read.
pub(crate) fn no_content(
    span: Span,
    name: &str,
    place: &Shown,
    error: &ContentErrorKind,
) -> Diagnostic {
    let message = format!("`{name}` cannot read {}", place.or("a secret path"));
    Diagnostic::error(Code::UnreadableContent, span, message)
        .note(error.to_string())
        .help("relative paths begin at the directory of the program")
}

/// A fact about the run that is not there.
pub(crate) fn no_fact(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` has no value in this run");
    let diagnostic = Diagnostic::error(Code::FunctionFailed, span, message);
    match name {
        "organization" => diagnostic.note("this backend has no organizations"),
        _ => diagnostic,
    }
}

/// `notImplemented` with its message.
pub(crate) fn not_implemented(span: Span, reason: Option<&Shown>) -> Diagnostic {
    let reason = reason.map_or("", |reason| reason.or("a secret reason"));
    let message = format!("not implemented: {reason}");
    Diagnostic::error(Code::FunctionFailed, span, message)
        .help("write the part of the program that a converter left out")
}

/// `try` of which every argument fails.
pub(crate) fn all_failed(span: Span, failures: Vec<Diagnostic>) -> Diagnostic {
    let message = "every argument of `try` fails";
    let mut diagnostic = Diagnostic::error(Code::FunctionFailed, span, message)
        .help("end with an argument that cannot fail, such as a literal");
    for failure in failures.into_iter().take(5) {
        diagnostic = diagnostic.label(failure.primary, failure.message);
    }
    diagnostic
}

/// The recovery of `recover` needs a failed resource too.
pub(crate) fn recovery_poisoned(span: Span, name: &str) -> Diagnostic {
    let message = format!("the recovery needs the resource `{name}`, which failed");
    Diagnostic::error(Code::FunctionFailed, span, message)
}

/// The program reads a file outside of its project.
pub(crate) fn outside_project(span: Span, path: &Shown) -> Diagnostic {
    let path = path.or("a secret path");
    let message = format!("the program reads {path}, which is outside of the project");
    Diagnostic::warning(Code::ReadOutsideProject, span, message)
        .ours()
        .help("run only programs that you trust with the files that you can read")
}
