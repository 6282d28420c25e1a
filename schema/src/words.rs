//! Words that several rules share.

use crate::yaml_events::MAX_YAML_DEPTH;
use pcl_diagnostics::{Code, Diagnostic, Severity, Span};

pub(crate) fn bad_constant(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaConstant, at, message)
        .help("write a value of this type, or remove it")
}

pub(crate) fn bad_header(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaHeader, at, message)
        .help("the package cannot be used until this is fixed")
}

pub(crate) fn bad_method(at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaMethod, at, message).help(
        "a method is a function `RESOURCE/NAME` of this package whose first input is `__self__`",
    )
}

/// The end of a message about an unknown name, with the name that is probably meant.
pub(crate) fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"))
}

pub(crate) fn bad_name(severity: Severity, at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaPropertyName, at, message)
        .with_severity(severity)
        .help("give the property another name")
}

/// `plain` or `plainInputs` is a list.
pub(crate) fn plain_list(at: Span, key: &str) -> Diagnostic {
    let message = format!("the list `{key}` is ignored; set `plain` on each property");
    Diagnostic::error(Code::SchemaRemovedKey, at, message)
        .help("set `plain` in the type of each property in the list")
}

pub(crate) fn dangling(at: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(Code::SchemaDanglingReference, at, message).help(help)
}

pub(crate) const DANGLING_TYPE: &str = "declare the type in `types`, or correct the reference";

/// The help for a malformed type.
pub(crate) const FORMS: &str =
    "a type is boolean, integer, number, string, array, object, a `$ref` or a `oneOf`";

pub(crate) fn bad_type(at: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::error(Code::SchemaType, at, message).help(help)
}

/// A value nests too deeply.
pub(crate) fn too_deep() -> String {
    format!("the value nests deeper than {MAX_YAML_DEPTH} levels")
}
