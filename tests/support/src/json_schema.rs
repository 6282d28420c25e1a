//! Checks JSON against the JSON Schemas that are published with the project.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::root;

/// A JSON Schema, in the part of the language that our schemas use.
pub struct JsonSchema {
    schema: Value,
    /// The described fields that accepted values had.
    met: BTreeSet<String>,
}

impl JsonSchema {
    /// One of the schemas in `docs/formats`.
    pub fn published(name: &str) -> Self {
        let path = root().join(format!("docs/formats/{name}.schema.json"));
        let text = std::fs::read_to_string(path).expect("the schema is there");
        Self {
            schema: serde_json::from_str(&text).expect("the schema is JSON"),
            met: BTreeSet::new(),
        }
    }

    /// Checks that nothing is wrong with `value`.
    #[track_caller]
    pub fn accept(&mut self, value: &Value) {
        if let Some(complaint) = self.complaint(value) {
            panic!("{complaint}");
        }
        note(&self.schema, &self.schema, "", Some(value), &mut self.met);
    }

    /// The described fields that no accepted value had: nothing shows that they are ever there.
    pub fn unmet(&self) -> Vec<String> {
        let mut all = BTreeSet::new();
        note(&self.schema, &self.schema, "", None, &mut all);
        all.difference(&self.met).cloned().collect()
    }

    /// What is wrong with `value`, if anything. A field that is not described is wrong too.
    pub fn complaint(&self, value: &Value) -> Option<String> {
        complaint(&self.schema, &self.schema, value, "")
    }
}

/// Adds the fields of `value` to `found`, each by its place in the schema; without a value, every field that is described.
fn note(
    whole: &Value,
    schema: &Value,
    at: &str,
    value: Option<&Value>,
    found: &mut BTreeSet<String>,
) {
    if let Some(reference) = schema["$ref"].as_str() {
        // A type that was looked into before is not looked into again when there is no value: it may lead to itself.
        if value.is_some() || found.insert(reference.to_owned()) {
            let target = whole.pointer(&reference[1..]);
            let target = target.expect("a reference leads somewhere");
            note(whole, target, reference, value, found);
        }
        found.insert(reference.to_owned());
        return;
    }
    for (nth, choice) in schema["oneOf"].as_array().into_iter().flatten().enumerate() {
        if value.is_none_or(|value| complaint(whole, choice, value, "").is_none()) {
            note(whole, choice, &format!("{at}/oneOf/{nth}"), value, found);
        }
    }
    match value {
        None if schema["items"].is_object() => {
            note(whole, &schema["items"], &format!("{at}/items"), None, found)
        }
        Some(Value::Array(elements)) => {
            for element in elements {
                let at = format!("{at}/items");
                note(whole, &schema["items"], &at, Some(element), found);
            }
        }
        _ => {}
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}/properties/{name}");
        let inner = value.and_then(|value| value.get(name));
        if value.is_none() || inner.is_some() {
            note(whole, field, &at, inner, found);
            found.insert(at);
        }
    }
}

fn complaint(whole: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let wrong = |what: &str| Some(format!("{at}: {what}: {value}"));
    if let Some(target) = schema["$ref"].as_str() {
        let target = whole
            .pointer(&target[1..])
            .expect("a reference leads somewhere");
        return complaint(whole, target, value, at);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        return one_of(whole, choices, value, at);
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return wrong("another constant is expected");
    }
    if schema["enum"]
        .as_array()
        .is_some_and(|all| !all.contains(value))
    {
        return wrong("not one of the values");
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() || number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(|k| k == kind),
        one => one == kind,
    };
    if !fits {
        return wrong("another type is expected");
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
        && number < least
    {
        return wrong("too small");
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str())
        && !matches(pattern, text)
    {
        return wrong("another form is expected");
    }
    if let Some(elements) = value.as_array() {
        let nested = elements.iter().enumerate().find_map(|(nth, element)| {
            complaint(whole, &schema["items"], element, &format!("{at}/{nth}"))
        });
        if nested.is_some() {
            return nested;
        }
    }
    let fields = value.as_object()?;
    for name in schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        if !fields.contains_key(name) {
            return wrong(&format!("`{name}` is missing"));
        }
    }
    fields
        .iter()
        .find_map(|(name, field)| match schema["properties"].get(name) {
            Some(own) => complaint(whole, own, field, &format!("{at}/{name}")),
            None => wrong(&format!("`{name}` is not described")),
        })
}

/// Exactly one choice has to fit. Of several that do not, the one is meant that has the value's own kind.
fn one_of(whole: &Value, choices: &[Value], value: &Value, at: &str) -> Option<String> {
    let complaints: Vec<_> = choices
        .iter()
        .map(|choice| complaint(whole, choice, value, at))
        .collect();
    match complaints
        .iter()
        .filter(|complaint| complaint.is_none())
        .count()
    {
        1 => None,
        0 => {
            let kind = |choice: &Value| choice["properties"]["kind"]["const"] == value["kind"];
            let meant = choices.iter().position(kind).unwrap_or_default();
            complaints.into_iter().nth(meant).flatten()
        }
        _ => Some(format!("{at}: more than one form fits: {value}")),
    }
}

/// The three patterns of our schemas.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern {
        "^PCL[0-9]{4}$" => text
            .strip_prefix("PCL")
            .is_some_and(|rest| rest.len() == 4 && rest.bytes().all(|b| b.is_ascii_digit())),
        "^[a-z0-9-]+$" => {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        }
        "^[0-9a-f]{16}$" => {
            text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        }
        other => panic!("a pattern that nobody checks: {other}"),
    }
}
