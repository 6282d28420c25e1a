//! The values of a running PCL program, the names of its resources, and the form in which both
//! travel to the engine.
//!
//! Laws:
//! - No computation loses a secret or a dependency, and none makes an unknown value known
//!   ([`Output`]).
//! - Secrets in values are never printed, neither by `Debug` nor by `Display` nor in an error. What
//!   does not know its marks prints nothing: texts, assets and archives.
//! - What is sent and read again is the same value, if the options keep everything in it. Values
//!   that the receiver would misread are refused ([`wire::encode`]).
//! - Text is what the program wrote: nothing is normalised, and bytes need not be UTF-8 ([`Text`]).
//! - Nothing here opens a file or a connection; the caller supplies contents ([`Contents`]).
//! - No input makes this crate panic or recurse without limit, as long as values nest at most
//!   [`MAX_DEPTH`] levels.
//!
//! ```
//! use pcl_values::{
//!     Asset, Dependencies, Output, PropertyMap, PropertyValue, Urn, WireOptions, wire,
//! };
//!
//! // A resource has a name, and values may depend on it.
//! let vault = Urn::new("dev", "shop", "", "zoo:index/vault:Vault", "keys");
//! let on_vault = Dependencies::on(vault);
//!
//! // Computing with outputs keeps what they know.
//! let key = Output::known("t0p").with_secret(true).with_dependencies(on_vault.clone());
//! let url = key.apply(|key| PropertyValue::from(format!("https://zoo/{key}")));
//! assert!(url.is_secret() && *url.dependencies() == on_vault);
//!
//! // Inputs of a resource are property values.
//! let inputs = PropertyMap::from_iter([
//!     ("url".into(), url.into()),
//!     ("readme".into(), Asset::text("hello\n".into()).into()),
//! ]);
//! let shown = PropertyValue::from(inputs.clone()).to_string();
//! assert_eq!(shown, r#"{"readme":[asset "hello\n"],"url":[secret]}"#);
//!
//! // They are sent as a message, which depends on what its reader understands.
//! let message = wire::encode(&inputs, &WireOptions::OUTPUTS)?;
//! assert_eq!(wire::decode(&message, &WireOptions::OUTPUTS)?, inputs);
//! # Ok::<(), Box<dyn std::error::Error>>(())
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

mod asset;
mod dependencies;
mod error;
mod output;
mod path;
mod reference;
mod shown;
mod text;
mod urn;
mod value;
pub mod wire;

pub use asset::{
    Archive, ArchiveSource, Asset, AssetSource, Content, Contents, Entry, Member, NOT_READ,
    NoContents,
};
pub use dependencies::Dependencies;
pub use error::{ContentError, ContentErrorKind, PathError, Special, WireError, WireErrorKind};
pub use output::Output;
pub use path::{Key, PropertyPath};
pub use pcl_number::{Number, NumberError};
pub use reference::{
    Alias, AliasParent, AliasSpec, ProviderReference, ResourceId, ResourceReference,
};
pub use shown::push_json_string;
pub use text::{Text, Unmarked};
pub use urn::Urn;
pub use value::{MAX_DEPTH, PropertyMap, PropertyValue, Sample};
pub use wire::WireOptions;
