//! The notation of property values in vectors: JSON with marked objects such as `{"$secret": 1}`.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_values::{
    Archive, ArchiveSource, Asset, AssetSource, Member, Output, PropertyMap, PropertyValue,
    ResourceId, ResourceReference, Sample, Text, Urn, wire,
};
use serde_json::{Map, Value, json};

/// The value that JSON denotes.
pub fn read(json: &Value) -> PropertyValue {
    match json {
        Value::Null => PropertyValue::Null,
        Value::Bool(value) => PropertyValue::Bool(*value),
        Value::Number(number) => PropertyValue::Number(number.as_f64().expect("a float")),
        Value::String(text) => text.as_str().into(),
        Value::Array(elements) => PropertyValue::Array(elements.iter().map(read).collect()),
        Value::Object(fields) => match fields.iter().next() {
            Some((mark, content)) if fields.len() == 1 && mark.starts_with('$') => {
                marked(mark, content)
            }
            _ => PropertyValue::Object(read_map(fields)),
        },
    }
}

/// The named values that JSON denotes.
pub fn read_map(fields: &Map<String, Value>) -> PropertyMap {
    let fields = fields.iter();
    fields.map(|(name, value)| (name.as_str().into(), read(value))).collect()
}

fn marked(mark: &str, content: &Value) -> PropertyValue {
    let text = |part: &str| content[part].as_str().unwrap_or_default().to_owned();
    match mark {
        "$secret" => PropertyValue::Secret(Box::new(read(content))),
        "$unknown" => PropertyValue::UNKNOWN,
        "$unknownOf" => PropertyValue::Computed(sample(&read(content))),
        "$output" => {
            let known = content["known"].as_bool().expect("`known` is there");
            let urns = content["dependencies"].as_array().expect("a list").iter();
            let urns = urns.map(|urn| Urn::from(urn.as_str().expect("a URN")));
            Output::from(known.then(|| read(&content["value"])))
                .with_secret(content["secret"].as_bool().unwrap_or_default())
                .with_dependencies(urns.collect())
                .into()
        }
        "$bytes" => {
            let bytes = STANDARD.decode(content.as_str().expect("base64"));
            PropertyValue::String(bytes.expect("base64").into())
        }
        "$number" => PropertyValue::Number(match content.as_str() {
            Some("+Inf") => f64::INFINITY,
            Some("-Inf") => f64::NEG_INFINITY,
            Some("NaN") => f64::NAN,
            Some("-0") => -0.0,
            other => panic!("{other:?} is no number"),
        }),
        "$asset" => asset(content).into(),
        "$archive" => archive(content).into(),
        "$ref" => PropertyValue::from(ResourceReference {
            urn: Urn::from(text("urn")),
            id: match &content["id"] {
                Value::Null => ResourceId::Absent,
                Value::String(id) => ResourceId::Known(id.clone()),
                _ => ResourceId::Unknown,
            },
            name: text("name").into(),
            kind: text("type").into(),
            package_version: text("packageVersion").into(),
        }),
        _ => panic!("the mark {mark} is not known"),
    }
}

fn asset(content: &Value) -> Asset {
    let text = |part: &str| content[part].as_str().map(str::to_owned);
    let source = match (text("path"), text("uri"), &content["text"]) {
        (Some(path), _, _) => AssetSource::Path(path),
        (_, Some(uri), _) => AssetSource::Uri(uri),
        (_, _, Value::Null) if text("hash").is_some() => AssetSource::Elided,
        (_, _, text) => AssetSource::Text(Text::from(text.as_str().unwrap_or_default())),
    };
    let hash = text("hash").unwrap_or_default();
    Asset { hash, source }
}

fn archive(content: &Value) -> Archive {
    let text = |part: &str| content[part].as_str().map(str::to_owned);
    let member = |(name, json): (&String, &Value)| {
        let member = match read(json) {
            PropertyValue::Asset(asset) => Member::Asset(Arc::unwrap_or_clone(asset)),
            PropertyValue::Archive(archive) => Member::Archive(Arc::unwrap_or_clone(archive)),
            other => panic!("{other} is no member"),
        };
        (name.clone(), member)
    };
    let source = match (text("path"), text("uri"), content["assets"].as_object()) {
        (Some(path), _, _) => ArchiveSource::Path(path),
        (_, Some(uri), _) => ArchiveSource::Uri(uri),
        (_, _, Some(members)) => ArchiveSource::Members(members.iter().map(member).collect()),
        _ => ArchiveSource::Elided,
    };
    let hash = text("hash").unwrap_or_default();
    Archive { hash, source }
}

