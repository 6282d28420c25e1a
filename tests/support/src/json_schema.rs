//! Checks JSON against the JSON Schemas that are published with the project.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::Value;

use crate::root;

/// A published JSON Schema, stricter than published: a field that it does not describe is an error.
pub struct JsonSchema {
    validator: Validator,
    /// The places of the described fields in the schema, as `/$defs/program/properties/path`.
    described: BTreeSet<String>,
    /// Those of them that accepted values had.
    present: BTreeSet<String>,
}

impl JsonSchema {
    /// One of the schemas in `docs/formats`.
    pub fn published(name: &str) -> Self {
        let path = root().join(format!("docs/formats/{name}.schema.json"));
        let text = std::fs::read_to_string(path).expect("the schema is published");
        let mut schema = serde_json::from_str(&text).expect("the schema is JSON");
        let described = close(&mut schema, "");
        Self {
            validator: jsonschema::validator_for(&schema).expect("the schema is valid"),
            described,
            present: BTreeSet::new(),
        }
    }

    /// Checks that `value` follows the schema.
    #[track_caller]
    pub fn accept(&mut self, value: &Value) {
        if let Some(error) = self.error(value) {
            panic!("{error}");
        }
        for entry in self.validator.evaluate(value).iter_annotations() {
            if self.described.contains(entry.schema_location) {
                self.present.insert(entry.schema_location.to_owned());
            }
        }
    }

    /// The described fields that no accepted value had: no test shows that the command prints them.
    pub fn absent(&self) -> Vec<&String> {
        self.described.difference(&self.present).collect()
    }

    /// The first way in which `value` does not follow the schema, with its place.
    pub fn error(&self, value: &Value) -> Option<String> {
        let error = self.validator.iter_errors(value).next()?;
        Some(format!("{}: {error}", error.instance_path()))
    }
}

/// Forbids the fields that a schema, which is at the place `at`, leaves open for the future. Gives
/// each described field a title, so that the validator reports where values have it, and returns
/// the places of these fields.
fn close(schema: &mut Value, at: &str) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    let Value::Object(fields) = schema else { return places };
    // Those with a schema of their own are the entries of a map.
    if let Some(open) = fields.get_mut("additionalProperties").filter(|open| open.is_boolean()) {
        *open = Value::Bool(false);
    }
    for (keyword, inner) in fields {
        let at = format!("{at}/{keyword}");
        match (keyword.as_str(), inner) {
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    let at = format!("{at}/{name}");
                    property["title"] = Value::String(name.clone());
                    places.extend(close(property, &at));
                    places.insert(at);
                }
            }
            ("$defs", Value::Object(definitions)) => {
                for (name, definition) in definitions {
                    places.extend(close(definition, &format!("{at}/{name}")));
                }
            }
            (_, Value::Array(choices)) => {
                for (nth, choice) in choices.iter_mut().enumerate() {
                    places.extend(close(choice, &format!("{at}/{nth}")));
                }
            }
            (_, inner) => places.extend(close(inner, &at)),
        }
    }
    places
}
