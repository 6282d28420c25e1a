//! PCL0450, PCL0451 and PCL0466: the JSON of a schema.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::DocumentErrorKind;

/// The text of the error about a file that is not what it was when it was opened.
pub(crate) const FILE_CHANGED: &str = "the file was changed while it was in use";

/// The document is not a schema at all.
pub(crate) fn no_schema(at: Span, error: &DocumentErrorKind) -> Diagnostic {
    Diagnostic::error(Code::SchemaDocument, at, error.to_string())
        .help("a schema is one JSON or YAML object with at least a `name`")
}

/// A value cannot be read; `error` is the text of the JSON reader or of the system.
pub(crate) fn unreadable(at: Span, error: &str) -> Diagnostic {
    Diagnostic::error(Code::SchemaValue, at, error).help("correct the value")
}

/// An object has two values for one key.
pub(crate) fn duplicate_key(at: Span, key: &str, first: Span) -> Diagnostic {
    let message = format!("`{key}` appears twice; the last one counts");
    Diagnostic::warning(Code::SchemaDuplicateKey, at, message)
        .label(first, "the first one")
        .help("remove one of them")
}

/// The note with the path of keys to the value.
pub(crate) fn at_path(path: &str) -> String {
    format!("at {path}")
}

/// The label of the last diagnostic about a member that has more.
pub(crate) fn more_in_member(count: usize) -> String {
    format!("{count} more in this member are not shown")
}

/// The message of serde_json without the position, which is counted in the member and not in the
/// document.
pub(crate) fn json_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}
