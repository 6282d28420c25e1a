//! Property values as plain JSON, from a state and from a run, so that both can be compared. Hashes
//! of assets, dependencies and nulls do not count.

use pcl::state::json::Value as StateValue;
use pcl::state::value::{Content, Property};
use pcl::state::{Keys, State};
use pcl::values::{
    Archive, ArchiveSource, Asset, AssetSource, Member, PropertyMap, PropertyValue, ResourceId,
    ResourceReference, Urn,
};
use serde_json::{Map, Value, json};

/// The values of a state: an object of properties.
pub fn of_state(object: StateValue<'_>) -> Value {
    let entries = object.entries().filter(|(_, value)| !value.is_null());
    let entries = entries.map(|(key, value)| (key.text().into_owned(), of_state_value(value)));
    entries.filter(|(_, value)| !value.is_null()).collect()
}

pub fn of_state_value(value: StateValue<'_>) -> Value {
    match Property::read(value).expect("a sound state") {
        Property::Null | Property::Unknown => Value::Null,
        Property::Bool(value) => json!(value),
        Property::Number(number) => json!(number),
        Property::String(text) => json!(text),
        Property::Bytes(bytes) => json!({ "$bytes": bytes }),
        Property::List(list) => list.elements().map(of_state_value).collect(),
        Property::Object(object) => of_state(object),
        Property::Asset(content) | Property::Archive(content) => match content {
            Content::Text(text) => json!({ "$text": text }),
            Content::Path(path) => json!({ "$path": path }),
            Content::Uri(uri) => json!({ "$uri": uri }),
            Content::Members(members) => json!({ "$members": of_state(members) }),
            Content::Absent => json!({ "$absent": true }),
        },
        Property::Secret(secret) => {
            let opened = secret.unmarked(&Keys::default()).expect("plain text");
            // Secrets in a secret do not count.
            json!({ "$secret": without_secrets(of_state_value(opened.root())) })
        }
        Property::Resource { urn, .. } => json!({ "$resource": urn }),
    }
}

/// A value of plain JSON with its nulls.
fn of_state_value_with_nulls(value: StateValue<'_>) -> Value {
    match Property::read(value).expect("a sound state") {
        Property::List(list) => list.elements().map(of_state_value_with_nulls).collect(),
        Property::Object(object) => {
            let entries = object.entries();
            let entries = entries
                .map(|(key, value)| (key.text().into_owned(), of_state_value_with_nulls(value)));
            Value::Object(entries.collect())
        }
        _ => of_state_value(value),
    }
}

/// A value without marks of secrets.
pub fn without_secrets(value: Value) -> Value {
    match value {
        Value::Object(mut fields) => match fields.remove("$secret") {
            Some(inner) => without_secrets(inner),
            None => fields.into_iter().map(|(name, it)| (name, without_secrets(it))).collect(),
        },
        Value::Array(elements) => elements.into_iter().map(without_secrets).collect(),
        value => value,
    }
}

/// The values of a run.
pub fn of_run(properties: &PropertyMap) -> Value {
    let entries = properties.iter().map(|(name, value)| (name.to_string(), of_run_value(value)));
    entries.filter(|(_, value)| !value.is_null()).collect()
}

fn of_run_value(value: &PropertyValue) -> Value {
    match value {
        PropertyValue::Null => Value::Null,
        PropertyValue::Bool(value) => json!(value),
        PropertyValue::Number(number) => json!(number),
        PropertyValue::String(text) => match text.unmarked().as_str() {
            Some(text) => json!(text),
            None => json!({ "$bytes": text.unmarked().as_bytes() }),
        },
        PropertyValue::Array(elements) => elements.iter().map(of_run_value).collect(),
        PropertyValue::Object(fields) => of_run(fields),
        PropertyValue::Asset(asset) => of_asset(asset),
        PropertyValue::Archive(archive) => of_archive(archive),
        PropertyValue::Secret(inner) => json!({ "$secret": without_secrets(of_run_value(inner)) }),
        PropertyValue::Computed(_) => json!({ "$unknown": true }),
        PropertyValue::Output(output) => match (output.value(), output.is_secret()) {
            (Some(value), true) => json!({ "$secret": of_run_value(value) }),
            (Some(value), false) => of_run_value(value),
            (None, _) => json!({ "$unknown": true }),
        },
        PropertyValue::Resource(reference) => json!({ "$resource": reference.urn.as_str() }),
    }
}

