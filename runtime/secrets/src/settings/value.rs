//! The values of a configuration, and the texts that a program receives for them.

use std::collections::BTreeMap;

use pcl_values::push_json_string;
use zeroize::Zeroizing;

use super::entry::ConfigValue;
use crate::Crypter;
use crate::error::{SettingsError, SettingsErrorKind};
use crate::yaml::scalar::Scalar;
use crate::yaml::time::Time;
use crate::yaml::{Data, Node};

/// A value as a file has it. Secrets are encrypted.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Scalar(Scalar),
    /// A ciphertext, which files write as `{ secure: CIPHERTEXT }`.
    Secure(String),
    List(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// Reads a value. `time` is the text of dates in it.
    pub fn read(node: &Node, time: fn(&Time) -> String) -> Result<Self, SettingsError> {
        Ok(match &node.data {
            Data::Scalar { value, .. } => Self::Scalar(match value {
                Scalar::Float(number) if !number.is_finite() => {
                    return Err(node.at.error(SettingsErrorKind::NotFinite));
                }
                Scalar::Time(at) => Scalar::Text(time(at)),
                value => value.clone(),
            }),
            Data::List(items) => {
                let items = items.iter().map(|item| Self::read(item, time));
                Self::List(items.collect::<Result<_, _>>()?)
            }
            Data::Map(entries) => match entries.as_slice() {
                [(key, value)] if key.text == "secure" => match &value.data {
                    Data::Scalar { value: Scalar::Text(ciphertext), .. } => {
                        Self::Secure(ciphertext.clone())
                    }
                    _ => Self::object(node, time)?,
                },
                _ => Self::object(node, time)?,
            },
        })
    }

    fn object(node: &Node, time: fn(&Time) -> String) -> Result<Self, SettingsError> {
        let mut object = BTreeMap::new();
        for (key, value) in node.entries().unwrap_or_default() {
            object.insert(key.text.clone(), Self::read(value, time)?);
        }
        Ok(Self::Object(object))
    }

    /// Returns true if a part of the value is encrypted.
    pub fn is_secret(&self) -> bool {
        match self {
            Self::Scalar(_) => false,
            Self::Secure(_) => true,
            Self::List(items) => items.iter().any(Self::is_secret),
            Self::Object(entries) => entries.values().any(Self::is_secret),
        }
    }

    /// The text that a program receives.
    pub fn to_config(&self, crypter: Option<&Crypter>) -> ConfigValue {
        let text = match self {
            Self::Scalar(Scalar::Null) => Some(String::new()),
            Self::Scalar(scalar) => Some(scalar.to_string()),
            Self::Secure(ciphertext) => {
                decrypt(ciphertext, crypter, |plaintext| String::from_utf8(plaintext.to_vec()).ok())
            }
            Self::List(_) | Self::Object(_) => {
                let mut json = Zeroizing::new(String::new());
                let is_whole = self.write_json(&mut json, crypter).is_some();
                is_whole.then(|| std::mem::take(&mut *json))
            }
        };
        text.map_or(ConfigValue::Encrypted, ConfigValue::Text)
    }

    /// Appends the value as JSON; `None` if a part cannot be decrypted.
    fn write_json(&self, json: &mut String, crypter: Option<&Crypter>) -> Option<()> {
        match self {
            Self::Scalar(Scalar::Text(text)) => push_json_string(text.as_bytes(), json),
            // Inside of JSON, a number that no `i64` holds is a float.
            Self::Scalar(Scalar::Uint(number)) => {
                json.push_str(&Scalar::Float(*number as f64).to_string());
            }
            Self::Scalar(scalar) => json.push_str(&scalar.to_string()),
            Self::Secure(ciphertext) => decrypt(ciphertext, crypter, |plaintext| {
                push_json_string(plaintext, json);
                Some(())
            })?,
            Self::List(items) => {
                json.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        json.push(',');
                    }
                    item.write_json(json, crypter)?;
                }
                json.push(']');
            }
            Self::Object(entries) => {
                json.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    if at > 0 {
                        json.push(',');
                    }
                    push_json_string(key.as_bytes(), json);
                    json.push(':');
                    value.write_json(json, crypter)?;
                }
                json.push('}');
            }
        }
        Some(())
    }
}

/// Uses a plaintext, which is overwritten afterwards.
fn decrypt<T>(
    ciphertext: &str,
    crypter: Option<&Crypter>,
    take: impl FnOnce(&[u8]) -> Option<T>,
) -> Option<T> {
    let plaintext = crypter?.decrypt(ciphertext).ok()?;
    take(plaintext.unmarked())
}
