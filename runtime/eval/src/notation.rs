//! Property values as JSON for people and tools: what JSON does not have is an object with one key
//! that begins with a dollar sign.
//!
//! | JSON | value |
//! |---|---|
//! | `{"$secret": VALUE}` | a secret; `{"$secret": true}` where it is not shown |
//! | `{"$unknown": true}` | an unknown value |
//! | `{"$output": {"value": VALUE, "dependencies": [URN, ..]}}` | a value with dependencies |
//! | `{"$asset": {"text" \| "path" \| "uri": .., "hash": ..}}` | an asset |
//! | `{"$archive": {"assets" \| "path" \| "uri": .., "hash": ..}}` | an archive |
//! | `{"$resource": {"urn": .., "id": ..}}` | a resource |
//! | `{"$bytes": BASE64}` | a string that is not UTF-8 |
//! | `{"$object": {..}}` | an object whose only key begins with a dollar sign |

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_number::Number;
use pcl_values::{
    Archive, ArchiveSource, Asset, AssetSource, Member, Output, PropertyMap, PropertyValue,
    ResourceId, ResourceReference, Urn,
};
use serde_json::{Map, Value as Json, json};

/// The values of secrets in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// Their values are left out.
    Hide,
    /// Their values are shown.
    Show,
}

/// The JSON of a value. Numbers without a fraction are written as integers.
///
/// ```
/// use pcl_eval::notation::{Secrets, write};
/// use pcl_values::PropertyValue;
/// let value = PropertyValue::from("t0p").secret();
/// assert_eq!(write(&value, Secrets::Hide).to_string(), r#"{"$secret":true}"#);
/// assert_eq!(write(&value, Secrets::Show).to_string(), r#"{"$secret":"t0p"}"#);
/// ```
pub fn write(value: &PropertyValue, secrets: Secrets) -> Json {
    match value {
        PropertyValue::Null => Json::Null,
        PropertyValue::Bool(value) => json!(value),
        PropertyValue::Number(value) => number(*value),
        PropertyValue::String(text) => match text.unmarked().as_str() {
            Some(text) => json!(text),
            None => json!({ "$bytes": STANDARD.encode(text.unmarked().as_bytes()) }),
        },
        PropertyValue::Array(elements) => {
            elements.iter().map(|element| write(element, secrets)).collect()
        }
        PropertyValue::Object(fields) => {
            let written = write_map(fields, secrets);
            let is_ambiguous = fields.len() == 1 && fields.keys().any(|name| name.starts_with('$'));
            if is_ambiguous { json!({ "$object": written }) } else { written }
        }
        PropertyValue::Asset(asset) => json!({ "$asset": write_asset(asset) }),
        PropertyValue::Archive(archive) => json!({ "$archive": write_archive(archive) }),
        PropertyValue::Secret(inner) => match secrets {
            Secrets::Hide => json!({ "$secret": true }),
            Secrets::Show => json!({ "$secret": write(inner, secrets) }),
        },
        PropertyValue::Computed(_) => json!({ "$unknown": true }),
        PropertyValue::Output(output) => {
            let value = match output.value() {
                Some(value) => write(value, secrets),
                None => json!({ "$unknown": true }),
            };
            let value = match (output.is_secret(), secrets) {
                (true, Secrets::Hide) => json!({ "$secret": true }),
                (true, Secrets::Show) => json!({ "$secret": value }),
                (false, _) => value,
            };
            let dependencies: Vec<&str> = output.dependencies().iter().map(Urn::as_str).collect();
            json!({ "$output": { "value": value, "dependencies": dependencies } })
        }
        PropertyValue::Resource(reference) => {
            let id = match &reference.id {
                ResourceId::Absent => Json::Null,
                ResourceId::Unknown => json!({ "$unknown": true }),
                ResourceId::Known(id) => json!(id),
            };
            json!({ "$resource": { "urn": reference.urn.as_str(), "id": id } })
        }
    }
}

/// The JSON of named values.
pub fn write_map(fields: &PropertyMap, secrets: Secrets) -> Json {
    let fields = fields.iter();
    fields.map(|(name, value)| (name.to_string(), write(value, secrets))).collect()
}

fn number(value: f64) -> Json {
    let is_whole = value.trunc() == value && value.abs() < 9e15;
    if is_whole && !(value == 0.0 && value.is_sign_negative()) {
        json!(value as i64)
    } else {
        json!(value)
    }
}