fn of_asset(asset: &Asset) -> Value {
    match &asset.source {
        AssetSource::Text(text) => json!({ "$text": text.unmarked().as_str() }),
        AssetSource::Path(path) => json!({ "$path": path }),
        AssetSource::Uri(uri) => json!({ "$uri": uri }),
        AssetSource::Elided => json!({ "$absent": true }),
    }
}

fn of_archive(archive: &Archive) -> Value {
    match &archive.source {
        ArchiveSource::Members(members) => {
            let members = members.iter().map(|(name, member)| {
                let member = match member {
                    Member::Asset(asset) => of_asset(asset),
                    Member::Archive(archive) => of_archive(archive),
                };
                (name.clone(), member)
            });
            json!({ "$members": members.collect::<Map<_, _>>() })
        }
        ArchiveSource::Path(path) => json!({ "$path": path }),
        ArchiveSource::Uri(uri) => json!({ "$uri": uri }),
        ArchiveSource::Elided => json!({ "$absent": true }),
    }
}

/// The outputs of a resource, as the engine of a test answers them.
pub fn to_properties(object: StateValue<'_>) -> PropertyMap {
    let entries = object.entries();
    entries.map(|(key, value)| (key.text().into(), to_value(value))).collect()
}

fn to_value(value: StateValue<'_>) -> PropertyValue {
    match Property::read(value).expect("a sound state") {
        Property::Null | Property::Asset(_) | Property::Archive(_) => PropertyValue::Null,
        Property::Unknown => PropertyValue::UNKNOWN,
        Property::Bool(value) => value.into(),
        Property::Number(number) => number.into(),
        Property::String(text) => PropertyValue::from(&*text),
        Property::Bytes(bytes) => PropertyValue::String(bytes.into()),
        Property::List(list) => list.elements().map(to_value).collect::<Vec<_>>().into(),
        Property::Object(object) => to_properties(object).into(),
        Property::Secret(secret) => match secret.unmarked(&Keys::default()) {
            Some(opened) => to_value(opened.root()).secret(),
            None => PropertyValue::UNKNOWN.secret(),
        },
        Property::Resource { urn, id } => {
            let id = id.map_or(ResourceId::Absent, |id| ResourceId::Known(id.into_owned()));
            ResourceReference::new(Urn::from(&*urn), id).into()
        }
    }
}

/// The places where two values differ, as paths.
pub fn differences(expected: &Value, given: &Value, path: &str, all: &mut Vec<String>) {
    match (expected, given) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let keys: std::collections::BTreeSet<&String> =
                ours.keys().chain(theirs.keys()).collect();
            for key in keys {
                let (ours, theirs) = (ours.get(key), theirs.get(key));
                let none = Value::Null;
                let step = match pcl::syntax::is_identifier(key) || key.starts_with('$') {
                    true if path.is_empty() => key.clone(),
                    true => format!("{path}.{key}"),
                    false => format!("{path}[{key:?}]"),
                };
                differences(ours.unwrap_or(&none), theirs.unwrap_or(&none), &step, all);
            }
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                differences(ours, theirs, &format!("{path}[{index}]"), all);
            }
        }
        (Value::Number(ours), Value::Number(theirs)) if ours.as_f64() == theirs.as_f64() => {}
        _ if expected == given => {}
        _ => all.push(path.to_owned()),
    }
}

/// The value of a place in the inputs of a resource of a state, as the text of a configuration
/// variable of a type.
pub fn config_text(state: &State, urn: &str, path: &str, type_text: &str) -> String {
    let resource = state.resources().find(|it| it.urn() == urn && !it.is_deleted());
    let inputs = resource.and_then(|it| it.inputs()).expect("inputs");
    let secret = walk(inputs, path).unwrap_or_else(|| panic!("no secret at {path}"));
    match Property::read(secret).expect("a sound state") {
        Property::Secret(secret) => {
            let opened = secret.unmarked(&Keys::default()).expect("plain text");
            match opened.root().string() {
                Some(text) if type_text == "string" => text.into_owned(),
                _ => without_secrets(of_state_value_with_nulls(opened.root())).to_string(),
            }
        }
        other => panic!("{path} is {other:?}"),
    }
}

/// The value at a path such as `a.b[0]["c d"]`.
fn walk<'s>(value: StateValue<'s>, path: &str) -> Option<StateValue<'s>> {
    let path: pcl::values::PropertyPath = path.parse().expect("a path");
    path.keys().iter().try_fold(value, |value, key| match key {
        pcl::values::Key::Name(name) => value.get(name),
        pcl::values::Key::Index(index) => value.elements().nth(*index as usize),
    })
}
