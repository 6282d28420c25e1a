//! The values of a configuration, and the texts that a program receives for them.

use std::collections::BTreeMap;

use pcl_schema::yaml::{Data, Key, Node, Scalar};
use pcl_values::push_json_string;
use zeroize::Zeroizing;

use crate::error::{SettingsError, SettingsErrorKind, error};
use crate::{ConfigValue, Crypter};

/// A value as a file has it. Secrets are encrypted.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// Anything but a text. A number is finite.
    Scalar(Scalar),
    Text(String),
    /// A ciphertext, which files write as `{ secure: CIPHERTEXT }`.
    Secure(String),
    List(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// Reads a value. Those of a project have only keys that are strings, and Pulumi writes the
    /// dates in them otherwise.
    pub fn read(node: &Node, is_of_project: bool) -> Result<Self, SettingsError> {
        Ok(match &*node.data {
            Data::Scalar(Scalar::Float(number), _) if !number.is_finite() => {
                return Err(error(node.at, SettingsErrorKind::NotFinite));
            }
            Data::Scalar(Scalar::Time(time), _) if is_of_project => Self::Text(time.rfc_3339()),
            Data::Scalar(Scalar::Time(time), _) => Self::Text(time.to_string()),
            Data::Scalar(scalar, _) => Self::Scalar(*scalar),
            Data::Text(text) => Self::Text(text.clone()),
            Data::List(items) => {
                let items = items.iter().map(|item| Self::read(item, is_of_project));
                Self::List(items.collect::<Result<_, _>>()?)
            }
            Data::Map(entries) => {
                if let [(key, value)] = entries.as_slice()
                    && key.text == "secure"
                    && let Some(ciphertext) = value.text()
                {
                    return Ok(Self::Secure(ciphertext.to_owned()));
                }
                let entry = |(key, value): &(Key, Node)| {
                    let name = match key.scalar {
                        None => key.text.clone(),
                        Some(scalar @ (Scalar::Bool(_) | Scalar::Int(_) | Scalar::Uint(_)))
                            if !is_of_project =>
                        {
                            scalar.to_string()
                        }
                        Some(_) => return Err(error(key.at, SettingsErrorKind::Key)),
                    };
                    Ok((name, Self::read(value, is_of_project)?))
                };
                Self::Object(entries.iter().map(entry).collect::<Result<_, _>>()?)
            }
        })
    }

    /// Returns true if a part of the value is encrypted.
    pub fn is_secret(&self) -> bool {
        match self {
            Self::Scalar(_) | Self::Text(_) => false,
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
            Self::Text(text) => Some(text.clone()),
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
            Self::Text(text) => push_json_string(text.as_bytes(), json),
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