fn write_asset(asset: &Asset) -> Json {
    with_hash(
        &asset.hash,
        match &asset.source {
            AssetSource::Text(text) => {
                Some(("text", write(&PropertyValue::String(text.clone()), Secrets::Hide)))
            }
            AssetSource::Path(path) => Some(("path", json!(path))),
            AssetSource::Uri(uri) => Some(("uri", json!(uri))),
            AssetSource::Elided => None,
        },
    )
}

fn write_archive(archive: &Archive) -> Json {
    with_hash(
        &archive.hash,
        match &archive.source {
            ArchiveSource::Members(members) => {
                let members = members.iter().map(|(name, member)| {
                    let member = match member {
                        Member::Asset(asset) => json!({ "$asset": write_asset(asset) }),
                        Member::Archive(archive) => json!({ "$archive": write_archive(archive) }),
                    };
                    (name.clone(), member)
                });
                Some(("assets", Json::Object(members.collect())))
            }
            ArchiveSource::Path(path) => Some(("path", json!(path))),
            ArchiveSource::Uri(uri) => Some(("uri", json!(uri))),
            ArchiveSource::Elided => None,
        },
    )
}

/// A source with its hash, if there are any.
fn with_hash(hash: &str, source: Option<(&str, Json)>) -> Json {
    let hash = (!hash.is_empty()).then(|| ("hash", json!(hash)));
    source.into_iter().chain(hash).collect()
}

/// The value that JSON denotes.
///
/// # Errors
/// Returns the reason, with the JSON pointer of its place, for an object with one key that begins
/// with a dollar sign and is none of the table, or whose content does not fit.
pub fn read(json: &Json) -> Result<PropertyValue, String> {
    read_at(json, "")
}

fn read_at(json: &Json, place: &str) -> Result<PropertyValue, String> {
    Ok(match json {
        Json::Null => PropertyValue::Null,
        Json::Bool(value) => (*value).into(),
        Json::Number(number) => match Number::from_text(&number.to_string()) {
            Some(number) => number.to_f64().into(),
            None => return Err(wrong(place, "a number within 64 bits")),
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(elements) => {
            let elements = elements.iter().enumerate();
            let elements = elements.map(|(at, json)| read_at(json, &format!("{place}/{at}")));
            elements.collect::<Result<Vec<_>, _>>()?.into()
        }
        Json::Object(fields) => match fields.iter().next() {
            Some((mark, content)) if fields.len() == 1 && mark.starts_with('$') => {
                special(mark, content, &format!("{place}/{mark}"))?
            }
            _ => read_map(fields, place)?.into(),
        },
    })
}

/// The named values that JSON denotes.
pub(crate) fn read_map(fields: &Map<String, Json>, place: &str) -> Result<PropertyMap, String> {
    let fields = fields.iter();
    let fields = fields.map(|(name, json)| {
        let value = read_at(json, &format!("{place}/{name}"))?;
        Ok((name.as_str().into(), value))
    });
    fields.collect()
}

fn special(mark: &str, content: &Json, place: &str) -> Result<PropertyValue, String> {
    match mark {
        // The place of a mistake in a secret would name keys of it.
        "$secret" => match read_at(content, place) {
            Ok(value) => Ok(value.secret()),
            Err(_) => Err(wrong(place, "a value of this notation")),
        },
        "$unknown" => Ok(PropertyValue::UNKNOWN),
        "$output" => {
            let value = read_at(part(content, "value"), &format!("{place}/value"))?;
            let urns = part(content, "dependencies").as_array().into_iter().flatten();
            let urns = urns.map(|urn| match urn.as_str() {
                Some(urn) => Ok(Urn::from(urn)),
                None => Err(wrong(place, "URNs as dependencies")),
            });
            let dependencies = urns.collect::<Result<_, _>>()?;
            Ok(Output::known(value).with_dependencies(dependencies).into())
        }
        "$bytes" => match content.as_str().map(|text| STANDARD.decode(text)) {
            Some(Ok(bytes)) => Ok(PropertyValue::String(bytes.into())),
            _ => Err(wrong(place, "base64")),
        },
        "$asset" => Ok(read_asset(content, place)?.into()),
        "$archive" => Ok(read_archive(content, place)?.into()),
        "$resource" => {
            let Some(urn) = part(content, "urn").as_str() else {
                return Err(wrong(place, "an object with the string `urn`"));
            };
            let id = match part(content, "id") {
                Json::Null => ResourceId::Absent,
                Json::String(id) => ResourceId::Known(id.clone()),
                _ => ResourceId::Unknown,
            };
            Ok(ResourceReference::new(Urn::from(urn), id).into())
        }
        "$object" => match content.as_object() {
            Some(fields) => Ok(read_map(fields, place)?.into()),
            None => Err(wrong(place, "an object")),
        },
        _ => Err(format!("{place}: the mark `{mark}` is unknown")),
    }
}

fn read_asset(content: &Json, place: &str) -> Result<Asset, String> {
    let text = |name: &str| part(content, name).as_str();
    let source = match (text("text"), text("path"), text("uri"), text("hash")) {
        (Some(text), .., None) => return Ok(Asset::text(text.into())),
        (Some(text), ..) => AssetSource::Text(text.into()),
        (_, Some(path), ..) => AssetSource::Path(path.to_owned()),
        (_, _, Some(uri), _) => AssetSource::Uri(uri.to_owned()),
        (.., Some(_)) => AssetSource::Elided,
        _ => return Err(wrong(place, "an object with `text`, `path`, `uri` or `hash`")),
    };
    Ok(Asset { hash: text("hash").unwrap_or_default().to_owned(), source })
}

fn read_archive(content: &Json, place: &str) -> Result<Archive, String> {
    let text = |name: &str| part(content, name).as_str();
    let hash = text("hash").unwrap_or_default().to_owned();
    let source = match (part(content, "assets").as_object(), text("path"), text("uri")) {
        (Some(members), ..) => {
            let members = members.iter().map(|(name, json)| {
                let place = format!("{place}/assets/{name}");
                let member = match read_at(json, &place)? {
                    PropertyValue::Asset(asset) => Member::Asset(Arc::unwrap_or_clone(asset)),
                    PropertyValue::Archive(archive) => {
                        Member::Archive(Arc::unwrap_or_clone(archive))
                    }
                    _ => return Err(wrong(&place, "an asset or archive")),
                };
                Ok((name.clone(), member))
            });
            ArchiveSource::Members(members.collect::<Result<_, String>>()?)
        }
        (_, Some(path), _) => ArchiveSource::Path(path.to_owned()),
        (.., Some(uri)) => ArchiveSource::Uri(uri.to_owned()),
        _ if !hash.is_empty() => ArchiveSource::Elided,
        _ => return Err(wrong(place, "an object with `assets`, `path`, `uri` or `hash`")),
    };
    Ok(Archive { hash, source })
}

/// A field of an object; null if there is none.
pub(crate) fn part<'j>(json: &'j Json, name: &str) -> &'j Json {
    json.get(name).unwrap_or(&Json::Null)
}

