//! The keys that Pulumi YAML reads in each place. It takes them in any case.

use pcl::schema::yaml::{Key, Node};

use crate::converter::Converter;
use crate::mistakes::{invalid, other_case, unknown_key};

/// The keys of a place.
pub(crate) struct Keys {
    /// The place, as the subject of a sentence.
    pub place: &'static str,
    pub names: &'static [&'static str],
}

/// The keys of a program.
pub(crate) const SECTIONS: Keys = Keys {
    place: "the program",
    names: &[
        "components",
        "config",
        "configuration",
        "outputs",
        "pulumi",
        "resources",
        "variables",
    ],
};

/// The keys of a component in a plugin.
pub(crate) const COMPONENT: Keys = Keys {
    place: "a component",
    names: &["description", "inputs", "name", "outputs", "pulumi", "resources", "variables"],
};

/// The keys of a project that are not about the program.
pub(crate) const PROJECT: &[&str] = &[
    "author",
    "backend",
    "description",
    "license",
    "main",
    "name",
    "namespace",
    "options",
    "packages",
    "plugins",
    "refresh",
    "requiredPulumiVersion",
    "runtime",
    "stackConfigDir",
    "tags",
    "template",
    "version",
    "website",
];

pub(crate) const CONFIG: Keys = Keys {
    place: "a configuration variable",
    names: &["default", "description", "items", "name", "secret", "type", "value"],
};

pub(crate) const RESOURCE: Keys = Keys {
    place: "a resource",
    names: &["defaultProvider", "get", "name", "options", "properties", "type"],
};

pub(crate) const GET: Keys = Keys { place: "`get`", names: &["id", "state"] };

pub(crate) const PULUMI: Keys = Keys { place: "`pulumi`", names: &["requiredVersion"] };

pub(crate) const TIMEOUTS: Keys =
    Keys { place: "`customTimeouts`", names: &["create", "delete", "read", "update"] };

pub(crate) const OPTIONS: Keys = Keys {
    place: "`options`",
    names: &[
        "additionalSecretOutputs",
        "aliases",
        "customTimeouts",
        "deleteBeforeReplace",
        "deletedWith",
        "dependsOn",
        "envVarMappings",
        "hideDiffs",
        "ignoreChanges",
        "import",
        "parent",
        "pluginDownloadURL",
        "protect",
        "provider",
        "providers",
        "replaceOnChanges",
        "replaceWith",
        "replacementTrigger",
        "retainOnDelete",
        "version",
    ],
};

pub(crate) const ALIAS: Keys = Keys {
    place: "an alias",
    names: &["name", "noParent", "parent", "project", "stack", "type", "urn"],
};

pub(crate) const INVOKE: Keys =
    Keys { place: "`fn::invoke`", names: &["arguments", "function", "options", "return"] };

pub(crate) const INVOKE_OPTIONS: Keys = Keys {
    place: "`options` of `fn::invoke`",
    names: &["dependsOn", "parent", "pluginDownloadURL", "provider", "version"],
};

/// An entry of a record, by the name of its key.
pub(crate) type Field<'n> = (&'static str, &'n Key, &'n Node);

/// The entries of a record.
pub(crate) struct Record<'n>(pub Vec<Field<'n>>);

impl<'n> Record<'n> {
    /// The value of a key.
    pub fn get(&self, name: &str) -> Option<&'n Node> {
        self.0.iter().find(|(known, ..)| *known == name).map(|(_, _, value)| *value)
    }
}

impl Converter<'_> {
    /// The entries of a record; keys that are not known are reported.
    pub fn record<'n>(&mut self, node: &'n Node, keys: &Keys) -> Record<'n> {
        let Some(entries) = self.entries(node, keys.place) else { return Record(Vec::new()) };
        let mut found = Vec::new();
        for (key, value) in entries {
            match self.known(key, keys.names) {
                Some(name) => found.push((name, key, value)),
                None => {
                    let unknown = unknown_key(self.span(key.at), &key.text, keys.place, keys.names);
                    self.diagnostics.push(unknown);
                }
            }
        }
        Record(found)
    }

    /// The name that a key has, in whatever case it is written.
    pub fn known(&mut self, key: &Key, names: &[&'static str]) -> Option<&'static str> {
        let name = names.iter().find(|name| name.eq_ignore_ascii_case(&key.text))?;
        if *name != key.text {
            self.diagnostics.push(other_case(self.span(key.at), &key.text, name));
        }
        Some(name)
    }

    /// The entries of a mapping, which anything else is not.
    pub fn entries<'n>(&mut self, node: &'n Node, place: &str) -> Option<&'n [(Key, Node)]> {
        if self.is_alias(node) {
            return None;
        }
        let entries = node.entries();
        if entries.is_none() {
            let message = format!("{place} must be an object, found {}", crate::value::noun(node));
            self.diagnostics.push(invalid(self.span(node.at), message));
        }
        entries
    }

    /// The text of a value, which must be a plain one.
    pub fn plain_text(&mut self, node: &Node, place: &str) -> Option<String> {
        if self.is_alias(node) {
            return None;
        }
        let pieces = node.text().map(crate::interpolation::pieces);
        if let Some(Ok(pieces)) = pieces {
            match <[_; 1]>::try_from(pieces) {
                Ok([crate::interpolation::Piece::Text(text)]) => return Some(text),
                Err(pieces) if pieces.is_empty() => return Some(String::new()),
                _ => {}
            }
        }
        let message = format!("{place} must be a plain text, found {}", crate::value::noun(node));
        self.diagnostics.push(invalid(self.span(node.at), message));
        None
    }

    /// The value of a bool, which must be `true` or `false`.
    pub fn plain_bool(&mut self, node: &Node, place: &str) -> Option<bool> {
        use pcl::schema::yaml::{Data, Scalar};
        if let Data::Scalar(Scalar::Bool(value), _) = *node.data
            && !node.is_alias
        {
            return Some(value);
        }
        let message = format!("{place} must be true or false, found {}", crate::value::noun(node));
        self.diagnostics.push(invalid(self.span(node.at), message));
        None
    }
}
