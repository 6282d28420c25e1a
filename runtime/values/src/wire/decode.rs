//! Messages to values.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{
    ARCHIVE, ASSET, BYTES, OUTPUT, Place, RESOURCE, SECRET, SIGNATURE, Struct, UNKNOWNS, Value,
    WireOptions,
};
use crate::asset::{Archive, ArchiveSource, Asset, AssetSource, Member};
use crate::error::{Special, WireError, WireErrorKind};
use crate::output::Output;
use crate::reference::{ResourceId, ResourceReference};
use crate::text::Text;
use crate::urn::Urn;
use crate::value::{PropertyMap, PropertyValue, Sample};

/// The longest signature that an error shows.
const SHOWN: usize = 64;

/// The properties that a message holds.
///
/// # Errors
/// Returns an error for special values without their parts, and for values that nest deeper than
/// [`MAX_DEPTH`](crate::MAX_DEPTH).
pub fn decode(fields: &Struct, options: &WireOptions) -> Result<PropertyMap, WireError> {
    Decoder { options }.fields(&Place::TOP, fields)
}

struct Decoder<'o> {
    options: &'o WireOptions,
}

/// The result for a value, `None` for one that is left out.
type Decoded = Result<Option<PropertyValue>, WireError>;

impl Decoder<'_> {
    fn fields(&self, place: &Place<'_>, fields: &Struct) -> Result<PropertyMap, WireError> {
        // What a secret contains is not named, wherever it stands.
        let place = if is_secret(fields) { place.hidden() } else { *place };
        let mut properties = PropertyMap::with_capacity(fields.len());
        for (name, value) in fields {
            if let Some(value) = self.value(&place.name(name), value)? {
                properties.insert(name.as_str().into(), value);
            }
        }
        Ok(properties)
    }

    fn value(&self, place: &Place<'_>, value: &Value) -> Decoded {
        place.check_depth()?;
        Ok(Some(match value {
            Value::Null => PropertyValue::Null,
            Value::Bool(value) => PropertyValue::Bool(*value),
            Value::Number(value) => PropertyValue::Number(*value),
            Value::String(text) => {
                let mut unknowns = UNKNOWNS.iter();
                match unknowns.find(|(unknown, _)| *unknown == &**text) {
                    Some((_, sample)) => return Ok(self.unknown(*sample)),
                    None => PropertyValue::String(Text::from(text.clone())),
                }
            }
            Value::List(elements) => {
                let mut list = Vec::with_capacity(elements.len());
                for (index, element) in elements.iter().enumerate() {
                    // The places of the others must not change.
                    list.push(self.value(&place.index(index), element)?.unwrap_or_default());
                }
                PropertyValue::Array(list)
            }
            Value::Struct(fields) => {
                let properties = self.fields(place, fields)?;
                return match properties.get(SIGNATURE) {
                    None => Ok(Some(PropertyValue::Object(properties))),
                    Some(_) => self.special(place, properties),
                };
            }
        }))
    }

    fn unknown(&self, sample: Sample) -> Option<PropertyValue> {
        self.options.unknowns.then_some(PropertyValue::Computed(sample))
    }

    fn special(&self, place: &Place<'_>, mut properties: PropertyMap) -> Decoded {
        let signature = properties.remove(SIGNATURE);
        let parts = |kind| Parts { kind, place, properties };
        match signature.as_ref().and_then(str_of) {
            Some(SECRET) => {
                let value = parts(Special::Secret).required("value")?;
                Ok(Some(PropertyValue::Secret(Box::new(value))))
            }
            Some(OUTPUT) => self.output(parts(Special::Output)),
            Some(RESOURCE) => self.resource(&mut parts(Special::Reference)),
            Some(BYTES) => {
                let mut parts = parts(Special::Bytes);
                let value = parts.required("value")?;
                let expected = parts.wrong_kind("value", "a string");
                let text = str_of(&value).ok_or(expected)?;
                // Line ends may divide the digits.
                let digits: String = text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect();
                let invalid = |_| parts.wrong_kind("value", "valid base64");
                let bytes = STANDARD.decode(digits).map_err(invalid)?;
                Ok(Some(PropertyValue::String(bytes.into())))
            }
            Some(ASSET) => Ok(Some(asset(&mut parts(Special::Asset))?.into())),
            Some(ARCHIVE) => Ok(Some(archive(parts(Special::Archive))?.into())),
            signature => {
                let is_shown = |text: &&str| text.len() <= SHOWN && !place.is_secret();
                let shown = signature.filter(is_shown).map(str::to_owned);
                Err(place.error(WireErrorKind::Signature(shown)))
            }
        }
    }

    fn output(&self, mut parts: Parts<'_>) -> Decoded {
        let value = parts.properties.remove("value");
        let is_secret = match parts.properties.get("secret") {
            None => false,
            Some(PropertyValue::Bool(is_secret)) => *is_secret,
            Some(_) => return Err(parts.wrong_kind("secret", "a truth value")),
        };
        if !self.options.outputs {
            let value = value.or_else(|| self.unknown(Sample::String));
            return Ok(if is_secret { value.map(PropertyValue::secret) } else { value });
        }
        let dependencies = match parts.properties.get("dependencies") {
            None => Ok(<_>::default()),
            Some(PropertyValue::Array(urns)) => {
                let urn = |urn: &PropertyValue| str_of(urn).map(Urn::from);
                let urns: Option<_> = urns.iter().map(urn).collect();
                urns.ok_or_else(|| parts.wrong_kind("dependencies", "a list of strings"))
            }
            Some(_) => Err(parts.wrong_kind("dependencies", "a list")),
        }?;
        let output = Output::from(value);
        let output = output.with_secret(is_secret);
        Ok(Some(output.with_dependencies(dependencies).into()))
    }

    fn resource(&self, parts: &mut Parts<'_>) -> Decoded {
        let urn = parts.required("urn")?;
        let urn = str_of(&urn).map(Urn::from);
        let urn = urn.ok_or_else(|| parts.wrong_kind("urn", "a string"))?;
        let name = parts.text("name")?;
        let kind = parts.text("type")?;
        let id = match parts.properties.get("id") {
            None => ResourceId::Absent,
            Some(PropertyValue::Computed(_)) => ResourceId::Unknown,
            Some(PropertyValue::Output(output)) if !output.is_known() => ResourceId::Unknown,
            Some(value) => {
                let value = match value {
                    PropertyValue::Output(output) => output.value().unwrap_or(value),
                    value => value,
                };
                let text = str_of(value);
                let text = text.ok_or_else(|| parts.wrong_kind("id", "a string"))?;
                ResourceId::Known(text.to_owned())
            }
        };
        let package_version = parts.text("packageVersion")?;
        // An empty id is that of a resource which does not exist yet.
        let is_unknown = id.is_unknown() || id == ResourceId::Known(String::new());
        if !self.options.resources {
            return match id {
                _ if is_unknown && self.options.unknowns => Ok(self.unknown(Sample::String)),
                ResourceId::Absent => Ok(Some(urn.as_str().into())),
                ResourceId::Unknown => Ok(Some("".into())),
                ResourceId::Known(id) => Ok(Some(id.into())),
            };
        }
        let own = ResourceReference::new(urn, id);
        let or = |given: &str, own: Box<str>| match given {
            "" => own,
            given => given.into(),
        };
        Ok(Some(PropertyValue::from(ResourceReference {
            id: if is_unknown { ResourceId::Unknown } else { own.id },
            name: or(name, own.name),
            kind: or(kind, own.kind),
            urn: own.urn,
            package_version: package_version.into(),
        })))
    }
}

