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

/// Errors of texts that are not JSON.
pub(crate) const TRAILING: &str = "expected the end of the text after the value";
pub(crate) const ENDS_IN_VALUE: &str = "the text ends inside a value";
pub(crate) const NO_VALUE: &str = "expected a value";
pub(crate) const NO_KEY: &str = "expected a key in double quotes";
pub(crate) const NO_COLON: &str = "expected `:`";
pub(crate) const NO_BRACE: &str = "expected `,` or `}`";
pub(crate) const NO_BRACKET: &str = "expected `,` or `]`";
pub(crate) const TRAILING_COMMA: &str =
    "expected another element after `,`, found the closing bracket";
pub(crate) const NO_NUMBER: &str = "expected a number as JSON writes it";
pub(crate) const NUMBER_RANGE: &str = "the number is out of range";
pub(crate) const NOT_UTF8: &str = "the string is not UTF-8";
pub(crate) const NO_CHARACTER: &str = "an escape in the string is not a character";
pub(crate) const ESCAPE: &str = "expected an escape as JSON has it, such as `\\n` or `\\u00e9`";
pub(crate) const CONTROL: &str = "a control character in a string must be escaped";
pub(crate) const TOO_DEEP: &str = "the value is nested too deeply";

/// A value of another kind than needed.
pub(crate) fn wrong_kind(expected: &str, found: &str) -> String {
    format!("expected {expected}, found {found}")
}
