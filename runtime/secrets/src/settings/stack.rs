//! `Pulumi.STACK.yaml`.

use std::collections::BTreeMap;

use super::entry::{ConfigEntry, ConfigKey};
use super::value::Value;
use crate::Crypter;
use crate::error::{SettingsError, SettingsErrorKind};
use crate::yaml::{self, Data, Node, Place};

/// The settings of a stack.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct StackSettings {
    /// The provider of secrets; with none, it depends on the backend.
    pub secrets_provider: Option<String>,
    /// The key of the secrets, encrypted by a service.
    pub encrypted_key: Option<String>,
    /// The state of the secrets that are encrypted with a passphrase, for [`Crypter::open`].
    pub encryption_salt: Option<String>,
    /// The configuration in the order of the file.
    config: Vec<(ConfigKey, Value)>,
}

impl StackSettings {
    /// Reads the text of a file. An empty file has no settings.
    ///
    /// # Errors
    /// Returns an error with its place if the text is not YAML, or has not the form of settings.
    pub fn read(text: &str) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        let Some(root) = yaml::read(text)?.filter(|root| !root.is_null()) else {
            return Ok(settings);
        };
        let entries = root.entries().ok_or_else(|| root.wrong("Pulumi.STACK.yaml", "a mapping"))?;
        for (key, value) in entries {
            let slot = match key.text.as_str() {
                "secretsprovider" => &mut settings.secrets_provider,
                "encryptedkey" => &mut settings.encrypted_key,
                "encryptionsalt" => &mut settings.encryption_salt,
                "config" => {
                    settings.config = config(value)?;
                    continue;
                }
                _ => continue,
            };
            *slot = match &value.data {
                Data::Scalar { .. } if value.is_null() => None,
                Data::Scalar { text, .. } => Some(text.clone()).filter(|text| !text.is_empty()),
                _ => return Err(value.wrong(&key.text, "a string")),
            };
        }
        Ok(settings)
    }

    /// The configuration in a project of this name, by key. Bare keys belong to the project. Of
    /// several values for a key, the last one counts.
    ///
    /// Without a crypter, and where decrypting fails, a value with secrets is
    /// [`Encrypted`](super::ConfigValue::Encrypted).
    #[must_use]
    pub fn config(&self, project: &str, crypter: Option<&Crypter>) -> Vec<ConfigEntry> {
        entries(self.values(project), crypter)
    }

    /// Returns true if a value is encrypted, so that a program needs a crypter.
    #[must_use]
    pub fn has_secrets(&self) -> bool {
        self.config.iter().any(|(_, value)| value.is_secret())
    }

    /// The values by whole key.
    pub(super) fn values(&self, project: &str) -> BTreeMap<String, &Value> {
        let config = self.config.iter();
        config.map(|(key, value)| (key.in_project(project), value)).collect()
    }
}

/// The entries for values by whole key.
pub(super) fn entries(
    values: BTreeMap<String, &Value>,
    crypter: Option<&Crypter>,
) -> Vec<ConfigEntry> {
    let entry = |(key, value): (String, &Value)| ConfigEntry {
        key,
        value: value.to_config(crypter),
        is_secret: value.is_secret(),
    };
    values.into_iter().map(entry).collect()
}

/// Reads a key of a configuration.
pub(super) fn config_key(at: Place, key: &str) -> Result<ConfigKey, SettingsError> {
    let malformed = || at.error(SettingsErrorKind::ConfigKey(key.to_owned()));
    ConfigKey::parse(key).ok_or_else(malformed)
}

fn config(node: &Node) -> Result<Vec<(ConfigKey, Value)>, SettingsError> {
    if node.is_null() {
        return Ok(Vec::new());
    }
    let entries = node.entries().ok_or_else(|| node.wrong("config", "a mapping"))?;
    let entry = |(key, value): &(yaml::Key, Node)| {
        if !key.is_text {
            return Err(key.at.error(SettingsErrorKind::Key));
        }
        let config_key = config_key(key.at, &key.text)?;
        Ok((config_key, Value::read(value, ToString::to_string)?))
    };
    entries.iter().map(entry).collect()
}
