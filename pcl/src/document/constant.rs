//! Constants in JSON: `null`, `true`, `"text"`, and numbers as `{ "number": "1e+400" }`, since JSON
//! readers round.

use std::borrow::Cow;
use std::fmt;

use pcl_model::Number;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A literal value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An exact number.
    Number(Number),
    /// A string.
    String(String),
}

impl Constant {
    /// The text, if it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&pcl_model::Constant> for Constant {
    fn from(constant: &pcl_model::Constant) -> Self {
        use pcl_model::Constant as Model;
        match constant {
            Model::Null => Self::Null,
            Model::Bool(value) => Self::Bool(*value),
            Model::Number(number) => Self::Number(number.clone()),
            Model::String(text) => Self::String(text.to_string()),
        }
    }
}

impl From<&pcl_schema::Constant> for Constant {
    fn from(constant: &pcl_schema::Constant) -> Self {
        use pcl_schema::Constant as Schema;
        match constant {
            Schema::Boolean(value) => Self::Bool(*value),
            Schema::Number(value) => match Number::parse(&value.to_string()) {
                Some(number) => Self::Number(number),
                None => Self::Null,
            },
            Schema::String(text) => Self::String(text.to_string()),
        }
    }
}

impl From<&Constant> for pcl_model::Constant {
    fn from(constant: &Constant) -> Self {
        match constant {
            Constant::Null => Self::Null,
            Constant::Bool(value) => Self::Bool(*value),
            Constant::Number(number) => Self::Number(number.clone()),
            Constant::String(text) => Self::from(text.as_str()),
        }
    }
}

/// As source text.
impl fmt::Display for Constant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        pcl_model::Constant::from(self).fmt(out)
    }
}

impl Serialize for Constant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::String(text) => serializer.serialize_str(text),
            Self::Number(number) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(NUMBER, &number.to_string())?;
                map.end()
            }
        }
    }
}

/// The key of a number.
const NUMBER: &str = "number";

impl<'de> Deserialize<'de> for Constant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ConstantVisitor)
    }
}

struct ConstantVisitor;

impl<'de> de::Visitor<'de> for ConstantVisitor {
    type Value = Constant;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("null, a boolean, a string or an object with `number`")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Constant, E> {
        Ok(Constant::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Constant, E> {
        Ok(Constant::Bool(value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Constant, E> {
        Ok(Constant::String(text.to_owned()))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Constant, E> {
        Ok(Constant::String(text))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Constant, A::Error> {
        let mut number = None;
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            match &*key {
                NUMBER => number = Some(map.next_value::<Cow<'_, str>>()?),
                _ => _ = map.next_value::<de::IgnoredAny>()?,
            }
        }
        let number = number.ok_or_else(|| de::Error::missing_field(NUMBER))?;
        let message = || de::Error::custom(format!("`{number}` is no number"));
        Number::parse(&number).map(Constant::Number).ok_or_else(message)
    }
}
