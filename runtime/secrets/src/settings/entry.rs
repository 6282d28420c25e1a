//! The entries of a configuration. Their keys are `NAMESPACE:NAME`, the same as
//! `NAMESPACE:config:NAME`, or a bare `NAME`, whose namespace is the name of the project.

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
