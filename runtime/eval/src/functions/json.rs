//! `toJSON`.

use std::collections::BTreeMap;

use pcl_values::wire::{ARCHIVE, ASSET, SIGNATURE};
use pcl_values::{Archive, ArchiveSource, Asset, AssetSource, Member, push_json_string};

use super::site::Site;
use crate::expression::convert::MAX_TEXT;
use crate::stop::Stop;
use crate::value::{Kind, Object, Value};
use crate::wording;

pub(super) fn to_json(site: &Site<'_>) -> Result<Value, Stop> {
    let value = site.value(0);
    if value.has_unknown() {
        return Ok(Value::UNKNOWN);
    }
    let mut writer = Writer { text: String::with_capacity(64), site };
    writer.value(value)?;
    Ok(writer.text.into())
}

struct Writer<'w> {
    text: String,
    site: &'w Site<'w>,
}

/// A field of an asset or archive.
enum Field<'a> {
    Text(&'a str),
    Members(&'a BTreeMap<String, Member>),
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) -> Result<(), Stop> {
        if self.text.len() > MAX_TEXT {
            return Err(wording::text_too_long(self.site.span).into());
        }
        match &value.kind {
            Kind::Null | Kind::Unknown | Kind::Poisoned(_) => self.text.push_str("null"),
            Kind::Bool(value) => self.text.push_str(if *value { "true" } else { "false" }),
            Kind::Number(number) => self.text.push_str(&number.text()),
            Kind::String(text) => push_json_string(text.unmarked().as_bytes(), &mut self.text),
            Kind::List(list) => {
                self.text.push('[');
                for (at, element) in list.elements().iter().enumerate() {
                    if at > 0 {
                        self.text.push(',');
                    }
                    self.value(element)?;
                }
                self.text.push(']');
            }
            Kind::Object(object) => self.object(object)?,
            Kind::Resource(resource) => {
                let run = self.site.run;
                self.object(run.fields(resource, self.site.span)?)?;
            }
            Kind::Asset(asset) => self.asset(asset)?,
            Kind::Archive(archive) => self.archive(archive)?,
        }
        Ok(())
    }

    fn object(&mut self, object: &Object) -> Result<(), Stop> {
        self.entries(object.iter().map(|(name, value)| (&**name, value)), Self::value)
    }

    /// Writes an object with these keys, and what a function writes for each.
    fn entries<'k, T>(
        &mut self,
        entries: impl IntoIterator<Item = (&'k str, T)>,
        mut write: impl FnMut(&mut Self, T) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.text.push('{');
        for (at, (name, value)) in entries.into_iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            push_json_string(name.as_bytes(), &mut self.text);
            self.text.push(':');
            write(self, value)?;
        }
        self.text.push('}');
        Ok(())
    }

    fn asset(&mut self, asset: &Asset) -> Result<(), Stop> {
        let shown;
        let source = match &asset.source {
            AssetSource::Text(text) if !text.is_empty() => {
                shown = text.unmarked().to_string();
                Some(("text", Field::Text(&shown)))
            }
            AssetSource::Path(path) => Some(("path", Field::Text(path))),
            AssetSource::Uri(uri) => Some(("uri", Field::Text(uri))),
            AssetSource::Text(_) | AssetSource::Elided => None,
        };
        self.fields(ASSET, &asset.hash, source)
    }

    fn archive(&mut self, archive: &Archive) -> Result<(), Stop> {
        let source = match &archive.source {
            ArchiveSource::Path(path) => Some(("path", Field::Text(path))),
            ArchiveSource::Uri(uri) => Some(("uri", Field::Text(uri))),
            ArchiveSource::Members(members) => Some(("assets", Field::Members(members))),
            ArchiveSource::Elided => None,
        };
        self.fields(ARCHIVE, &archive.hash, source)
    }

    fn fields(
        &mut self,
        signature: &str,
        hash: &str,
        source: Option<(&str, Field<'_>)>,
    ) -> Result<(), Stop> {
        let fields = [(SIGNATURE, Field::Text(signature)), ("hash", Field::Text(hash))];
        let mut fields: Vec<(&str, Field<'_>)> = fields.into_iter().chain(source).collect();
        fields.sort_unstable_by_key(|(name, _)| *name);
        self.entries(fields, |writer, field| match field {
            Field::Text(text) => {
                push_json_string(text.as_bytes(), &mut writer.text);
                Ok(())
            }
            Field::Members(members) => {
                let members = members.iter().map(|(name, member)| (name.as_str(), member));
                writer.entries(members, |writer, member| match member {
                    Member::Asset(asset) => writer.asset(asset),
                    Member::Archive(archive) => writer.archive(archive),
                })
            }
        })
    }
}
