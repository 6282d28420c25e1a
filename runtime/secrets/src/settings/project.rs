//! `Pulumi.yaml`: the name of the project, and the configuration that it declares.

use super::entry::{ConfigEntry, ConfigKey};
use super::stack::{StackSettings, config_key, entries};
use super::value::Value;
use crate::Crypter;
use crate::error::{SettingsError, SettingsErrorKind as Kind};
use crate::yaml::scalar::Scalar;
use crate::yaml::time::Time;
use crate::yaml::{self, Data, Key, Node, Place};

/// The types that a declaration may name.
const TYPES: [&str; 5] = ["string", "integer", "boolean", "array", "object"];

/// The part of a project file that is about configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct ProjectSettings {
    /// The name of the project, which is the namespace of bare keys.
    pub name: String,
    /// The declarations in the order of the file.
    pub declarations: Vec<Declaration>,
}

/// The declaration of a key in a project file.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// The key, `NAMESPACE:NAME`.
    pub key: String,
    /// The type: `string`, `integer`, `boolean`, `array` or `object`.
    pub type_name: Option<String>,
    /// Set if the settings of a stack have to encrypt the value.
    pub is_secret: bool,
    /// Set if the key belongs to the project itself.
    pub is_own: bool,
    /// The value of stacks without one.
    value: Option<Value>,
}

impl ProjectSettings {
    /// Reads the text of a project file. Parts that are not about configuration are not checked.
    ///
    /// # Errors
    /// Returns an error with its place if the text is not YAML, or has no name, or if its `config`
    /// has not the form of one.
    pub fn read(text: &str) -> Result<Self, SettingsError> {
        let root = yaml::read(text)?;
        let root = root.ok_or_else(|| Place::START.error(Kind::NoName))?;
        let fields = root.entries().ok_or_else(|| root.wrong("Pulumi.yaml", "a mapping"))?;
        let field = |name: &str| fields.iter().find(|(key, _)| key.text == name);
        let (_, name) = field("name").ok_or_else(|| root.at.error(Kind::NoName))?;
        let name = match text_of(name) {
            Some("") => return Err(name.at.error(Kind::NoName)),
            Some(text) => text.to_owned(),
            None => return Err(name.wrong("name", "a string")),
        };
        let mut declarations = Vec::new();
        if let Some((_, config)) = field("config") {
            match &config.data {
                Data::Map(entries) => {
                    for (key, value) in entries {
                        declarations.push(declaration(&name, key, value)?);
                    }
                }
                // A string is the directory of the stacks.
                _ if config.is_null() || text_of(config).is_some() => {}
                _ => return Err(config.wrong("config", "a mapping")),
            }
        }
        Ok(Self { name, declarations })
    }

    /// The configuration of a stack of the project, by key: the values of its settings, and for
    /// keys without one the values of the project file.
    #[must_use]
    pub fn config(&self, stack: &StackSettings, crypter: Option<&Crypter>) -> Vec<ConfigEntry> {
        let mut values = stack.values(&self.name);
        for declaration in &self.declarations {
            if let Some(value) = &declaration.value {
                values.entry(declaration.key.clone()).or_insert(value);
            }
        }
        entries(values, crypter)
    }

    /// The keys that the project declares and that have no value in a stack.
    #[must_use]
    pub fn missing(&self, stack: &StackSettings) -> Vec<&str> {
        let values = stack.values(&self.name);
        let declarations = self.declarations.iter();
        let missing = declarations
            .filter(|it| it.is_own && it.value.is_none() && !values.contains_key(&it.key));
        missing.map(|declaration| &*declaration.key).collect()
    }
}

fn text_of(node: &Node) -> Option<&str> {
    match &node.data {
        Data::Scalar { value: Scalar::Text(text), .. } => Some(text),
        _ => None,
    }
}

fn declaration(project: &str, key: &Key, node: &Node) -> Result<Declaration, SettingsError> {
    if !key.is_text {
        return Err(key.at.error(Kind::Key));
    }
    let config_key = config_key(key.at, &key.text)?;
    if config_key.is_path() {
        return Err(key.at.error(Kind::Path(key.text.clone())));
    }
    let Data::Map(fields) = &node.data else {
        return short_declaration(project, key, &config_key, node);
    };
    let mut declaration = new(project, &config_key);
    let mut default = None;
    let mut has_items = false;
    for (field, value) in fields {
        match field.text.as_str() {
            "type" => match text_of(value) {
                Some(name) if TYPES.contains(&name) => {
                    declaration.type_name = Some(name.to_owned());
                }
                _ => return Err(value.wrong("type", "the name of a type")),
            },
            "secret" => match value.data {
                Data::Scalar { value: Scalar::Bool(is_secret), .. } => {
                    declaration.is_secret = is_secret
                }
                _ => return Err(value.wrong("secret", "`true` or `false`")),
            },
            "description" if text_of(value).is_some() => {}
            "description" => return Err(value.wrong("description", "a string")),
            "items" if value.entries().is_some() => has_items = true,
            "items" => return Err(value.wrong("items", "a mapping")),
            "default" if !value.is_null() => default = Some(read_default(value)?),
            "value" if !value.is_null() => declaration.value = Some(read_default(value)?),
            "default" | "value" => {}
            other => return Err(field.at.error(Kind::Attribute(other.to_owned()))),
        }
    }
    let name = || key.text.clone();
    if default.is_some() && declaration.value.is_some() {
        return Err(key.at.error(Kind::DefaultAndValue(name())));
    }
    let is_typed = declaration.type_name.is_some();
    if !declaration.is_own && (declaration.value.is_none() || is_typed) {
        return Err(key.at.error(Kind::OtherNamespace(name())));
    }
    if declaration.type_name.as_deref() == Some("array") && !has_items {
        return Err(key.at.error(Kind::NoItems(name())));
    }
    declaration.value = declaration.value.or(default);
    Ok(declaration)
}

fn new(project: &str, key: &ConfigKey) -> Declaration {
    Declaration {
        key: key.in_project(project),
        type_name: None,
        is_secret: false,
        is_own: key.is_of(project),
        value: None,
    }
}

/// A declaration that is nothing but its value.
fn short_declaration(
    project: &str,
    key: &Key,
    config_key: &ConfigKey,
    node: &Node,
) -> Result<Declaration, SettingsError> {
    let is_value = match &node.data {
        Data::Scalar { value, .. } => {
            matches!(value, Scalar::Bool(_) | Scalar::Int(_) | Scalar::Text(_))
        }
        Data::List(_) => true,
        Data::Map(_) => false,
    };
    if !is_value {
        let expected = "a string, an integer, a bool, a list or a declaration";
        return Err(node.wrong(&key.text, expected));
    }
    Ok(Declaration { value: Some(read_default(node)?), ..new(project, config_key) })
}

/// Reads a value, in which all keys must be strings.
fn read_default(node: &Node) -> Result<Value, SettingsError> {
    only_text_keys(node)?;
    Ok(match Value::read(node, Time::rfc_3339)? {
        // Pulumi passes every default but strings, integers and bools through JSON.
        Value::Scalar(Scalar::Uint(number)) => Value::Scalar(Scalar::Float(number as f64)),
        value => value,
    })
}

fn only_text_keys(node: &Node) -> Result<(), SettingsError> {
    match &node.data {
        Data::Scalar { .. } => Ok(()),
        Data::List(items) => items.iter().try_for_each(only_text_keys),
        Data::Map(entries) => entries.iter().try_for_each(|(key, value)| {
            if key.is_text { only_text_keys(value) } else { Err(key.at.error(Kind::Key)) }
        }),
    }
}
