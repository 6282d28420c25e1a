//! `toJSON`.

use std::fmt::Write as _;

use pcl_values::wire::{ARCHIVE, ASSET, SIGNATURE};
use pcl_values::{Archive, ArchiveSource, Asset, AssetSource, Member, Text};

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
    let mut writer = Writer {
        text: String::with_capacity(64),
        site,
    };
    writer.value(value)?;
    Ok(writer.text.into())
}

/// Returns true for a character that is written as an escape.
fn needs_escape(c: char) -> bool {
    matches!(
        c,
        '"' | '\\' | '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}'
    )
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
            Kind::Number(number) => number.with_text(|text| self.text.push_str(text)),
            Kind::String(text) => self.string(text),
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
        self.quoted(name);
        self.text.push(':');
    }

    /// Bytes that are not UTF-8 are written as the escape of a replacement character.
    fn string(&mut self, text: &Text) {
        let text = text.unmarked();
        match text.as_str() {
            Some(text) => self.quoted(text),
            None => {
                self.text.push('"');
                for chunk in text.as_bytes().utf8_chunks() {
                    self.escaped(chunk.valid());
                    for _ in chunk.invalid() {
                        self.text.push_str("\\ufffd");
                    }
                }
                self.text.push('"');
            }
        }
    }

    fn quoted(&mut self, text: &str) {
        self.text.push('"');
        self.escaped(text);
        self.text.push('"');
    }

    fn escaped(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(needs_escape) {
            let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.text.push_str(plain);
            let mut chars = behind.chars();
            if let Some(c) = chars.next() {
                self.escape(c);
            }
            rest = chars.as_str();
        }
        self.text.push_str(rest);
    }

    fn escape(&mut self, c: char) {
        match c {
            '"' => self.text.push_str("\\\""),
            '\\' => self.text.push_str("\\\\"),
            '\n' => self.text.push_str("\\n"),
            '\r' => self.text.push_str("\\r"),
            '\t' => self.text.push_str("\\t"),
            '\u{8}' => self.text.push_str("\\b"),
            '\u{c}' => self.text.push_str("\\f"),
            _ => _ = write!(self.text, "\\u{:04x}", u32::from(c)),
        }
    }

    fn fields(&mut self, mut fields: Vec<(&str, &str)>) {
        fields.sort_unstable();
        self.text.push('{');
        for (at, (name, value)) in fields.into_iter().enumerate() {
            self.separator(at);
            self.key(name);
            self.quoted(value);
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
                self.quoted(ARCHIVE);
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
                self.quoted(&archive.hash);
                self.text.push('}');
                return;
            }
        }
        self.fields(fields);
    }
}
