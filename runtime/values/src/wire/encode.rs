//! Values to messages.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::data::{Struct, Value};
use super::place::Place;
use super::{
    ARCHIVE, ASSET, BYTES, OUTPUT, RESOURCE, SECRET, SIGNATURE, UNKNOWNS, Unknowns, WireOptions,
    is_internal, reserved,
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
/// Returns an error for what the options refuse; for an object with the key of special values and a
/// string that stands for an unknown value, because the receiver would take them for these; and for
/// values that nest deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
pub fn encode(properties: &PropertyMap, options: &WireOptions) -> Result<Struct, WireError> {
    let encoder = Encoder { options };
    let mut fields = Struct::new();
    for (name, value) in properties {
        if !(options.skip_internal && is_internal(name)) {
            encoder.field(&Place::TOP, &mut fields, name, value)?;
        }
    }
    Ok(fields)
}

struct Encoder<'o> {
    options: &'o WireOptions,
}

impl Encoder<'_> {
    /// Adds a property to its object, unless it is left out.
    fn field(
        &self,
        place: &Place<'_>,
        fields: &mut Struct,
        name: &str,
        value: &PropertyValue,
    ) -> Result<(), WireError> {
        if name == SIGNATURE {
            return Err(place.error(WireErrorKind::Reserved(SIGNATURE)));
        }
        if !self.skips(value)
            && let Some(value) = self.value(&place.name(name), value)?
        {
            fields.insert(name.to_owned(), value);
        }
        Ok(())
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
            PropertyValue::Object(properties) => {
                let mut fields = Struct::new();
                for (name, value) in properties {
                    self.field(place, &mut fields, name, value)?;
                }
                Value::Struct(fields)
            }
            PropertyValue::Asset(asset) => self.asset(place, asset)?,
            PropertyValue::Archive(archive) => self.archive(place, archive)?,
            PropertyValue::Secret(value) => return self.secret(place, value),
            PropertyValue::Computed(sample) => return self.unknown(place, *sample),
            PropertyValue::Output(output) => return self.output(place, output),
            PropertyValue::Resource(reference) => return self.resource(place, reference),
        }))
    }

    fn text(&self, place: &Place<'_>, text: &Text) -> Result<Value, WireError> {
        let text = text.unmarked();
        match text.as_str() {
            Some(text) => match reserved(text) {
                Some(reserved) => Err(place.error(WireErrorKind::Reserved(reserved))),
                None => Ok(text.into()),
            },
            None if self.options.byte_strings => {
                let encoded = STANDARD.encode(text.as_bytes());
                Ok(special(BYTES, [("value", Value::String(encoded.into()))]))
            }
            None => Err(place.error(WireErrorKind::NotUtf8)),
        }
    }

    fn secret(&self, place: &Place<'_>, value: &PropertyValue) -> Result<Option<Value>, WireError> {
        let place = place.secret();
        if !self.options.secrets {
            return self.value(&place, value);
        }
        let upgrades = self.options.upgrades();
        let signature = if upgrades { OUTPUT } else { SECRET };
        let mark = upgrades.then_some(("secret", Value::Bool(true)));
        let value = if self.skips(value) {
            None
        } else {
            // A secret without a value could not be read.
            match self.value(&place, value)? {
                None => return Ok(None),
                Some(value) => Some(("value", value)),
            }
        };
        Ok(Some(special(signature, mark.into_iter().chain(value))))
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
                (None, false) => self.unknown(&inner, Sample::String),
            };
        }
        let mut parts = Vec::new();
        if let Some(value) = output.value()
            && !self.skips(value)
        {
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

    /// Returns true for a property that is left out because it is null. The value of a special
    /// value is such a property too.
    fn skips(&self, value: &PropertyValue) -> bool {
        self.options.skip_nulls && value.is_null()
    }

    fn unknown(&self, place: &Place<'_>, sample: Sample) -> Result<Option<Value>, WireError> {
        match self.options.unknowns {
            Unknowns::Reject => Err(place.error(WireErrorKind::Unknown)),
            Unknowns::Drop => Ok(None),
            Unknowns::Keep if self.options.upgrades() => Ok(Some(special(OUTPUT, []))),
            Unknowns::Keep => {
                let mut unknowns = UNKNOWNS.iter();
                let found = unknowns.find(|(_, of)| *of == sample);
                Ok(Some(found.map_or(Value::Null, |(text, _)| (*text).into())))
            }
        }
    }

    fn resource(
        &self,
        place: &Place<'_>,
        reference: &ResourceReference,
    ) -> Result<Option<Value>, WireError> {
        let urn = || Value::from(reference.urn.as_str());
        if !self.options.resources {
            return match &reference.id {
                ResourceId::Absent => Ok(Some(urn())),
                ResourceId::Unknown => self.unknown(place, Sample::String),
                ResourceId::Known(id) => Ok(Some(id.as_str().into())),
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
        Ok(Some(special(RESOURCE, parts)))
    }

    fn asset(&self, place: &Place<'_>, asset: &Asset) -> Result<Value, WireError> {
        let mut parts = hash(&asset.hash);
        if !self.options.elide_contents {
            match &asset.source {
                AssetSource::Text(text) if text.is_empty() => {}
                AssetSource::Text(text) => parts.push(("text", self.text(place, text)?)),
                AssetSource::Path(path) => parts.push(("path", path.as_str().into())),
                AssetSource::Uri(uri) => parts.push(("uri", uri.as_str().into())),
                AssetSource::Elided => {}
            }
        }
        Ok(special(ASSET, parts))
    }

    fn archive(&self, place: &Place<'_>, archive: &Archive) -> Result<Value, WireError> {
        place.check_depth()?;
        let mut parts = hash(&archive.hash);
        if !self.options.elide_contents {
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
