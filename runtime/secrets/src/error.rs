//! The errors of this crate, with all of its wording.
//!
//! No error contains a plaintext, a passphrase or a ciphertext.

use thiserror::Error;

/// The reason why secrets cannot be encrypted or decrypted.
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
    /// The cipher takes no text of this length.
    #[error("the text is too long to be encrypted")]
    TooLong,
    /// The system has no random numbers.
    #[error("the system supplies no random numbers")]
    NoRandomNumbers,
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
    /// The text is not YAML.
    #[error("{0}")]
    Yaml(String),
    /// The file has a second document.
    #[error("expected one document, found a second")]
    SecondDocument,
    /// A mapping takes over the entries of another one.
    #[error("merge keys are not supported; write the keys out")]
    MergeKey,
    /// A tag other than `!!str` changes the type of a value.
    #[error("the tag `{0}` is not supported")]
    Tag(String),
    /// The key is not a scalar, or one that has no name.
    #[error("the key must be a string")]
    Key,
    /// The key occurs twice in a mapping.
    #[error("the key `{0}` occurs twice")]
    KeyTwice(String),
    /// An alias refers to nothing, or to the value that it is part of.
    #[error("the alias is inside the value that it refers to")]
    Alias,
    /// The values nest too deeply.
    #[error("the value nests deeper than {} levels", crate::yaml::MAX_DEPTH)]
    TooDeep,
    /// The file has too many values, aliases expanded.
    #[error("the file has more than {} values", crate::yaml::MAX_NODES)]
    TooLarge,
    /// Aliases repeat too much text.
    #[error(
        "the aliases of the file repeat more than {} MiB of text",
        crate::yaml::MAX_REPEATED >> 20
    )]
    TooLong,
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
