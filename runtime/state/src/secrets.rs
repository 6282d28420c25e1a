//! Opening the secrets of a state.

use pcl_secrets::Crypter;
pub use pcl_secrets::SecretsError;

use crate::state::State;

/// The keys of the secrets of a state. Without any, only those in plain text can be opened.
#[derive(Clone, Debug, Default)]
pub struct Keys(Option<Crypter>);

impl Keys {
    /// The keys of a state whose secrets are encrypted with a passphrase. States with other secrets
    /// providers stay closed. Deriving the key takes a good part of a second.
    ///
    /// # Errors
    /// Returns an error if the state of the secrets provider is malformed, or of another
    /// passphrase.
    pub fn with_passphrase(state: &State, passphrase: &str) -> Result<Self, SecretsError> {
        match state.secrets_provider().and_then(|it| it.salt) {
            Some(salt) => Crypter::open(passphrase, &salt).map(Some).map(Self),
            None => Ok(Self::default()),
        }
    }

    /// The keys for a crypter that the caller has.
    #[must_use]
    pub fn with_crypter(crypter: Crypter) -> Self {
        Self(Some(crypter))
    }

    /// The text of a ciphertext.
    pub(crate) fn decrypt(&self, ciphertext: &str) -> Option<String> {
        let opened = self.0.as_ref()?.decrypt(ciphertext).ok()?;
        let text = std::str::from_utf8(opened.unmarked());
        text.ok().map(str::to_owned)
    }
}
