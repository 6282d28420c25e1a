//! The tree of a file as JSON.

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::yaml::{Entry, LONGEST_KEY, Value, is_printable};

/// The text of a document. Comments are lost.
pub(crate) fn write(entries: &[Entry]) -> String {
    // Writing to memory fails only if a key is no text.
    let text = serde_json::to_string_pretty(&Map(entries)).unwrap_or_default();
    escape(&text) + "\n"
}

/// Returns true if a key is too long for Pulumi, which reads JSON as YAML.
pub(crate) fn is_long(key: &str) -> bool {
    let written = serde_json::to_string(key).unwrap_or_default();
    escape(&written).len() > LONGEST_KEY
}

fn escape(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // Pulumi reads JSON as YAML, which refuses characters in strings that JSON accepts, or
        // takes them for ends of lines. Outside of strings there are only line feeds.
        match c {
            '\n' => written.push(c),
            c if is_printable(c) => written.push(c),
            c => written.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    written
}

struct Map<'e>(&'e [Entry]);

impl Serialize for Map<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for entry in self.0 {
            map.serialize_entry(&entry.key, &entry.value)?;
        }
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            // Pulumi reads the number of a YAML file as one of these, too.
            Self::Number(text) => match (text.parse::<i64>(), text.parse::<f64>()) {
                (Ok(number), _) => serializer.serialize_i64(number),
                (_, Ok(number)) => serializer.serialize_f64(number),
                _ => serializer.serialize_str(text),
            },
            Self::Text(text) => serializer.serialize_str(&text.written()),
            Self::Plain(text) => serializer.serialize_str(text),
            Self::Path(path) => serializer.collect_str(&format_args!("${{{path}}}")),
            Self::List(values) => serializer.collect_seq(values),
            Self::Map(entries) => Map(entries).serialize(serializer),
            Self::Call(function, argument) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(function, argument)?;
                map.end()
            }
        }
    }
}
