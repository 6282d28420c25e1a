//! `Pulumi.STACK.yaml`, and the entries of a configuration. Their keys are `NAMESPACE:NAME`, the
//! same as `NAMESPACE:config:NAME`, or a bare `NAME`, whose namespace is the name of the project.

use std::collections::BTreeMap;
use std::fmt;

use pcl_schema::yaml::{Data, Key, Node, Place};

use crate::Crypter;
use crate::error::{SettingsError, SettingsErrorKind, error, read_yaml, wrong};
use crate::value::Value;

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
        let Some(root) = read_yaml(text)?.filter(|root| !root.is_null()) else {
            return Ok(settings);
        };
        let entries =
            root.entries().ok_or_else(|| wrong(&root, "Pulumi.STACK.yaml", "a mapping"))?;
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
            *slot = match &*value.data {
                _ if value.is_null() => None,
                Data::Scalar(_, text) | Data::Text(text) => {
                    Some(text.clone()).filter(|text| !text.is_empty())
                }
                _ => return Err(wrong(value, &key.text, "a string")),
            };
        }
        Ok(settings)
    }

    /// The configuration in a project of this name, by key. Bare keys belong to the project. Of
    /// several values for a key, the last one counts.
    ///
    /// Without a crypter, and where decrypting fails, a value with secrets is
    /// [`Encrypted`](ConfigValue::Encrypted).
    pub fn config(&self, project: &str, crypter: Option<&Crypter>) -> Vec<ConfigEntry> {
        entries(self.values(project), crypter)
    }

    /// Returns true if a value is encrypted, so that a program needs a crypter.
    pub fn has_secrets(&self) -> bool {
        self.config.iter().any(|(_, value)| value.is_secret())
    }

    /// The values by whole key.
    pub(crate) fn values(&self, project: &str) -> BTreeMap<String, &Value> {
        let config = self.config.iter();
        config.map(|(key, value)| (key.in_project(project), value)).collect()
    }
}

/// The entries for values by whole key.
pub(crate) fn entries(
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
pub(crate) fn config_key(at: Place, key: &str) -> Result<ConfigKey, SettingsError> {
    let malformed = || error(at, SettingsErrorKind::ConfigKey(key.to_owned()));
    ConfigKey::parse(key).ok_or_else(malformed)
}

fn config(node: &Node) -> Result<Vec<(ConfigKey, Value)>, SettingsError> {
    if node.is_null() {
        return Ok(Vec::new());
    }
    let entries = node.entries().ok_or_else(|| wrong(node, "config", "a mapping"))?;
    let entry = |(key, value): &(Key, Node)| {
        if key.scalar.is_some() {
            return Err(error(key.at, SettingsErrorKind::Key));
        }
        let config_key = config_key(key.at, &key.text)?;
        Ok((config_key, Value::read(value, false)?))
    };
    entries.iter().map(entry).collect()
}

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

/// A key as a file has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ConfigKey {
    namespace: Option<String>,
    name: String,
}

impl ConfigKey {
    /// Reads a key; `None` if it has too many parts.
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.splitn(4, ':').collect();
        let (namespace, name) = match parts[..] {
            [name] => (None, name),
            [namespace, name] | [namespace, "config", name] => (Some(namespace), name),
            _ => return None,
        };
        Some(Self { namespace: namespace.map(str::to_owned), name: name.to_owned() })
    }

    /// Returns true if the key belongs to the project of this name.
    pub fn is_of(&self, project: &str) -> bool {
        self.namespace.as_deref().is_none_or(|own| own == project)
    }

    /// Returns true if the name leads into a value.
    pub fn is_path(&self) -> bool {
        self.name.contains(['.', '['])
    }

    /// The whole key, `NAMESPACE:NAME`, in a project of this name.
    pub fn in_project(&self, project: &str) -> String {
        let namespace = self.namespace.as_deref().unwrap_or(project);
        format!("{namespace}:{}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::ConfigKey;

    #[test]
    fn forms() {
        let key = |text: &str| ConfigKey::parse(text).map(|key| key.in_project("shop"));
        assert_eq!(key("size").as_deref(), Some("shop:size"));
        assert_eq!(key("aws:region").as_deref(), Some("aws:region"));
        assert_eq!(key("aws:config:region").as_deref(), Some("aws:region"));
        assert_eq!(key("config:region").as_deref(), Some("config:region"));
        assert_eq!(key(":x").as_deref(), Some(":x"));
        assert_eq!(key("a:b:c"), None);
        assert_eq!(key("a:config:b:c"), None);
    }
}
