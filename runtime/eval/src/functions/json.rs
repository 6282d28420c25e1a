//! `toJSON`.

use pcl_values::wire::{ARCHIVE, ASSET, SIGNATURE};
use pcl_values::{Archive, ArchiveSource, Asset, AssetSource, Member, push_json_string};

use super::site::Site;
use crate::expression::template::MAX_TEXT;
use crate::stop::Stop;
use crate::value::{Kind, Object, Value};
use crate::wording;

pub(super) fn to_json(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let Some(value) = arguments.first() else {
        return Ok(Value::NULL);
    };
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
                    self.separator(at);
                    self.value(element)?;
                }
                self.text.push(']');
            }
            Kind::Object(object) => self.object(object)?,
            Kind::Resource(resource) => {
                let run = self.site.run;
                let fields = run.fields(resource, self.site.span)?;
                self.object(fields)?;
            }
            Kind::Asset(asset) => self.asset(asset),
            Kind::Archive(archive) => self.archive(archive),
        }
        Ok(())
    }

    fn object(&mut self, object: &Object) -> Result<(), Stop> {
        self.text.push('{');
        for (at, (name, value)) in object.iter().enumerate() {
            self.separator(at);
            self.key(name);
            self.value(value)?;
        }
        self.text.push('}');
        Ok(())
    }

    fn separator(&mut self, at: usize) {
        if at > 0 {
            self.text.push(',');
        }
    }

    fn key(&mut self, name: &str) {
        push_json_string(name.as_bytes(), &mut self.text);
        self.text.push(':');
    }

    fn fields(&mut self, mut fields: Vec<(&str, &str)>) {
        fields.sort_unstable();
        self.text.push('{');
        for (at, (name, value)) in fields.into_iter().enumerate() {
            self.separator(at);
            self.key(name);
            push_json_string(value.as_bytes(), &mut self.text);
        }
        self.text.push('}');
    }

    fn asset(&mut self, asset: &Asset) {
        let mut fields = vec![(SIGNATURE, ASSET), ("hash", &*asset.hash)];
        let shown;
        match &asset.source {
            AssetSource::Text(text) if text.is_empty() => {}
            AssetSource::Text(text) => {
                shown = text.unmarked().to_string();
                fields.push(("text", &*shown));
            }
            AssetSource::Path(path) => fields.push(("path", path)),
            AssetSource::Uri(uri) => fields.push(("uri", uri)),
            AssetSource::Elided => {}
        }
        self.fields(fields);
    }

    fn archive(&mut self, archive: &Archive) {
        let mut fields = vec![(SIGNATURE, ARCHIVE), ("hash", &*archive.hash)];
        match &archive.source {
            ArchiveSource::Path(path) => fields.push(("path", path)),
            ArchiveSource::Uri(uri) => fields.push(("uri", uri)),
            ArchiveSource::Elided => {}
            ArchiveSource::Members(members) => {
                // Among the keys, `assets` comes between the signature and `hash`.
                self.text.push('{');
                self.key(SIGNATURE);
                push_json_string(ARCHIVE.as_bytes(), &mut self.text);
                self.text.push(',');
                self.key("assets");
                self.text.push('{');
                for (at, (name, member)) in members.iter().enumerate() {
                    self.separator(at);
                    self.key(name);
                    match member {
                        Member::Asset(asset) => self.asset(asset),
                        Member::Archive(archive) => self.archive(archive),
                    }
                }
                self.text.push_str("},");
                self.key("hash");
                push_json_string(archive.hash.as_bytes(), &mut self.text);
                self.text.push('}');
                return;
            }
        }
        self.fields(fields);
    }
}