/// Returns true for the fields of a secret, or of an output that is one.
fn is_secret(fields: &Struct) -> bool {
    match fields.get(SIGNATURE) {
        Some(Value::String(signature)) if &**signature == SECRET => true,
        Some(Value::String(signature)) if &**signature == OUTPUT => fields.contains_key("secret"),
        _ => false,
    }
}

/// The text of a string that is UTF-8.
fn str_of(value: &PropertyValue) -> Option<&str> {
    value.as_text()?.unmarked().as_str()
}

/// The parts of a special value.
struct Parts<'p> {
    kind: Special,
    place: &'p Place<'p>,
    properties: PropertyMap,
}

impl Parts<'_> {
    fn required(&mut self, part: &'static str) -> Result<PropertyValue, WireError> {
        let kind = self.kind;
        let missing = || self.place.error(WireErrorKind::Missing { kind, part });
        self.properties.remove(part).ok_or_else(missing)
    }

    /// A part that is text; absent, it is empty.
    fn text(&self, part: &'static str) -> Result<&str, WireError> {
        match self.properties.get(part) {
            None => Ok(""),
            Some(value) => {
                let text = str_of(value);
                text.ok_or_else(|| self.wrong_kind(part, "a string"))
            }
        }
    }

    fn members(
        &self,
        members: Option<PropertyValue>,
    ) -> Result<BTreeMap<String, Member>, WireError> {
        let members = match members {
            None => return Ok(BTreeMap::new()),
            Some(PropertyValue::Object(members)) => members,
            Some(_) => return Err(self.wrong_kind("assets", "an object")),
        };
        let member = |(name, value): (Arc<str>, PropertyValue)| match value {
            PropertyValue::Asset(asset) => {
                Ok((name.to_string(), Member::Asset(Arc::unwrap_or_clone(asset))))
            }
            PropertyValue::Archive(archive) => {
                Ok((name.to_string(), Member::Archive(Arc::unwrap_or_clone(archive))))
            }
            _ => Err(self.place.name(&name).error(WireErrorKind::Member)),
        };
        members.into_iter().map(member).collect()
    }

    fn wrong_kind(&self, part: &'static str, expected: &'static str) -> WireError {
        let kind = self.kind;
        self.place.error(WireErrorKind::WrongKind { kind, part, expected })
    }
}

fn asset(parts: &mut Parts<'_>) -> Result<Asset, WireError> {
    let text = parts.properties.remove("text");
    let hash = parts.text("hash")?;
    let text = match text {
        None => Text::default(),
        Some(PropertyValue::String(text)) => text,
        Some(_) => return Err(parts.wrong_kind("text", "a string")),
    };
    let source = AssetSource::of_parts(hash, text, parts.text("path")?, parts.text("uri")?);
    Ok(Asset { hash: hash.to_owned(), source })
}

fn archive(mut parts: Parts<'_>) -> Result<Archive, WireError> {
    let hash = parts.text("hash")?.to_owned();
    let members = parts.properties.remove("assets");
    let source = match (parts.text("path")?, parts.text("uri")?) {
        ("", "") => ArchiveSource::of_members(&hash, parts.members(members)?),
        ("", uri) => ArchiveSource::Uri(uri.to_owned()),
        (path, _) => ArchiveSource::Path(path.to_owned()),
    };
    Ok(Archive { hash, source })
}
