//! The secrets of stacks, as Pulumi keeps them in local files.
//!
//! Laws:
//! - A ciphertext with a changed byte is never decrypted.
//! - Keys and plaintexts are overwritten when they are dropped. `Debug` and errors print neither.
//! - Nothing here reads a file, the environment or a terminal; the caller supplies the passphrase.
//! - No input makes this crate panic. Deriving a key takes about a million steps, as the format
//!   requires.
//!
//! ```
//! use pcl_secrets::Crypter;
//!
//! let crypter = Crypter::create("correct horse")?;
//! let token = crypter.encrypt("t0p s3cret")?;
//! let crypter = Crypter::open("correct horse", crypter.state().unwrap_or_default())?;
//! assert_eq!(crypter.decrypt(&token)?.as_str(), Some("t0p s3cret"));
//! # Ok::<(), pcl_secrets::SecretsError>(())
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

mod crypter;
mod error;
mod secret;

pub use crypter::Crypter;
pub use error::SecretsError;
pub use secret::Secret;
