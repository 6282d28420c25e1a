//! `google.protobuf.Struct` as plain data, and its JSON form.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{OUTPUT, SECRET, SIGNATURE};

/// The fields of a message, `google.protobuf.Struct`.
pub type Struct = BTreeMap<String, Value>;

/// A value of a message, `google.protobuf.Value`. Its JSON form is that of the protobuf library.
///
/// [`Debug`] prints `[secret]` instead of secrets.
///
/// ```
/// use pcl_values::wire::Value;
/// let value: Value = serde_json::from_str(r#"{"a": [1, null, 0.5]}"#).unwrap();
/// assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"a":[1,null,0.5]}"#);
/// ```
#[derive(Clone, Default, PartialEq)]
pub enum Value {
    /// Null.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A number. Infinities and NaN can be sent, but have no JSON form.
    Number(f64),
    /// A string.
    String(Arc<str>),
    /// A list.
    List(Vec<Value>),
    /// Named values.
    Struct(Struct),
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) if !value.is_finite() => {
                Err(S::Error::custom(format!("{value} has no JSON form")))
            }
            Self::Number(value) if value.abs() < 9e15 && value.trunc() == *value => {
                serializer.serialize_i64(*value as i64)
            }
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::String(text) => serializer.serialize_str(text),
            Self::List(elements) => serializer.collect_seq(elements),
            Self::Struct(fields) => serializer.collect_map(fields),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

/// The visitor of a JSON value.
struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        if value.is_finite() {
            Ok(Value::Number(value))
        } else {
            Err(E::custom("the number is too large"))
        }
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            list.push(element);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Struct::new();
        while let Some((name, value)) = entries.next_entry::<String, Value>()? {
            if fields.insert(name, value).is_some() {
                return Err(A::Error::custom("a name is there twice"));
            }
        }
        Ok(Value::Struct(fields))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("null"),
            Self::Bool(value) => write!(out, "{value}"),
            Self::Number(value) => write!(out, "{value}"),
            Self::String(text) => write!(out, "{text:?}"),
            Self::List(elements) => out.debug_list().entries(elements).finish(),
            Self::Struct(fields) if is_secret(fields) => out.write_str("[secret]"),
            Self::Struct(fields) => out.debug_map().entries(fields).finish(),
        }
    }
}

/// Returns true for the fields of a secret, or of an output that is one.
fn is_secret(fields: &Struct) -> bool {
    match fields.get(SIGNATURE) {
        Some(Value::String(signature)) => match &**signature {
            SECRET => true,
            OUTPUT => fields.get("secret").is_some_and(|it| *it != false.into()),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_form_of_protobuf() {
        for (value, json) in [(1.0, "1"), (-0.0, "0"), (0.5, "0.5"), (1e21, "1e+21")] {
            let written = serde_json::to_string(&Value::Number(value)).unwrap();
            assert_eq!(written.parse::<f64>(), json.parse(), "{written}");
            let read: Value = serde_json::from_str(&written).unwrap();
            assert_eq!(read, Value::Number(value));
        }
        assert!(serde_json::to_string(&Value::Number(f64::NAN)).is_err());
        assert!(serde_json::from_str::<Value>("1e999").is_err());
        assert!(serde_json::from_str::<Value>(r#"{"a":1,"a":2}"#).is_err());
    }

    #[test]
    fn secrets_are_not_printed() {
        let secret = |signature: &str| {
            Value::Struct(Struct::from([
                (SIGNATURE.into(), signature.into()),
                ("secret".into(), true.into()),
                ("value".into(), "t0p".into()),
            ]))
        };
        for value in [secret(SECRET), secret(OUTPUT)] {
            assert_eq!(format!("{:?}", Value::List(vec![value])), "[[secret]]");
        }
    }
}
