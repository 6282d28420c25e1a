//! The settings that a configuration file may have, as their JSON Schema tells.

use std::sync::LazyLock;

use pcl::diagnostics::{Group, Selector};
use serde_json::Value;

use super::outline::Step;

/// The settings.
pub(super) struct Settings {
    schema: Value,
}

/// The kind of the value of a setting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Table,
    /// A list of tables.
    Tables,
    List,
    Other,
}

impl Settings {
    /// The settings, which are read once.
    pub fn known() -> &'static Self {
        static KNOWN: LazyLock<Settings> =
            LazyLock::new(|| Settings { schema: pcl::config::json_schema() });
        &KNOWN
    }

    /// The schema of what a path leads to.
    pub fn at(&self, path: &[Step]) -> Option<&Value> {
        path.iter().try_fold(&self.schema, |schema, step| self.step(schema, step))
    }

    /// The schema of what is in a table or list.
    pub fn step<'s>(&'s self, schema: &'s Value, step: &Step) -> Option<&'s Value> {
        let inner = match step {
            Step::Key(name) => {
                let own = schema.get("properties").and_then(|properties| properties.get(name));
                own.or_else(|| schema.get("additionalProperties").filter(|it| it.is_object()))
            }
            Step::Item(_) => schema.get("items"),
        };
        inner.map(|inner| self.resolved(inner))
    }

    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let reference = schema.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|it| self.schema.pointer(it.strip_prefix('#')?));
        target.unwrap_or(schema)
    }

    /// The keys of a table that have schemas of their own.
    pub fn keys<'s>(&self, table: &'s Value) -> impl Iterator<Item = (&'s str, &'s Value)> {
        let properties = table.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, schema)| (&**name, schema))
    }

    /// The names that the keys of a table are among, if they have no schemas of their own.
    pub fn names<'s>(&'s self, table: &'s Value) -> Vec<&'s str> {
        let names = table.get("propertyNames").map(|names| self.resolved(names));
        names.map(texts).unwrap_or_default()
    }

    /// The values that the schema of a value lists.
    pub fn values<'s>(&self, schema: &'s Value) -> Vec<&'s str> {
        match schema.get("type").and_then(Value::as_str) {
            Some("boolean") => vec!["true", "false"],
            _ => texts(schema),
        }
    }
}

/// The kind of value that a schema describes.
pub(super) fn shape(schema: &Value) -> Shape {
    let is = |schema: &Value, name: &str| schema.get("type").is_some_and(|it| it == name);
    match schema.get("items") {
        _ if is(schema, "object") => Shape::Table,
        Some(items) if is(items, "object") => Shape::Tables,
        Some(_) => Shape::List,
        None => Shape::Other,
    }
}

fn texts(schema: &Value) -> Vec<&str> {
    let values = schema.get("enum").and_then(Value::as_array);
    values.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The default of a setting, as TOML and YAML write it.
pub(super) fn default(schema: &Value) -> Option<String> {
    schema.get("default").map(Value::to_string)
}

/// The meaning of a setting and its default, in Markdown; `None` if the schema describes none.
pub(super) fn documentation(schema: &Value) -> Option<String> {
    let description = schema.get("description")?.as_str()?;
    let default = default(schema).map(|value| format!("\n\nDefault: `{value}`"));
    Some(format!("{description}{}", default.unwrap_or_default()))
}

/// The meaning of the name of a code or of a group of lints, in one line.
pub(super) fn meaning(name: &str) -> Option<String> {
    let selector = Selector::parse(name)?;
    let group = Group::ALL.into_iter().find(|group| group.name() == name);
    Some(match (selector.codes.as_slice(), group) {
        ([code], _) if !selector.is_group && code.name() == name => code.summary().to_owned(),
        ([code], _) if !selector.is_group => format!("{}: {}", code.name(), code.summary()),
        (_, Some(group)) => format!("lints: {}", group.summary()),
        (codes, None) => format!("{} lints", codes.len()),
    })
}
