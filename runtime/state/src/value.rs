//! Property values in states: JSON with special values, which are objects with the key
//! [`SIGNATURE`].
//!
//! A [`Property`] is one level of a value. A secret holds the JSON text of its value, encrypted or
//! not; [`Secret::unmarked`] reads it.
//!
//! The rules, with examples: `tests/spec/state/value.md`.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_secrets::{Crypter, SecretsError};
use pcl_values::wire::{ARCHIVE, ASSET, BYTES, OUTPUT, RESOURCE, SECRET, SIGNATURE, reserved};

use crate::json::{Kind, Tree, Value};
use crate::state::State;

/// The signature of a number that JSON does not have.
pub const FLOAT: &str = "8ad145fe-0d11-4827-bfd7-1abcbf086f5c";

/// A property value, one level of it.
#[derive(Clone, Debug)]
pub enum Property<'s> {
    /// The absence of a value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, which may be infinite or not a number.
    Number(f64),
    /// A string.
    String(Cow<'s, str>),
    /// A string that is not UTF-8.
    Bytes(Vec<u8>),
    /// A list; its elements are property values.
    List(Value<'s>),
    /// An object; its entries are property values.
    Object(Value<'s>),
    /// A blob.
    Asset(Content<'s>),
    /// A collection of blobs.
    Archive(Content<'s>),
    /// A secret.
    Secret(Secret<'s>),
    /// A reference to a resource.
    Resource {
        /// The URN.
        urn: Cow<'s, str>,
        /// The id, if the resource has one and it is known.
        id: Option<Cow<'s, str>>,
    },
    /// A value that was unknown when the state was written.
    Unknown,
}

/// The content of an asset or an archive.
#[derive(Clone, Debug)]
pub enum Content<'s> {
    /// The text of an asset.
    Text(Cow<'s, str>),
    /// The members of an archive: an object of assets and archives.
    Members(Value<'s>),
    /// A file, or the directory of an archive.
    Path(Cow<'s, str>),
    /// An address.
    Uri(Cow<'s, str>),
    /// Content that the state does not keep: only its hash is known.
    Absent,
}

/// A secret: the JSON text of its value. `Debug` prints neither form, and the value has one getter,
/// [`Secret::unmarked`], whose users `tests/architecture` lists.
#[derive(Clone)]
pub struct Secret<'s>(Form<'s>);

#[derive(Clone)]
enum Form<'s> {
    /// The text, encrypted by the secrets provider of the stack.
    Encrypted(Cow<'s, str>),
    /// The text.
    Plain(Cow<'s, str>),
}

impl Secret<'_> {
    /// The value, as a text of its own; `None` if it is encrypted with another key, or is not JSON.
    /// Secrets inside it are in plain text.
    pub fn unmarked(&self, keys: &Keys) -> Option<Tree> {
        let text = match &self.0 {
            Form::Plain(text) => text.clone().into_owned(),
            Form::Encrypted(text) => keys.decrypt(text)?,
        };
        Tree::read(text.into()).ok().map(Tree::secret)
    }
}

impl std::fmt::Debug for Secret<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[secret]")
    }
}

/// The keys of the secrets of a state. Without any, only those in plain text can be opened.
#[derive(Clone, Debug, Default)]
pub struct Keys(Option<Crypter>);

impl Keys {
    /// The keys of a state whose secrets are encrypted with a passphrase. States with other secrets
    /// providers stay closed. Deriving the key takes a good part of a second.
    ///
    /// # Errors
    /// Returns an error if the state of the secrets provider is malformed, or of another
    /// passphrase.
    pub fn with_passphrase(state: &State, passphrase: &str) -> Result<Self, SecretsError> {
        match state.secrets_provider().and_then(|it| it.salt) {
            Some(salt) => Crypter::open(passphrase, &salt).map(Some).map(Self),
            None => Ok(Self::default()),
        }
    }

    /// The text of a ciphertext.
    pub(crate) fn decrypt(&self, ciphertext: &str) -> Option<String> {
        let opened = self.0.as_ref()?.decrypt(ciphertext).ok()?;
        let text = std::str::from_utf8(opened.unmarked());
        text.ok().map(str::to_owned)
    }
}

/// The reason why a special value cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The signature is not one that states have.
    Signature,
    /// The kind of special value needs this part, of this kind.
    Part {
        /// The special value, with its article.
        of: &'static str,
        /// The key of the part.
        name: &'static str,
        /// The kind that is expected, with its article.
        expected: &'static str,
    },
    /// A secret has neither of the two forms, or both.
    SecretForms,
}

impl<'s> Property<'s> {
    /// Reads one level of a value.
    ///
    /// # Errors
    /// Returns the reason for special values without their parts. Parts that are wrong for other
    /// reasons are read as Pulumi reads them.
    pub fn read(value: Value<'s>) -> Result<Self, Malformed> {
        Ok(match value.kind() {
            Kind::Null => Self::Null,
            Kind::Bool => Self::Bool(value.boolean().unwrap_or_default()),
            Kind::Number => Self::Number(value.number().unwrap_or_default()),
            Kind::String => {
                let text = value.string().unwrap_or_default();
                match reserved(&text) {
                    Some(_) => Self::Unknown,
                    None => Self::String(text),
                }
            }
            Kind::List => Self::List(value),
            Kind::Object => match value.get(SIGNATURE) {
                // A secret whose signature has the wrong key must not be taken for plain data.
                None if is_like_secret(value) => return Err(Malformed::Signature),
                None => Self::Object(value),
                Some(signature) => Self::special(value, signature.string().as_deref())?,
            },
        })
    }

    fn special(value: Value<'s>, signature: Option<&str>) -> Result<Self, Malformed> {
        let text = |of: &'static str, name: &'static str, expected: &'static str| {
            let part = value.present(name).and_then(Value::string);
            part.ok_or(Malformed::Part { of, name, expected })
        };
        match signature {
            Some(ASSET) => Ok(Self::Asset(content(value, "an asset", "text")?)),
            Some(ARCHIVE) => Ok(Self::Archive(content(value, "an archive", "assets")?)),
            Some(SECRET) => {
                let (plain, encrypted) = (value.present("plaintext"), value.present("ciphertext"));
                let secret = match (plain, encrypted) {
                    (Some(_), None) => {
                        Form::Plain(text("a secret", "plaintext", "a string of JSON")?)
                    }
                    (None, Some(_)) => Form::Encrypted(text("a secret", "ciphertext", "a string")?),
                    _ => return Err(Malformed::SecretForms),
                };
                Ok(Self::Secret(Secret(secret)))
            }
            Some(RESOURCE) => {
                let urn = text("a resource reference", "urn", "a string")?;
                let id = match value.present("id") {
                    None => None,
                    // The form of older releases.
                    Some(id) if id.kind() == Kind::Object => id.get("V").and_then(Value::string),
                    Some(id) => Some(id.string().ok_or(Malformed::Part {
                        of: "a resource reference",
                        name: "id",
                        expected: "a string",
                    })?),
                };
                let id = id.filter(|id| !id.is_empty() && reserved(id).is_none());
                Ok(Self::Resource { urn, id })
            }
            Some(FLOAT) => {
                let expected = "16 hexadecimal digits";
                let digits = text("a number", "value", expected)?;
                let bits = u64::from_str_radix(&digits, 16).ok();
                let bits = bits.filter(|_| digits.len() == 16);
                let malformed = Malformed::Part { of: "a number", name: "value", expected };
                Ok(Self::Number(f64::from_bits(bits.ok_or(malformed)?)))
            }
            Some(BYTES) => {
                let expected = "a string of base64";
                let digits = text("a string of bytes", "value", expected)?;
                let malformed =
                    |_| Malformed::Part { of: "a string of bytes", name: "value", expected };
                Ok(Self::Bytes(STANDARD.decode(&*digits).map_err(malformed)?))
            }
            // Pulumi writes the values of outputs; some engines have written outputs as such.
            Some(OUTPUT) => match value.present("value") {
                Some(inner) if is_secret_output(value) => {
                    Ok(Self::Secret(Secret(Form::Plain(inner.raw().into()))))
                }
                Some(inner) if inner.get(SIGNATURE).is_none() => Self::read(inner),
                Some(_) => Err(Malformed::Signature),
                None => Ok(Self::Unknown),
            },
            _ => Err(Malformed::Signature),
        }
    }
}

/// Returns true for the parts of an output that is secret.
fn is_secret_output(output: Value<'_>) -> bool {
    let mark = output.present("secret");
    mark.is_some_and(|mark| mark.boolean() != Some(false))
}

/// Returns true for an object that is a secret but for its signature.
fn is_like_secret(object: Value<'_>) -> bool {
    let has_signature = |(_, part): (_, Value<'_>)| {
        part.raw().get(1..).and_then(|raw| raw.strip_suffix('"')) == Some(SECRET)
    };
    let is_json = |text: Cow<'_, str>| text.starts_with(['"', '{', '[']);
    let has_plaintext = |part: Value<'_>| part.string().is_some_and(is_json);
    object.entries().any(has_signature) || object.get("plaintext").is_some_and(has_plaintext)
}

fn content<'s>(
    value: Value<'s>,
    of: &'static str,
    literal: &'static str,
) -> Result<Content<'s>, Malformed> {
    let text = |name: &'static str| match value.present(name) {
        None => Ok(None),
        Some(part) => {
            part.string().map(Some).ok_or(Malformed::Part { of, name, expected: "a string" })
        }
    };
    if literal == "assets"
        && let Some(members) = value.present(literal)
    {
        return match members.kind() {
            Kind::Object => Ok(Content::Members(members)),
            _ => Err(Malformed::Part { of, name: literal, expected: "an object" }),
        };
    }
    if literal == "text"
        && let Some(text) = text(literal)?
    {
        return Ok(Content::Text(text));
    }
    if let Some(path) = text("path")?.filter(|path| !path.is_empty()) {
        return Ok(Content::Path(path));
    }
    Ok(match text("uri")?.filter(|uri| !uri.is_empty()) {
        Some(uri) => Content::Uri(uri),
        None => Content::Absent,
    })
}
