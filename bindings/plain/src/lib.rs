//! The front end and the code generators of PCL, as a WebAssembly module for any host.
//!
//! The module has no clock, file system or network, and needs nothing that a language of the host
//! has to bring. It exports four functions over its memory and imports two; they are in [`abi`].
//! A request is a header in JSON and the bytes of files, an answer is JSON: both are in
//! [`requests`]. `bindings/go` is the package for Go that is made of it.
//!
//! Invariants:
//! - An answer depends on the request and the schemas alone, not on earlier requests.
//! - A mistake of the host is an answer with a message. A trap is a bug, after which
//!   `pcl_last_panic` may have the message, and the instance must not be used any more.
//! - `unsafe` is in `abi.rs` alone.
//!
//! ```
//! use pcl_plain::requests::{Answer, Instance};
//!
//! let mut instance = Instance::new(|_| None);
//! let text = "size=length([1,2])\n";
//! let header = format!(r#"{{ "ask": "format", "files": [{{ "path": "", "size": {} }}] }}"#, text.len());
//! let mut request = (header.len() as u32).to_le_bytes().to_vec();
//! request.extend([header.as_bytes(), text.as_bytes()].concat());
//! let Answer::Done(json) = instance.answer(&request) else { panic!("it is a request") };
//! assert_eq!(json, br#""size = length([1, 2])\n""#);
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

pub mod abi;
pub mod requests;
