//! `Pulumi.yaml`: the name of the project, and the configuration that it declares.

use pcl_schema::yaml::{Data, Key, Node, Scalar};

use crate::error::{SettingsError, SettingsErrorKind as Kind, error, read_yaml, wrong};
use crate::stack::{StackSettings, config_key, entries};
use crate::value::Value;
use crate::{ConfigEntry, Crypter};

/// The types that a declaration may name.
const TYPES: [&str; 5] = ["string", "integer", "boolean", "array", "object"];

/// The part of a project file that is about configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct ProjectSettings {
    /// The name of the project, which is the namespace of bare keys.
    pub name: String,
    /// The values of stacks without their own, by key.
    values: Vec<(String, Value)>,
}

impl ProjectSettings {
    /// A project of this name without a file.
    pub const fn without_file(name: String) -> Self {
        Self { name, values: Vec::new() }
    }

    /// Reads the text of a project file. Parts that are not about configuration are not checked.
    ///
    /// # Errors
    /// Returns an error with its place if the text is not YAML, or has no name, or if its `config`
    /// has not the form of one.
    pub fn read(text: &str) -> Result<Self, SettingsError> {
        let no_file = SettingsError { line: 1, column: 1, kind: Kind::NoName };
        let root = read_yaml(text)?.ok_or(no_file)?;
        if root.entries().is_none() {
            return Err(wrong(&root, "Pulumi.yaml", "a mapping"));
        }
        let (_, name) = root.entry("name").ok_or_else(|| error(root.at, Kind::NoName))?;
        let name = match name.text() {
            Some("") => return Err(error(name.at, Kind::NoName)),
            Some(text) => text.to_owned(),
            None => return Err(wrong(name, "name", "a string")),
        };
        let mut values = Vec::new();
        if let Some((_, config)) = root.entry("config") {
            match &*config.data {
                Data::Map(entries) => {
                    for (key, value) in entries {
                        values.extend(declaration(&name, key, value)?);
                    }
                }
                // A string is the directory of the stacks.
                Data::Text(_) | Data::Scalar(Scalar::Null, _) => {}
                _ => return Err(wrong(config, "config", "a mapping")),
            }
        }
        Ok(Self { name, values })
    }

    /// The configuration of a stack of the project, by key: the values of its settings, and for
    /// keys without one the values of the project file.
    pub fn config(&self, stack: &StackSettings, crypter: Option<&Crypter>) -> Vec<ConfigEntry> {
        let mut values = stack.values(&self.name);
        for (key, value) in &self.values {
            values.entry(key.clone()).or_insert(value);
        }
        entries(values, crypter)
    }
}

/// Reads a declaration: the whole key, and its value, if it has one.
fn declaration(
    project: &str,
    key: &Key,
    node: &Node,
) -> Result<Option<(String, Value)>, SettingsError> {
    if key.scalar.is_some() {
        return Err(error(key.at, Kind::Key));
    }
    let config_key = config_key(key.at, &key.text)?;
    if config_key.is_path() {
        return Err(error(key.at, Kind::Path(key.text.clone())));
    }
    let value = match &*node.data {
        Data::Map(fields) => long_declaration(key, fields, config_key.is_of(project))?,
        Data::Scalar(Scalar::Bool(_) | Scalar::Int(_), _) | Data::Text(_) | Data::List(_) => {
            Some(read_default(node)?)
        }
        Data::Scalar(..) => {
            let expected = "a string, an integer, a bool, a list or a declaration";
            return Err(wrong(node, &key.text, expected));
        }
    };
    Ok(value.map(|value| (config_key.in_project(project), value)))
}

/// Checks a declaration that has attributes. Returns its value.
fn long_declaration(
    key: &Key,
    fields: &[(Key, Node)],
    is_own: bool,
) -> Result<Option<Value>, SettingsError> {
    let (mut type_name, mut default, mut own_value, mut has_items) = (None, None, None, false);
    for (field, value) in fields {
        match field.text.as_str() {
            "type" => match value.text() {
                Some(name) if TYPES.contains(&name) => type_name = Some(name),
                _ => return Err(wrong(value, "type", "the name of a type")),
            },
            "secret" if matches!(*value.data, Data::Scalar(Scalar::Bool(_), _)) => {}
            "secret" => return Err(wrong(value, "secret", "`true` or `false`")),
            "description" if value.text().is_some() => {}
            "description" => return Err(wrong(value, "description", "a string")),
            "items" if value.entries().is_some() => has_items = true,
            "items" => return Err(wrong(value, "items", "a mapping")),
            "default" if !value.is_null() => default = Some(read_default(value)?),
            "value" if !value.is_null() => own_value = Some(read_default(value)?),
            "default" | "value" => {}
            other => return Err(error(field.at, Kind::Attribute(other.to_owned()))),
        }
    }
    let fail = |kind: fn(String) -> Kind| Err(error(key.at, kind(key.text.clone())));
    if default.is_some() && own_value.is_some() {
        return fail(Kind::DefaultAndValue);
    }
    if !is_own && (own_value.is_none() || type_name.is_some()) {
        return fail(Kind::OtherNamespace);
    }
    if type_name == Some("array") && !has_items {
        return fail(Kind::NoItems);
    }
    Ok(own_value.or(default))
}

fn read_default(node: &Node) -> Result<Value, SettingsError> {
    Ok(match Value::read(node, true)? {
        // Pulumi passes every default but strings, integers and bools through JSON.
        Value::Scalar(Scalar::Uint(number)) => Value::Scalar(Scalar::Float(number as f64)),
        value => value,
    })
}
