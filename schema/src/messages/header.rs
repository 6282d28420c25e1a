//! PCL0452: the fields at the top of a schema.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::DocumentErrorKind;

fn bad_header(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaHeader, at, message)
        .help("the package cannot be used until this is fixed")
}

/// A field cannot be used.
pub(crate) fn unusable_field(at: Span, error: &DocumentErrorKind) -> Diagnostic {
    match error {
        DocumentErrorKind::Header { reason, .. } => bad_header(at, reason),
        other => bad_header(at, other.to_string()),
    }
}

/// The name of the package has other characters than names have.
pub(crate) fn malformed_name(at: Span, name: &str) -> Diagnostic {
    bad_header(
        at,
        format!(
            "`{name}` is not a package name: use letters, digits, `-` and `_`, and start with a letter"
        ),
    )
}

/// The name of the package has another meaning.
pub(crate) fn reserved_package_name(at: Span, name: &str) -> Diagnostic {
    bad_header(at, format!("the name `{name}` is reserved"))
}

/// The namespace has other characters than namespaces have.
pub(crate) fn malformed_namespace(at: Span, namespace: &str) -> Diagnostic {
    bad_header(
        at,
        format!(
            "`{namespace}` is not a namespace: \
             use lower-case letters, digits and `-`, and start with a letter"
        ),
    )
}

/// `meta` has an unknown key.
pub(crate) fn unknown_meta_key(at: Span, key: &str) -> Diagnostic {
    bad_header(at, format!("`meta` has no field `{key}`"))
}

/// `supportPack` is set and the package has no version.
pub(crate) fn pack_without_version(at: Span) -> Diagnostic {
    bad_header(at, "`version` is missing, which `supportPack` requires")
}

// The reasons of `DocumentErrorKind::Header`.

/// The document has no `name`.
pub(crate) fn missing_name() -> String {
    "`name` is missing".to_owned()
}

/// A version is not a semantic version.
pub(crate) fn malformed_version(text: &str) -> String {
    format!("`{text}` is not a version such as 1.2.3")
}

/// `moduleFormat` is not a regular expression.
pub(crate) fn malformed_module_format(error: &str) -> String {
    format!("`moduleFormat` is not a regular expression: {error}")
}

/// The package is parameterized and an extension.
pub(crate) fn parameterized_extension() -> String {
    "a package is parameterized or an extension, not both".to_owned()
}

/// An extension has a provider.
pub(crate) fn extension_with_provider() -> String {
    "an extension has no provider of its own".to_owned()
}

/// A parameterization has no version.
pub(crate) fn parameterization_without_version() -> String {
    "`version` is missing in `parameterization`".to_owned()
}

/// The base provider is not given.
pub(crate) fn missing_base_provider() -> String {
    "`baseProvider` is missing".to_owned()
}

/// The base provider has no name.
pub(crate) fn base_provider_without_name() -> String {
    "`name` is missing in `baseProvider`".to_owned()
}

/// The value of a key is not base64.
pub(crate) fn not_base64(key: &str, error: &base64::DecodeError) -> String {
    format!("`{key}` is not base64: {error}")
}

/// A section is not an object.
pub(crate) fn section_not_object() -> String {
    "expected an object that maps tokens to members".to_owned()
}
