//! The keys of a configuration: `NAMESPACE:NAME`, the same as `NAMESPACE:config:NAME`, or a bare
//! `NAME`, whose namespace is the name of the project.

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
        Some(Self {
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
        })
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