/// The JSON that denotes a value. All numbers in it are floats.
pub fn write(value: &PropertyValue) -> Value {
    match value {
        PropertyValue::Null => Value::Null,
        PropertyValue::Bool(value) => json!(value),
        PropertyValue::Number(value) if value.is_finite() && !is_negative_zero(*value) => {
            json!(value)
        }
        PropertyValue::Number(value) => {
            let text = match value {
                value if value.is_nan() => "NaN",
                value if *value > 0.0 => "+Inf",
                value if *value < 0.0 => "-Inf",
                _ => "-0",
            };
            json!({ "$number": text })
        }
        PropertyValue::String(text) => match text.unmarked().as_str() {
            Some(text) => json!(text),
            None => json!({ "$bytes": STANDARD.encode(text.unmarked().as_bytes()) }),
        },
        PropertyValue::Array(elements) => elements.iter().map(write).collect(),
        PropertyValue::Object(properties) => write_map(properties),
        PropertyValue::Asset(asset) => write_asset(asset),
        PropertyValue::Archive(archive) => write_archive(archive),
        PropertyValue::Secret(value) => json!({ "$secret": write(value) }),
        PropertyValue::Computed(_) => json!({ "$unknown": true }),
        PropertyValue::Output(output) => {
            let urns: Vec<&str> = output.dependencies().iter().map(Urn::as_str).collect();
            let mut fields = json!({
                "known": output.is_known(),
                "secret": output.is_secret(),
                "dependencies": urns,
            });
            if let Some(value) = output.value() {
                fields["value"] = write(value);
            }
            json!({ "$output": fields })
        }
        PropertyValue::Resource(reference) => {
            let id = match &reference.id {
                ResourceId::Absent => Value::Null,
                ResourceId::Unknown => json!({ "$unknown": true }),
                ResourceId::Known(id) => json!(id),
            };
            let mut fields = json!({ "urn": reference.urn.as_str(), "id": id });
            for (name, part) in [
                ("name", &reference.name),
                ("type", &reference.kind),
                ("packageVersion", &reference.package_version),
            ] {
                if !part.is_empty() {
                    fields[name] = json!(part);
                }
            }
            json!({ "$ref": fields })
        }
    }
}

/// The JSON that denotes named values.
pub fn write_map(properties: &PropertyMap) -> Value {
    let fields = properties.iter();
    fields.map(|(name, value)| (name.to_string(), write(value))).collect()
}

fn is_negative_zero(value: f64) -> bool {
    value == 0.0 && value.is_sign_negative()
}

fn write_asset(asset: &Asset) -> Value {
    let mut fields = json!({ "hash": asset.hash });
    match &asset.source {
        AssetSource::Text(text) => fields["text"] = write(&text.clone().into()),
        AssetSource::Path(path) => fields["path"] = json!(path),
        AssetSource::Uri(uri) => fields["uri"] = json!(uri),
        AssetSource::Elided => {}
    }
    json!({ "$asset": fields })
}

fn write_archive(archive: &Archive) -> Value {
    let mut fields = json!({ "hash": archive.hash });
    match &archive.source {
        ArchiveSource::Members(members) => {
            let member = |(name, member): (&String, &Member)| {
                let json = match member {
                    Member::Asset(asset) => write_asset(asset),
                    Member::Archive(archive) => write_archive(archive),
                };
                (name.clone(), json)
            };
            let members: BTreeMap<String, Value> = members.iter().map(member).collect();
            fields["assets"] = json!(members);
        }
        ArchiveSource::Path(path) => fields["path"] = json!(path),
        ArchiveSource::Uri(uri) => fields["uri"] = json!(uri),
        ArchiveSource::Elided => {}
    }
    json!({ "$archive": fields })
}

/// Returns true if two JSON texts denote the same, however they write a number.
pub fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| is_same(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, value)| {
                    let other = right.get(name);
                    other.is_some_and(|other| is_same(value, other))
                })
        }
        _ => left == right,
    }
}

/// The kind of an unknown value in the place of this one.
fn sample(value: &PropertyValue) -> Sample {
    match value {
        PropertyValue::Null => Sample::Null,
        PropertyValue::Bool(_) => Sample::Bool,
        PropertyValue::Number(_) => Sample::Number,
        PropertyValue::String(_) | PropertyValue::Resource(_) => Sample::String,
        PropertyValue::Array(_) => Sample::Array,
        PropertyValue::Object(_) => Sample::Object,
        PropertyValue::Asset(_) => Sample::Asset,
        PropertyValue::Archive(_) => Sample::Archive,
        PropertyValue::Secret(value) => sample(value),
        PropertyValue::Computed(known) => *known,
        PropertyValue::Output(output) => output.value().map_or(Sample::String, sample),
    }
}

/// The JSON form of a message; `None` if it has none.
pub fn message_to_json(fields: &wire::Struct) -> Option<Value> {
    let field = |(name, value): (&String, _)| Some((name.clone(), wire_to_json(value)?));
    Some(Value::Object(fields.iter().map(field).collect::<Option<_>>()?))
}

fn wire_to_json(value: &wire::Value) -> Option<Value> {
    Some(match value {
        wire::Value::Null => Value::Null,
        wire::Value::Bool(value) => (*value).into(),
        wire::Value::Number(value) if value.abs() < 9e15 && value.trunc() == *value => {
            (*value as i64).into()
        }
        wire::Value::Number(value) => serde_json::Number::from_f64(*value)?.into(),
        wire::Value::String(text) => (**text).into(),
        wire::Value::List(elements) => {
            elements.iter().map(wire_to_json).collect::<Option<Vec<_>>>()?.into()
        }
        wire::Value::Struct(fields) => message_to_json(fields)?,
    })
}

/// The message of this JSON form.
pub fn message_of(fields: &Map<String, Value>) -> wire::Struct {
    fields.iter().map(|(name, value)| (name.clone(), wire_of(value))).collect()
}

fn wire_of(json: &Value) -> wire::Value {
    match json {
        Value::Null => wire::Value::Null,
        Value::Bool(value) => wire::Value::Bool(*value),
        Value::Number(number) => wire::Value::Number(number.as_f64().expect("a number")),
        Value::String(text) => text.as_str().into(),
        Value::Array(elements) => wire::Value::List(elements.iter().map(wire_of).collect()),
        Value::Object(fields) => wire::Value::Struct(message_of(fields)),
    }
}
