//! Programs in Pulumi YAML as programs in PCL: the way in, as `pcl-yaml` is the way out.
//!
//! Laws:
//! - What the program in YAML says, that in PCL says too, or there is an error at its place in the
//!   YAML and no program.
//! - The program is formatted, and its comments and its order are those of the file.
//! - Nothing is executed or decrypted, and no file is read but those of [`Source`].
//! - No input makes this crate panic or recurse without limit.
//!
//! ```
//! use pcl::diagnostics::FileId;
//! use pcl::schema::MemoryLoader;
//! use pcl_from_yaml::{Request, convert};
//!
//! let mut schemas = MemoryLoader::default();
//! schemas.add(r#"{ "name": "zoo", "resources": { "zoo:index:Cage": {
//!     "inputProperties": { "bars": { "type": "integer" } } } } }"#)?;
//! let text = "\
//! config:
//!   bars: { type: integer, default: 12 }
//! resources:
//!   lions:
//!     type: zoo:Cage
//!     properties:
//!       bars: ${bars}
//! ";
//! let request = Request {
//!     text,
//!     file: FileId(0),
//!     others: &[],
//!     project: "shop",
//!     settings: &[],
//!     has_project: false,
//!     sdks: &[],
//!     loader: &schemas,
//! };
//! assert_eq!(convert(&request).text.unwrap(), r#"config bars int {
//!   default = 12
//! }
//!
//! resource lions "zoo:index:Cage" {
//!   bars = bars
//! }
//! "#);
//! # Ok::<(), pcl::schema::DocumentError>(())
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod check;
mod comments;
mod config;
mod converter;
mod function;
mod heredoc;
mod interpolation;
mod keys;
mod kubernetes;
mod mistakes;
mod options;
mod output;
mod packages;
mod plugin;
mod project;
mod request;
mod resource;
mod source;
mod template;
mod value;

pub use check::{Conversion, MAIN, Program};
pub use output::Places;
pub use project::{plugin_file, project_file};
pub use request::{Converted, ConvertedPlugin, Request};
pub use source::{ReadError, Source, SourceKind};

/// Converts manifests of Kubernetes: each object becomes a resource.
pub fn convert_manifests(request: &Request<'_>) -> Converted {
    kubernetes::convert(request)
}

/// Converts a plugin: each component becomes a program in a directory.
pub fn convert_plugin(request: &Request<'_>) -> ConvertedPlugin {
    plugin::convert(request)
}

/// Converts a program.
pub fn convert(request: &Request<'_>) -> Converted {
    template::convert(request)
}
