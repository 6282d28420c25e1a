//! The entries of a configuration.

use std::fmt;

/// A key and its value, as a program receives them.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigEntry {
    /// The key, `NAMESPACE:NAME`.
    pub key: String,
    /// The value.
    pub value: ConfigValue,
    /// Set if the value or a part of it is encrypted in the file.
    pub is_secret: bool,
}

/// The value of an entry.
#[derive(Clone, PartialEq, Eq)]
pub enum ConfigValue {
    /// The text that the program receives: a string as it is, anything else as JSON.
    Text(String),
    /// The value could not be decrypted.
    Encrypted,
}

impl ConfigValue {
    /// The text, if there is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Encrypted => None,
        }
    }
}

impl fmt::Debug for ConfigEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.value, self.is_secret) {
            (ConfigValue::Text(text), false) => write!(f, "{} = {text:?}", self.key),
            (ConfigValue::Text(_), true) => write!(f, "{} = [secret]", self.key),
            (ConfigValue::Encrypted, _) => write!(f, "{} = [encrypted]", self.key),
        }
    }
}

/// Without its entry, a value may be a secret.
impl fmt::Debug for ConfigValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text(_) => "[text]",
            Self::Encrypted => "[encrypted]",
        })
    }
}
