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

mod data;
mod decode;
mod encode;
mod place;

pub use data::{Struct, Value};
pub use decode::decode;
pub use encode::encode;

use crate::value::Sample;

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
#[must_use]
pub fn reserved(text: &str) -> Option<&'static str> {
    let mut unknowns = UNKNOWNS.iter();
    unknowns.find(|(reserved, _)| *reserved == text).map(|(reserved, _)| *reserved)
}

/// The special values that a message may contain; others are sent in another way.
///
/// | constant | messages |
/// |---|---|
/// | [`REGISTER`](WireOptions::REGISTER) | inputs of resources and components, reads, arguments of invokes, outputs of the stack; answers of invokes |
/// | [`OUTPUTS`](WireOptions::OUTPUTS) | replacement triggers, arguments of calls, outputs of components; answers of registrations, reads and calls |
/// | [`HOOK`](WireOptions::HOOK) | arguments of hooks |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireOptions {
    /// The treatment of unknown values.
    pub unknowns: Unknowns,
    /// Sends secrets as such; otherwise as their values.
    pub secrets: bool,
    /// Sends resource references as such; otherwise as the id, or without an id as the URN.
    pub resources: bool,
    /// Sends outputs as such; otherwise as their values, without dependencies.
    pub outputs: bool,
    /// Sends secrets and unknown values as outputs, if outputs are sent as such.
    pub upgrade_to_outputs: bool,
    /// Sends strings that are not UTF-8; otherwise they are errors. They are always read.
    pub byte_strings: bool,
    /// Leaves out properties that are null.
    pub skip_nulls: bool,
    /// Leaves out properties at the top whose names begin with two underscores.
    pub skip_internal: bool,
    /// Sends only the hashes of assets and archives.
    pub elide_contents: bool,
}

/// The treatment of unknown values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknowns {
    /// They are left out.
    #[default]
    Drop,
    /// They stay unknown.
    Keep,
    /// They are errors.
    Reject,
}

impl WireOptions {
    /// Everything but outputs as such.
    pub const REGISTER: Self = Self {
        unknowns: Unknowns::Keep,
        secrets: true,
        resources: true,
        outputs: false,
        upgrade_to_outputs: false,
        byte_strings: true,
        skip_nulls: false,
        skip_internal: false,
        elide_contents: false,
    };

    /// Everything.
    pub const OUTPUTS: Self = Self { outputs: true, ..Self::REGISTER };

    /// Secrets; unknown values are left out.
    pub const HOOK: Self =
        Self { unknowns: Unknowns::Drop, resources: false, byte_strings: false, ..Self::REGISTER };

    /// Returns true if secrets and unknown values are outputs.
    fn upgrades(&self) -> bool {
        self.outputs && self.upgrade_to_outputs
    }
}

/// Returns true for the name of a property that only engines and tools use.
fn is_internal(name: &str) -> bool {
    name.starts_with("__")
}
