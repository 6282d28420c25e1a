//! The provider of secrets that needs nothing but a passphrase.
//!
//! A ciphertext is `v1:NONCE:CIPHERTEXT`, both in base64, made by AES-256-GCM. The state of a
//! stack is `v1:SALT:` with the ciphertext of a known text after it, which tells whether a
//! passphrase is the right one. The key is that of PBKDF2 with SHA-256.

use std::fmt;

use aes_gcm::aead::AeadInOut as _;
use aes_gcm::{Aes256Gcm, KeyInit as _, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::error::SecretsError;
use crate::secret::Secret;

/// The rounds of PBKDF2, which are part of the format.
const ROUNDS: u32 = 1_000_000;

/// The bytes of a nonce.
const NONCE_BYTES: usize = 12;

/// The text that is encrypted in the state of a stack.
const KNOWN_TEXT: &[u8] = b"pulumi";

/// Decrypts the secrets of a stack. Its key is overwritten when it is dropped.
#[derive(Clone)]
pub struct Crypter(Aes256Gcm);

impl Crypter {
    /// Opens the secrets of a stack, whose settings have the state as `encryptionsalt`. Deriving
    /// the key takes a good part of a second.
    ///
    /// # Errors
    /// Returns an error if the state is malformed, or of another passphrase.
    pub fn open(passphrase: &str, state: &str) -> Result<Self, SecretsError> {
        let malformed = SecretsError::MalformedState;
        let (version, rest) = state.split_once(':').ok_or(malformed("it has no version"))?;
        let (salt, known) =
            rest.split_once(':').ok_or(malformed("its encrypted part is missing"))?;
        if version != "v1" {
            return Err(malformed("its version is not `v1`"));
        }
        let salt = STANDARD.decode(salt).map_err(|_| malformed("its salt is not base64"))?;
        let sealed = Sealed::parse(known).map_err(|error| match error {
            SecretsError::MalformedCiphertext(reason) => malformed(reason),
            other => other,
        })?;
        let mut key = Zeroizing::new([0; 32]);
        pbkdf2::pbkdf2_hmac::<Sha256>(passphrase.as_bytes(), &salt, ROUNDS, &mut *key);
        let crypter = Self::with_key(&key);
        match crypter.unseal(sealed) {
            Ok(text) if text.unmarked() == KNOWN_TEXT => Ok(crypter),
            _ => Err(SecretsError::WrongPassphrase),
        }
    }

    /// A crypter for a key that the caller has, such as one that a service has decrypted for a
    /// stack with an `encryptedkey`.
    pub fn with_key(key: &[u8; 32]) -> Self {
        Self(Aes256Gcm::new(key.into()))
    }

    /// Decrypts a text `v1:NONCE:CIPHERTEXT`.
    ///
    /// # Errors
    /// Returns an error if the text is malformed, or has not been encrypted with this key.
    pub fn decrypt(&self, ciphertext: &str) -> Result<Secret, SecretsError> {
        self.unseal(Sealed::parse(ciphertext)?)
    }

    fn unseal(&self, sealed: Sealed) -> Result<Secret, SecretsError> {
        let mut buffer = sealed.text;
        self.0
            .decrypt_in_place(&Nonce::from(sealed.nonce), b"", &mut *buffer)
            .map_err(|_| SecretsError::WrongKey)?;
        Ok(Secret::new(buffer))
    }
}

impl fmt::Debug for Crypter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[crypter]")
    }
}

/// The parts of a ciphertext.
struct Sealed {
    nonce: [u8; NONCE_BYTES],
    /// The plaintext will be in its place.
    text: Zeroizing<Vec<u8>>,
}

impl Sealed {
    fn parse(text: &str) -> Result<Self, SecretsError> {
        let malformed = SecretsError::MalformedCiphertext;
        let mut parts = text.split(':');
        let (Some(version), Some(nonce), Some(text), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(malformed("it does not have three parts"));
        };
        if version != "v1" {
            return Err(malformed("the version of its ciphertext is not `v1`"));
        }
        let decode = |part: &str| {
            let decoded = STANDARD.decode(part);
            decoded.map_err(|_| malformed("a part of its ciphertext is not base64"))
        };
        let nonce =
            decode(nonce)?.try_into().map_err(|_| malformed("its nonce does not have 12 bytes"))?;
        let text = Zeroizing::new(decode(text)?);
        Ok(Self { nonce, text })
    }
}
