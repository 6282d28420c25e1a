//! Plaintexts.

use std::fmt;

use zeroize::Zeroizing;

/// A decrypted text, which is overwritten when it is dropped. `Debug` does not print it.
#[derive(Clone)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    #[cfg(feature = "crypter")]
    pub(crate) fn new(bytes: Zeroizing<Vec<u8>>) -> Self {
        Self(bytes)
    }

    /// The bytes, which need not be UTF-8. `tests/architecture` lists the users.
    pub fn unmarked(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// Decrypts the secrets of a stack. There is none without the feature `crypter`.
#[cfg(not(feature = "crypter"))]
#[derive(Clone, Copy)]
pub enum Crypter {}

#[cfg(not(feature = "crypter"))]
impl Crypter {
    /// Decrypts a text.
    ///
    /// # Errors
    /// Returns no error: nothing can be asked.
    pub fn decrypt(self, _: &str) -> Result<Secret, crate::SecretsError> {
        match self {}
    }
}
