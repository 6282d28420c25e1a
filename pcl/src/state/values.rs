//! Property values of states for people and tools.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_state::Keys;
use pcl_state::json::Value;
use pcl_state::value::{Content, Property, Secret};
use serde_json::{Map, Value as Json, json};

/// A value as the JSON of [`pcl_eval::notation`](crate::eval::notation). Secrets are shown only
/// with keys; those that the keys do not open are hidden all the same.
pub(super) fn notation(value: Value<'_>, keys: Option<&Keys>) -> Json {
    let Ok(property) = Property::read(value) else {
        return json!({ "$malformed": true });
    };
    match property {
        Property::Null => Json::Null,
        Property::Bool(value) => json!(value),
        Property::Number(number) if number.is_finite() => number_json(value, number),
        Property::Number(number) => json!({ "$number": number.to_string() }),
        Property::String(text) => json!(text),
        Property::Bytes(bytes) => json!({ "$bytes": STANDARD.encode(bytes) }),
        Property::List(list) => list.elements().map(|it| notation(it, keys)).collect(),
        Property::Object(object) => {
            let fields = fields(object, keys);
            let is_ambiguous = fields.len() == 1 && fields.keys().any(|key| key.starts_with('$'));
            if is_ambiguous { json!({ "$object": fields }) } else { Json::Object(fields) }
        }
        Property::Asset(content) => json!({ "$asset": content_json(&content, keys) }),
        Property::Archive(content) => json!({ "$archive": content_json(&content, keys) }),
        Property::Secret(secret) => match opened(&secret, keys) {
            Some(value) => json!({ "$secret": value }),
            None => json!({ "$secret": true }),
        },
        Property::Resource { urn, id } => json!({ "$resource": { "urn": urn, "id": id } }),
        Property::Unknown => json!({ "$unknown": true }),
    }
}

/// The entries of an object of property values.
pub(super) fn fields(object: Value<'_>, keys: Option<&Keys>) -> Map<String, Json> {
    let entries = object.entries();
    entries.map(|(key, value)| (key.text().into_owned(), notation(value, keys))).collect()
}

/// The value of a secret, if it may be shown and can be opened.
fn opened(secret: &Secret<'_>, keys: Option<&Keys>) -> Option<Json> {
    let tree = secret.unmarked(keys?)?;
    Some(notation(tree.root(), keys))
}

fn number_json(value: Value<'_>, number: f64) -> Json {
    // Numbers are shown as they are written.
    serde_json::from_str(value.raw()).unwrap_or_else(|_| json!(number))
}

fn content_json(content: &Content<'_>, keys: Option<&Keys>) -> Json {
    match content {
        Content::Text(text) => json!({ "text": text }),
        Content::Members(members) => json!({ "assets": fields(*members, keys) }),
        Content::Path(path) => json!({ "path": path }),
        Content::Uri(uri) => json!({ "uri": uri }),
        Content::Absent => json!({}),
    }
}

/// A value on one line: JSON with `[secret]` and `[unknown]` in the places of such values.
pub(super) fn text(value: &Json) -> String {
    let mut out = String::new();
    write(&mut out, value);
    out
}

fn write(out: &mut String, value: &Json) {
    match value {
        Json::Array(elements) => {
            out.push('[');
            for (at, element) in elements.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write(out, element);
            }
            out.push(']');
        }
        Json::Object(entries) => {
            let only = entries.iter().next().filter(|_| entries.len() == 1);
            match only {
                Some((key, Json::Bool(true))) if key == "$secret" => out.push_str("[secret]"),
                Some((key, Json::Bool(true))) if key == "$unknown" => out.push_str("[unknown]"),
                Some((key, Json::Bool(true))) if key == "$malformed" => out.push_str("[malformed]"),
                Some((key, inner)) if key == "$secret" => {
                    out.push_str("secret ");
                    write(out, inner);
                }
                Some((key, Json::String(number))) if key == "$number" => out.push_str(number),
                Some((key, inner)) if key == "$object" => entries_of(out, inner),
                Some((key, inner)) if key == "$resource" => {
                    let urn = inner.get("urn").and_then(Json::as_str);
                    out.push_str(urn.unwrap_or_default());
                }
                Some((key, inner)) if key == "$asset" || key == "$archive" => {
                    out.push_str(key.trim_start_matches('$'));
                    out.push(' ');
                    write(out, inner);
                }
                _ => entries_of(out, value),
            }
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn entries_of(out: &mut String, object: &Json) {
    out.push('{');
    for (at, (key, value)) in object.as_object().into_iter().flatten().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        out.push_str(&json!(key).to_string());
        out.push_str(": ");
        write(out, value);
    }
    out.push('}');
}
