//! Values as text for people, without secrets; and strings in JSON as Go writes them, on whose
//! bytes programs and hashes depend.

use std::fmt::{self, Write as _};

use pcl_number::Number;

use crate::asset::{Archive, ArchiveSource, Asset, AssetSource};
use crate::reference::ResourceId;
use crate::value::{MAX_DEPTH, PropertyValue};

/// Text like JSON, in which secrets, unknown values and what JSON does not have are in brackets:
/// `[secret]`, `[unknown]`, `[asset PATH]`, `[resource URN]`.
impl fmt::Display for PropertyValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, out, 0)
    }
}

/// The same as [`Display`](fmt::Display), since a derived form would show secrets.
impl fmt::Debug for PropertyValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

fn show(value: &PropertyValue, out: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    if depth > MAX_DEPTH {
        return out.write_str("[...]");
    }
    match value {
        PropertyValue::Null => out.write_str("null"),
        PropertyValue::Bool(value) => write!(out, "{value}"),
        PropertyValue::Number(value) => match Number::from_f64(*value) {
            Some(number) => out.write_str(&number.text()),
            None => write!(out, "[{value}]"),
        },
        PropertyValue::String(text) => quote(&text.unmarked().to_string(), out),
        PropertyValue::Array(elements) => {
            out.write_char('[')?;
            for (place, element) in elements.iter().enumerate() {
                out.write_str(if place > 0 { "," } else { "" })?;
                show(element, out, depth + 1)?;
            }
            out.write_char(']')
        }
        PropertyValue::Object(properties) => {
            out.write_char('{')?;
            for (place, (name, value)) in properties.iter().enumerate() {
                out.write_str(if place > 0 { "," } else { "" })?;
                quote(name, out)?;
                out.write_char(':')?;
                show(value, out, depth + 1)?;
            }
            out.write_char('}')
        }
        PropertyValue::Asset(asset) => show_asset(asset, out),
        PropertyValue::Archive(archive) => show_archive(archive, out),
        PropertyValue::Secret(_) => out.write_str("[secret]"),
        PropertyValue::Computed(_) => out.write_str("[unknown]"),
        PropertyValue::Output(output) if output.is_secret() => out.write_str("[secret]"),
        PropertyValue::Output(output) => match output.value() {
            Some(value) => show(value, out, depth + 1),
            None => out.write_str("[unknown]"),
        },
        PropertyValue::Resource(reference) => match &reference.id {
            ResourceId::Known(id) => write!(out, "[resource {} {id}]", reference.urn),
            _ => write!(out, "[resource {}]", reference.urn),
        },
    }
}

/// Writes text as a JSON string.
fn quote(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_char('"')?;
    for char in text.chars() {
        match char {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            char if char.is_control() => write!(out, "\\u{:04x}", u32::from(char))?,
            char => out.write_char(char)?,
        }
    }
    out.write_char('"')
}

fn show_asset(asset: &Asset, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &asset.source {
        AssetSource::Text(text) => {
            out.write_str("[asset ")?;
            quote(&text.unmarked().to_string(), out)?;
            out.write_char(']')
        }
        AssetSource::Path(path) => write!(out, "[asset {path}]"),
        AssetSource::Uri(uri) => write!(out, "[asset {uri}]"),
        AssetSource::Elided => write!(out, "[asset {}]", asset.hash),
    }
}

fn show_archive(archive: &Archive, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &archive.source {
        ArchiveSource::Members(members) => {
            let names: Vec<&str> = members.keys().map(String::as_str).collect();
            write!(out, "[archive of {}]", names.join(", "))
        }
        ArchiveSource::Path(path) => write!(out, "[archive {path}]"),
        ArchiveSource::Uri(uri) => write!(out, "[archive {uri}]"),
        ArchiveSource::Elided => write!(out, "[archive {}]", archive.hash),
    }
}

/// Appends a text as a string of JSON: what HTML could read is escaped, and each byte that is not
/// UTF-8 is the escape of a replacement character.
///
/// ```
/// let mut json = String::new();
/// pcl_values::push_json_string(b"<a> \"b\"\n\xff", &mut json);
/// assert_eq!(json, r#""\u003ca\u003e \"b\"\n\ufffd""#);
/// ```
pub fn push_json_string(text: &[u8], json: &mut String) {
    json.push('"');
    for chunk in text.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.find(needs_escape) {
            let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
            json.push_str(plain);
            let mut chars = behind.chars();
            if let Some(c) = chars.next() {
                push_escape(c, json);
            }
            rest = chars.as_str();
        }
        json.push_str(rest);
        for _ in chunk.invalid() {
            json.push_str("\\ufffd");
        }
    }
    json.push('"');
}

/// Returns true for a character that is written as an escape.
fn needs_escape(c: char) -> bool {
    matches!(c, '"' | '\\' | '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}')
}

fn push_escape(c: char, json: &mut String) {
    match c {
        '"' => json.push_str("\\\""),
        '\\' => json.push_str("\\\\"),
        '\n' => json.push_str("\\n"),
        '\r' => json.push_str("\\r"),
        '\t' => json.push_str("\\t"),
        '\u{8}' => json.push_str("\\b"),
        '\u{c}' => json.push_str("\\f"),
        // Writing to a string does not fail.
        _ => _ = write!(json, "\\u{:04x}", u32::from(c)),
    }
}