fn wrong(place: &str, expected: &str) -> String {
    let place = if place.is_empty() { "/" } else { place };
    format!("{place}: expected {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            r#"{"a":[1,0.5,-3,null,true,"x"]}"#,
            r#"{"$secret":{"b":{"$unknown":true}}}"#,
            r#"{"$output":{"value":1,"dependencies":["a"]}}"#,
            r#"{"$asset":{"path":"a.txt"}}"#,
            r#"{"$archive":{"assets":{"a":{"$asset":{"uri":"file:///x","hash":"00"}}}}}"#,
            r#"{"$resource":{"urn":"urn:pulumi:s::p::a:b:C::n","id":"i"}}"#,
            r#"{"$bytes":"/wA="}"#,
            r#"{"$object":{"$secret":1}}"#,
        ] {
            let json: Json = serde_json::from_str(text).unwrap();
            let value = read(&json).unwrap();
            let written = write(&value, Secrets::Show);
            assert_eq!(read(&written).unwrap(), value, "{text}");
            assert_eq!(written, json);
        }
    }

    #[test]
    fn mistakes_have_places() {
        for (text, expected) in [
            (r#"{"a":[{"$secrets":1}]}"#, "/a/0/$secrets: the mark `$secrets` is unknown"),
            (r#"{"$bytes":"?"}"#, "/$bytes: expected base64"),
            (
                r#"{"a":{"$secret":{"t0p":{"$t0p":1}}}}"#,
                "/a/$secret: expected a value of this notation",
            ),
            (
                r#"{"$asset":{}}"#,
                "/$asset: expected an object with `text`, `path`, `uri` or `hash`",
            ),
        ] {
            let json: Json = serde_json::from_str(text).unwrap();
            assert_eq!(read(&json).unwrap_err(), expected);
        }
    }
}
