//! The JSON Schema of `pcl.toml`, for editors.

use pcl_diagnostics::Selector;
use serde_json::{Map, Value as Json, json};

use super::key::{Kind, LEVELS, Row, TABLE};

/// The JSON Schema of a configuration file, made from the table of settings.
#[must_use]
pub fn json_schema() -> Json {
    let selectors: Vec<&str> = Selector::names().collect();
    let lints: Vec<&str> = Selector::names_of_lints().collect();
    let rows = TABLE.iter().filter(|row| !row.is_trusted);
    let properties: Map<String, Json> =
        rows.map(|row| (row.name.to_owned(), property(row))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pcl.toml",
        "description": "The configuration of pcl, in pcl.toml or under the key pcl of Pulumi.yaml",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "$defs": {
            "selector": {
                "description": "A code by its number or name, or a group of lints",
                "enum": selectors,
            },
            "lint": {
                "description": "A lint by its number or name, or a group of lints",
                "enum": lints,
            },
        },
    })
}

fn property(row: &Row) -> Json {
    let mut property = shape(row.kind);
    if let Some(property) = property.as_object_mut() {
        if let (Kind::Limit, Ok(most)) = (row.kind, row.default.parse::<u64>()) {
            property.insert("maximum".to_owned(), json!(most));
        }
        property.insert("description".to_owned(), json!(row.summary));
        // A default is an inline value of TOML without tables, which JSON writes alike.
        if let Ok(default) = serde_json::from_str::<Json>(row.default) {
            property.insert("default".to_owned(), default);
        }
    }
    property
}

fn shape(kind: Kind) -> Json {
    match kind {
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Words(words) => json!({ "type": "array", "items": { "enum": words } }),
        Kind::Lints => json!({ "type": "array", "items": { "$ref": "#/$defs/lint" } }),
        Kind::Selectors => {
            json!({ "type": "array", "items": { "$ref": "#/$defs/selector" } })
        }
        Kind::Levels => json!({
            "type": "object",
            "propertyNames": { "$ref": "#/$defs/selector" },
            "additionalProperties": { "enum": LEVELS },
        }),
        Kind::Directories | Kind::Patterns => {
            json!({ "type": "array", "items": { "type": "string", "minLength": 1 } })
        }
        Kind::SchemaFiles => {
            json!({ "type": "object", "additionalProperties": { "type": "string", "minLength": 1 } })
        }
        Kind::Version => json!({ "type": "string", "pattern": "^v?[0-9]+(\\.[0-9]+){0,2}" }),
        Kind::Url => json!({ "type": "string", "pattern": "^https?://" }),
        Kind::Address => json!({ "type": "string", "pattern": ":[0-9]+$" }),
        Kind::Limit => json!({ "type": "integer", "minimum": 0 }),
    }
}
