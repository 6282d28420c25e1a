//! The form in which values travel: `google.protobuf.Struct` with special values in it.
//!
//! An object with the key [`SIGNATURE`] is a special value, and some strings stand for unknown
//! values. Which of them a message may contain depends on who reads it: [`WireOptions`].
//!
//! ```
//! use pcl_values::{PropertyMap, PropertyValue, WireOptions, wire};
//! let properties = PropertyMap::from_iter([
//!     ("name".into(), PropertyValue::from("web").secret()),
//!     ("size".into(), PropertyValue::UNKNOWN),
//! ]);
//! let sent = wire::encode(&properties, &WireOptions::REGISTER)?;
//! assert_eq!(wire::decode(&sent, &WireOptions::REGISTER)?, properties);
//! assert!(matches!(&sent["size"], wire::Value::String(text) if &**text == wire::UNKNOWN_STRING));
//! # Ok::<(), pcl_values::WireError>(())
//! ```

mod decode;
mod encode;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use decode::decode;
pub use encode::encode;

use crate::error::{WireError, WireErrorKind};
use crate::path::Key;
use crate::value::{MAX_DEPTH, Sample};

/// The fields of a message, `google.protobuf.Struct`.
pub type Struct = BTreeMap<String, Value>;

/// A value of a message, `google.protobuf.Value`.
///
/// [`Debug`] prints `[secret]` instead of secrets.
#[derive(Clone, Default, PartialEq)]
pub enum Value {
    /// Null.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, which may be infinite or NaN.
    Number(f64),
    /// A string.
    String(Arc<str>),
    /// A list.
    List(Vec<Value>),
    /// Named values.
    Struct(Struct),
}

/// The key that makes an object a special value.
pub const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";

/// The signature of a secret.
pub const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
/// The signature of an asset.
pub const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
/// The signature of an archive.
pub const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";
/// The signature of a resource reference.
pub const RESOURCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";
/// The signature of an output.
pub const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
/// The signature of a string that is not UTF-8.
pub const BYTES: &str = "803fd3297a5875dc03ca845dda5d2a98";

/// The string that stands for an unknown string, or for an unknown value of unknown kind.
pub const UNKNOWN_STRING: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// The strings that stand for unknown values.
const UNKNOWNS: [(&str, Sample); 7] = [
    ("1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", Sample::Bool),
    ("3eeb2bf0-c639-47a8-9e75-3b44932eb421", Sample::Number),
    (UNKNOWN_STRING, Sample::String),
    ("6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", Sample::Array),
    ("030794c1-ac77-496b-92df-f27374a8bd58", Sample::Asset),
    ("e48ece36-62e2-4504-bad9-02848725956a", Sample::Archive),
    ("dd056dcd-154b-4c76-9bd3-c8f88648b5ff", Sample::Object),
];

/// The reserved text that a string is: one that stands for an unknown value.
///
/// A program must not contain it: it would be read as what it stands for.
pub fn reserved(text: &str) -> Option<&'static str> {
    let mut unknowns = UNKNOWNS.iter();
    unknowns.find(|(reserved, _)| *reserved == text).map(|(reserved, _)| *reserved)
}

/// The special values that a message may contain; others are sent in another way.
///
/// | constant | messages |
/// |---|---|
/// | [`REGISTER`](WireOptions::REGISTER) | those of hosts before 3.274 that hold inputs of resources; those of providers that take no outputs |
/// | [`OUTPUTS`](WireOptions::OUTPUTS) | requests of a program; their answers |
/// | [`HOOK`](WireOptions::HOOK) | arguments of hooks |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireOptions {
    /// Keeps unknown values; otherwise they are left out.
    pub unknowns: bool,
    /// Keeps resource references; otherwise they are the id, or without an id the URN.
    pub resources: bool,
    /// Keeps outputs; otherwise they are their values, without dependencies.
    pub outputs: bool,
}

impl WireOptions {
    /// Everything but outputs.
    pub const REGISTER: Self = Self { unknowns: true, resources: true, outputs: false };

    /// Everything.
    pub const OUTPUTS: Self = Self { outputs: true, ..Self::REGISTER };

    /// Values and secrets alone.
    pub const HOOK: Self = Self { unknowns: false, resources: false, outputs: false };
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
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
            OUTPUT => fields.get("secret").is_some_and(|it| *it != Value::Bool(false)),
            _ => false,
        },
        _ => false,
    }
}

/// A place in a message, linked to the place around it: it costs nothing until there is an error.
#[derive(Clone, Copy)]
struct Place<'p> {
    outer: Option<&'p Place<'p>>,
    step: Step<'p>,
    depth: usize,
}

/// The step from the outer place to a place.
#[derive(Clone, Copy)]
enum Step<'p> {
    Name(&'p str),
    Index(usize),
    /// The value of a secret: steps behind it are not named.
    Secret,
    /// A part of a special value.
    Part,
}

impl<'p> Place<'p> {
    /// The whole message.
    const TOP: Self = Self { outer: None, step: Step::Part, depth: 0 };

    /// The value of a name.
    fn name(&'p self, name: &'p str) -> Self {
        self.step(Step::Name(name))
    }

    /// An element of a list.
    fn index(&'p self, index: usize) -> Self {
        self.step(Step::Index(index))
    }

    /// The value of a secret.
    fn secret(&'p self) -> Self {
        self.step(Step::Secret)
    }

    /// The same place as one in a secret.
    fn hidden(&'p self) -> Self {
        Self { depth: self.depth, ..self.secret() }
    }

    /// The value of an output.
    fn part(&'p self) -> Self {
        self.step(Step::Part)
    }

    fn step(&'p self, step: Step<'p>) -> Self {
        Self { outer: Some(self), step, depth: self.depth + 1 }
    }

    /// Fails if the place is too deep.
    fn check_depth(&self) -> Result<(), WireError> {
        if self.depth > MAX_DEPTH { Err(self.error(WireErrorKind::TooDeep)) } else { Ok(()) }
    }

    /// Returns true if a secret is around the place.
    fn is_secret(&self) -> bool {
        let is_secret = |place: &&Place<'_>| matches!(place.step, Step::Secret);
        self.outwards().find(is_secret).is_some()
    }

    /// The error of the value at this place.
    fn error(&self, kind: WireErrorKind) -> WireError {
        let mut keys = Vec::new();
        for place in self.outwards() {
            match place.step {
                Step::Name(name) => keys.push(Key::from(name)),
                Step::Index(index) => keys.push(Key::from(index)),
                Step::Secret => keys.clear(),
                Step::Part => {}
            }
        }
        keys.reverse();
        WireError { path: keys.into_iter().collect(), kind }
    }

    fn outwards(&self) -> impl Iterator<Item = &Place<'_>> {
        std::iter::successors(Some(self), |place| place.outer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_printed() {
        let secret = |signature: &str| {
            Value::Struct(Struct::from([
                (SIGNATURE.into(), signature.into()),
                ("secret".into(), Value::Bool(true)),
                ("value".into(), "t0p".into()),
            ]))
        };
        for value in [secret(SECRET), secret(OUTPUT)] {
            assert_eq!(format!("{:?}", Value::List(vec![value])), "[[secret]]");
        }
    }
}
