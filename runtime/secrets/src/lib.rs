//! The configuration and the secrets of stacks, as Pulumi keeps them in local files.
//!
//! [`StackSettings`] reads `Pulumi.STACK.yaml`, and [`ProjectSettings`] the defaults in
//! `Pulumi.yaml`. Together they are the configuration of a program: one text for each key, as a
//! program receives it. A [`Crypter`] opens what is encrypted with a passphrase.
//!
//! Laws:
//! - The texts are those that Pulumi passes to a program: numbers, dates and JSON are written as it
//!   writes them.
//! - A ciphertext with a changed byte is never decrypted.
//! - Keys and plaintexts are overwritten when they are dropped; a text that the caller receives as
//!   part of the configuration is the caller's. `Debug` and errors print neither.
//! - Nothing here reads a file, the environment or a terminal; the caller supplies texts and the
//!   passphrase.
//! - No input makes this crate panic or recurse without limit. Deriving a key takes about a million
//!   steps, as the format requires; everything else takes time in proportion to the input.
//!
//! ```
//! use pcl_secrets::{ProjectSettings, StackSettings};
//!
//! let stack = "config:\n  shop:sizes: [1, 2.50]\n  token:\n    secure: v1:c2FsdA==:dGV4dA==\n";
//! let stack = StackSettings::read(stack)?;
//! let project = ProjectSettings::read("name: shop\nconfig:\n  region: north\n")?;
//! let config = project.config(&stack, None);
//! let shown: Vec<String> = config.iter().map(|entry| format!("{entry:?}")).collect();
//! assert_eq!(
//!     shown,
//!     [r#"shop:region = "north""#, r#"shop:sizes = "[1,2.5]""#, "shop:token = [encrypted]"]
//! );
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

#[cfg(feature = "crypter")]
mod crypter;
mod error;
mod project;
mod secret;
mod stack;
mod value;

#[cfg(feature = "crypter")]
pub use crypter::Crypter;
pub use error::{SecretsError, SettingsError, SettingsErrorKind};
pub use project::ProjectSettings;
#[cfg(not(feature = "crypter"))]
pub use secret::Crypter;
pub use secret::Secret;
pub use stack::{ConfigEntry, ConfigValue, StackSettings};
