//! The errors of this crate, with all of its wording.
//!
//! No error contains a plaintext, a passphrase or a ciphertext.

use pcl_diagnostics::LineColumn;
use pcl_schema::yaml::{self, Node, Place};
use thiserror::Error;

/// The reason why secrets cannot be decrypted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SecretsError {
    /// The state is not `v1:SALT:v1:NONCE:CIPHERTEXT`.
    #[error("the encryption salt of the stack is malformed: {0}")]
    MalformedState(&'static str),
    /// The state belongs to another passphrase.
    #[error("the passphrase is not that of the stack")]
    WrongPassphrase,
    /// The text is not `v1:NONCE:CIPHERTEXT`.
    #[error("the ciphertext is malformed: {0}")]
    MalformedCiphertext(&'static str),
    /// The ciphertext was changed, or was made with another key.
    #[error("the ciphertext was changed or belongs to another stack")]
    WrongKey,
}

/// The reason why a file of settings cannot be read, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {kind}")]
pub struct SettingsError {
    /// The line, from 1.
    pub line: u32,
    /// The column in Unicode scalar values, from 1.
    pub column: u32,
    /// The reason.
    pub kind: SettingsErrorKind,
}

/// The reasons why a file of settings cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingsErrorKind {
    /// The text is not YAML, or uses a part of YAML that is not supported.
    #[error("{0}")]
    Yaml(yaml::ErrorKind),
    /// The key is not a string.
    #[error("the key must be a string")]
    Key,
    /// The value has the wrong kind.
    #[error("`{name}` must be {expected}")]
    Expected {
        /// The key of the value, or the file.
        name: String,
        /// The kind that is expected, with its article.
        expected: &'static str,
    },
    /// The number is infinite or none.
    #[error("the value must be a finite number")]
    NotFinite,
    /// The key of a config value has none of the forms of one.
    #[error("`{0}` is not a configuration key, which has the form `NAMESPACE:NAME` or `NAME`")]
    ConfigKey(String),
    /// The key of a declaration leads into a value.
    #[error("the key `{0}` is a path into a value, which is not supported")]
    Path(String),
    /// The project has no name.
    #[error("the project has no `name`")]
    NoName,
    /// A declaration has an unknown attribute.
    #[error("a config of a project has no attribute `{0}`")]
    Attribute(String),
    /// A declaration has both a default and a value.
    #[error("the config `{0}` has both a `default` and a `value`")]
    DefaultAndValue(String),
    /// A declaration of another namespace has something else than a value.
    #[error("the config `{0}` is not one of the project, so it must have a `value` and no type")]
    OtherNamespace(String),
    /// A declared list has no type for its items.
    #[error("the config `{0}` is an array without `items`")]
    NoItems(String),
}

/// The error of this kind at a place.
pub(crate) fn error(at: Place, kind: SettingsErrorKind) -> SettingsError {
    let LineColumn { line, column } = at.position;
    SettingsError { line, column, kind }
}

/// The error that a value is not what is expected.
pub(crate) fn wrong(node: &Node, name: &str, expected: &'static str) -> SettingsError {
    error(node.at, SettingsErrorKind::Expected { name: name.to_owned(), expected })
}

/// Reads the document of a file; `None` if there is none.
pub(crate) fn read_yaml(text: &str) -> Result<Option<Node>, SettingsError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let read = yaml::read(text, &mut Err);
    read.map_err(|yaml| error(yaml.at, SettingsErrorKind::Yaml(yaml.kind)))
}
