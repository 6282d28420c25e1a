//! Constants in JSON: `null`, `true`, `"text"`, and numbers as `{ "number": "1e+400" }`, since JSON
//! readers round.

use pcl_model::Number;
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

/// As source text.
impl std::fmt::Display for Constant {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let model = match self {
            Self::Null => pcl_model::Constant::Null,
            Self::Bool(value) => pcl_model::Constant::Bool(*value),
            Self::Number(number) => pcl_model::Constant::Number(number.clone()),
            Self::String(text) => pcl_model::Constant::from(text.as_str()),
        };
        model.fmt(out)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form<'a> {
    Null,
    Bool(bool),
    String(std::borrow::Cow<'a, str>),
    Number { number: std::borrow::Cow<'a, str> },
}

impl Serialize for Constant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match self {
            Self::Null => Form::Null,
            Self::Bool(value) => Form::Bool(*value),
            Self::String(text) => Form::String(text.into()),
            Self::Number(number) => Form::Number {
                number: number.to_string().into(),
            },
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Constant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Form::deserialize(deserializer)? {
            Form::Null => Self::Null,
            Form::Bool(value) => Self::Bool(value),
            Form::String(text) => Self::String(text.into_owned()),
            Form::Number { number } => match Number::parse(&number) {
                Some(number) => Self::Number(number),
                None => return Err(de::Error::custom(format!("`{number}` is no number"))),
            },
        })
    }
}
