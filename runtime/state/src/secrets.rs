//! Opening the secrets of a state.

use pcl_secrets::Crypter;
pub use pcl_secrets::SecretsError;

use crate::json::Tree;
use crate::state::State;
use crate::value::Secret;

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

    /// The value of a secret, as a text of its own; `None` if it is encrypted with another key, or
    /// is not JSON. Secrets inside it are in plain text.
    #[must_use]
    pub fn open(&self, secret: &Secret<'_>) -> Option<Tree> {
        Tree::read(self.text(secret)?.into()).ok()
    }

    /// The JSON text of a secret.
    pub(crate) fn text(&self, secret: &Secret<'_>) -> Option<String> {
        match secret {
            Secret::Plain(text) => Some(text.clone().into_owned()),
            Secret::Encrypted(text) => {
                let opened = self.0.as_ref()?.decrypt(text).ok()?;
                opened.as_str().map(str::to_owned)
            }
        }
    }
}
