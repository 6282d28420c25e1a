//! The reader of the facts about a member that leaves out descriptions, and what is no fact: little
//! enough to keep.
//!
//! Reading members into values whole, and then cutting them down, took an eighth of the
//! instructions of a batch of 631 conversions.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Returns the facts in a member; nothing if it is no JSON.
pub(crate) fn read(member: &[u8]) -> Value {
    let mut reader = serde_json::Deserializer::from_slice(member);
    let facts = Part::Member.deserialize(&mut reader).unwrap_or_default();
    if reader.end().is_ok() { facts } else { Value::Null }
}

/// A part of a member.
#[derive(Clone, Copy)]
enum Part {
    Member,
    /// The inputs or outputs of a function.
    Inner,
    /// The properties by their names.
    Properties,
    Property,
    /// A fact.
    Fact,
}

impl Part {
    /// The part that is the value of a key, if it has facts.
    fn under(self, key: &str) -> Option<Self> {
        match (self, key) {
            (Self::Member, "properties" | "inputProperties") | (Self::Inner, "properties") => {
                Some(Self::Properties)
            }
            (Self::Member, "stateInputs" | "listInputs" | "inputs" | "outputs") => {
                Some(Self::Inner)
            }
            (Self::Member, "displayName" | "isOverlay" | "language")
            | (
                Self::Property,
                "displayName" | "defaultInfo" | "willReplaceOnChanges" | "language",
            ) => Some(Self::Fact),
            (Self::Properties, _) => Some(Self::Property),
            _ => None,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Part {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        match self {
            Self::Fact => serde::Deserialize::deserialize(reader),
            _ => reader.deserialize_any(self),
        }
    }
}

/// Everything but an object has no facts.
impl<'de> Visitor<'de> for Part {
    type Value = Value;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("a part of a member")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut facts = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            match self.under(&key) {
                Some(part) => {
                    let value = entries.next_value_seed(part)?;
                    let has_facts = match part {
                        Self::Property => value.as_object().is_some_and(|it| !it.is_empty()),
                        _ => true,
                    };
                    if has_facts {
                        facts.insert(key, value);
                    }
                }
                None => _ = entries.next_value::<IgnoredAny>()?,
            }
        }
        Ok(Value::Object(facts))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E>(self, _: &str) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_facts_are_kept() {
        let member = json!({
            "description": "A cage.", "displayName": "Cage", "isOverlay": true, "aliases": [1],
            "language": { "csharp": { "name": "Cage" } },
            "properties": {
                "bars": { "type": "integer", "description": "How many.", "language": {} },
                "door": { "type": "string", "description": "A door." },
                "odd": 5, "many": [{ "language": {} }]
            },
            "inputProperties": [true, null, 1.5],
            "inputs": { "properties": { "key": { "defaultInfo": { "environment": ["KEY"] } } }, "required": [] },
            "outputs": "text"
        });
        let expected = json!({
            "displayName": "Cage", "isOverlay": true, "language": { "csharp": { "name": "Cage" } },
            "properties": { "bars": { "language": {} } },
            "inputProperties": null,
            "inputs": { "properties": { "key": { "defaultInfo": { "environment": ["KEY"] } } } },
            "outputs": null
        });
        assert_eq!(read(member.to_string().as_bytes()), expected);
        assert_eq!(read(b"{ \"displayName\": \"Cage\" } x"), Value::Null);
        assert_eq!(read(b"{ \"displayName\": "), Value::Null);
    }
}
