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
