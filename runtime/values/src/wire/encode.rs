//! Values to messages.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{
    ARCHIVE, ASSET, BYTES, OUTPUT, Place, RESOURCE, SECRET, SIGNATURE, Struct, UNKNOWNS, Value,
    WireOptions, reserved,
};
use crate::asset::{Archive, ArchiveSource, Asset, AssetSource, Member};
use crate::error::{WireError, WireErrorKind};
use crate::output::Output;
use crate::reference::{ResourceId, ResourceReference};
use crate::text::Text;
use crate::value::{PropertyMap, PropertyValue, Sample};

/// The message that these properties make.
///
/// # Errors
/// Returns an error for an object with the key of special values and a string that stands for an
/// unknown value, because the receiver would take them for these; and for values that nest deeper
/// than [`MAX_DEPTH`](crate::MAX_DEPTH).
pub fn encode(properties: &PropertyMap, options: &WireOptions) -> Result<Struct, WireError> {
    Encoder { options }.fields(&Place::TOP, properties)
}

struct Encoder<'o> {
    options: &'o WireOptions,
}

impl Encoder<'_> {
    /// The properties of an object, but for those that are left out.
    fn fields(&self, place: &Place<'_>, properties: &PropertyMap) -> Result<Struct, WireError> {
        let mut fields = Struct::new();
        for (name, value) in properties {
            if &**name == SIGNATURE {
                return Err(place.error(WireErrorKind::Reserved(SIGNATURE)));
            }
            if let Some(value) = self.value(&place.name(name), value)? {
                fields.insert(name.to_string(), value);
            }
        }
        Ok(fields)
    }

    /// A value; `None` for one that is left out.
    fn value(&self, place: &Place<'_>, value: &PropertyValue) -> Result<Option<Value>, WireError> {
        place.check_depth()?;
        Ok(Some(match value {
            PropertyValue::Null => Value::Null,
            PropertyValue::Bool(value) => Value::Bool(*value),
            PropertyValue::Number(value) => Value::Number(*value),
            PropertyValue::String(text) => self.text(place, text)?,
            PropertyValue::Array(elements) => {
                let mut list = Vec::with_capacity(elements.len());
                for (index, element) in elements.iter().enumerate() {
                    list.extend(self.value(&place.index(index), element)?);
                }
                Value::List(list)
            }
            PropertyValue::Object(properties) => Value::Struct(self.fields(place, properties)?),
            PropertyValue::Asset(asset) => self.asset(place, asset)?,
            PropertyValue::Archive(archive) => self.archive(place, archive)?,
            PropertyValue::Secret(value) => return self.secret(place, value),
            PropertyValue::Computed(sample) => return Ok(self.unknown(*sample)),
            PropertyValue::Output(output) => return self.output(place, output),
            PropertyValue::Resource(reference) => return Ok(self.resource(reference)),
        }))
    }

    fn text(&self, place: &Place<'_>, text: &Text) -> Result<Value, WireError> {
        let text = text.unmarked();
        match text.as_str() {
            Some(text) => match reserved(text) {
                Some(reserved) => Err(place.error(WireErrorKind::Reserved(reserved))),
                None => Ok(text.into()),
            },
            None => {
                let encoded = STANDARD.encode(text.as_bytes());
                Ok(special(BYTES, [("value", Value::String(encoded.into()))]))
            }
        }
    }

    fn secret(&self, place: &Place<'_>, value: &PropertyValue) -> Result<Option<Value>, WireError> {
        // A secret without a value could not be read.
        let value = self.value(&place.secret(), value)?;
        Ok(value.map(|value| special(SECRET, [("value", value)])))
    }

    fn output(
        &self,
        place: &Place<'_>,
        output: &Output<PropertyValue>,
    ) -> Result<Option<Value>, WireError> {
        let inner = if output.is_secret() { place.secret() } else { place.part() };
        if !self.options.outputs {
            return match (output.value(), output.is_secret()) {
                (Some(value), true) => self.secret(place, value),
                (None, true) => self.secret(place, &PropertyValue::UNKNOWN),
                (Some(value), false) => self.value(&inner, value),
                (None, false) => Ok(self.unknown(Sample::String)),
            };
        }
        let mut parts = Vec::new();
        if let Some(value) = output.value() {
            let value = self.value(&inner, value)?;
            parts.extend(value.map(|value| ("value", value)));
        }
        if output.is_secret() {
            parts.push(("secret", Value::Bool(true)));
        }
        if !output.dependencies().is_empty() {
            let urns = output.dependencies().iter();
            let urns = urns.map(|urn| urn.as_str().into()).collect();
            parts.push(("dependencies", Value::List(urns)));
        }
        Ok(Some(special(OUTPUT, parts)))
    }

    fn unknown(&self, sample: Sample) -> Option<Value> {
        let mut unknowns = UNKNOWNS.iter();
        let text = unknowns.find(|(_, of)| *of == sample).map(|(text, _)| *text);
        self.options.unknowns.then(|| text.map_or(Value::Null, Value::from))
    }

    fn resource(&self, reference: &ResourceReference) -> Option<Value> {
        let urn = || Value::from(reference.urn.as_str());
        if !self.options.resources {
            return match &reference.id {
                ResourceId::Absent => Some(urn()),
                ResourceId::Unknown => self.unknown(Sample::String),
                ResourceId::Known(id) => Some(id.as_str().into()),
            };
        }
        let mut parts = vec![("urn", urn())];
        match &reference.id {
            ResourceId::Absent => {}
            ResourceId::Unknown => parts.push(("id", "".into())),
            ResourceId::Known(id) => parts.push(("id", id.as_str().into())),
        }
        for (name, part) in [
            ("name", &reference.name),
            ("type", &reference.kind),
            ("packageVersion", &reference.package_version),
        ] {
            if !part.is_empty() {
                parts.push((name, (**part).into()));
            }
        }
        Some(special(RESOURCE, parts))
    }

    fn asset(&self, place: &Place<'_>, asset: &Asset) -> Result<Value, WireError> {
        let mut parts = hash(&asset.hash);
        match &asset.source {
            AssetSource::Text(text) if text.is_empty() => {}
            AssetSource::Text(text) => parts.push(("text", self.text(place, text)?)),
            AssetSource::Path(path) => parts.push(("path", path.as_str().into())),
            AssetSource::Uri(uri) => parts.push(("uri", uri.as_str().into())),
            AssetSource::Elided => {}
        }
        Ok(special(ASSET, parts))
    }

    fn archive(&self, place: &Place<'_>, archive: &Archive) -> Result<Value, WireError> {
        place.check_depth()?;
        let mut parts = hash(&archive.hash);
        match &archive.source {
            ArchiveSource::Members(members) => {
                let mut fields = Struct::new();
                for (name, member) in members {
                    if name == SIGNATURE {
                        return Err(place.error(WireErrorKind::Reserved(SIGNATURE)));
                    }
                    let place = place.name(name);
                    let member = match member {
                        Member::Asset(asset) => self.asset(&place, asset)?,
                        Member::Archive(archive) => self.archive(&place, archive)?,
                    };
                    fields.insert(name.clone(), member);
                }
                parts.push(("assets", Value::Struct(fields)));
            }
            ArchiveSource::Path(path) => parts.push(("path", path.as_str().into())),
            ArchiveSource::Uri(uri) => parts.push(("uri", uri.as_str().into())),
            ArchiveSource::Elided => {}
        }
        Ok(special(ARCHIVE, parts))
    }
}

fn hash(hash: &str) -> Vec<(&'static str, Value)> {
    match hash {
        "" => Vec::new(),
        hash => vec![("hash", hash.into())],
    }
}

/// A special value.
fn special(
    signature: &'static str,
    parts: impl IntoIterator<Item = (&'static str, Value)>,
) -> Value {
    let signature = (SIGNATURE.to_owned(), Value::String(Arc::from(signature)));
    let parts = parts.into_iter();
    let parts = parts.map(|(name, value)| (name.to_owned(), value));
    Value::Struct(std::iter::once(signature).chain(parts).collect())
}
