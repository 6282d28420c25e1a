//! The states of stacks, as Pulumi writes them: the deployment format, versions 3 and 4.
//!
//! [`State::read`] reads what `pulumi stack export` prints. Nothing is decoded before it is asked
//! for: a [`State`] is its text with an index of 12 bytes for each value, and a [`Resource`] or a
//! [`Property`](value::Property) is a view of a place in it. So every value has a position, unknown
//! fields stay what they are, and a state of any size costs little more than its text.
//!
//! Laws:
//! - Writing a state and reading it again gives the same state, with the fields that this crate
//!   does not know.
//! - Secrets stay encrypted unless the caller has their key, and no diagnostic or `Debug` prints
//!   one, encrypted or not.
//! - Everything that is wrong with a state is a diagnostic with a code, a range and the JSON
//!   pointer of the place. A state without errors can be walked in its order: whatever a resource
//!   needs stands before it.
//! - No input makes this crate panic or recurse without limit, and all work takes time in
//!   proportion to the state.
//!
//! ```
//! use pcl_diagnostics::SourceMap;
//! use pcl_state::State;
//!
//! let text = r#"{ "version": 3, "deployment": { "resources": [
//!     { "urn": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "custom": false,
//!       "type": "pulumi:pulumi:Stack" },
//!     { "urn": "urn:pulumi:dev::shop::zoo:index:Cage::lions", "custom": true, "id": "c-1",
//!       "type": "zoo:index:Cage", "inputs": { "bars": 12 },
//!       "parent": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-devil" } ] } }"#;
//! let mut sources = SourceMap::new();
//! let file = sources.add("state.json", text);
//! let read = State::read(sources.text(file).clone(), file);
//!
//! // The parent is misspelled.
//! let [error] = &read.diagnostics[..] else { panic!() };
//! assert_eq!(sources.position(file, error.primary.range.start()).line, 6);
//! assert_eq!(error.notes[0], "at /deployment/resources/1/parent");
//!
//! let state = read.state.unwrap();
//! let lions = state.resources().last().unwrap();
//! assert_eq!((&*lions.urn(), lions.id().as_deref()), ("urn:pulumi:dev::shop::zoo:index:Cage::lions", Some("c-1")));
//! assert_eq!(lions.inputs().unwrap().get("bars").unwrap().number(), Some(12.0));
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod check;
mod integrity;
pub mod json;
mod mask;
mod resource;
mod shape;
mod state;
pub mod value;
mod write;

pub use mask::masked;
pub use pcl_secrets::SecretsError;
pub use resource::{DELETED, Need, NeedKind, Resource};
pub use state::{Operation, Read, SecretsProvider, State};
pub use value::Keys;
pub use write::Secrets;

/// The largest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 30;
