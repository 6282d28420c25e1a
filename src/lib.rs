//! The front end of PCL, the Pulumi Configuration Language: parse, check and bind programs.
//!
//! This crate is the door for programs that embed the front end; the `pcl` command is made of it. A [`Workspace`] checks
//! programs that share settings and schemas, [`in_order`] does it for many at a time, [`render`] turns findings into text. What a
//! program means is in [`Checked::program`], described in [`binder`] and [`model`].
//!
//! Laws:
//! - No input makes it panic. What is wrong, an unreadable file included, is a diagnostic with a code, a file and a range.
//! - Nothing is printed and no state is global. Nothing is executed and no network is used, unless [`SchemaPlaces`] names plugins or a service.
//! - The same input gives the same answer, at any number of threads.
//!
//! ```
//! use pcl::{Settings, Target, Workspace, render::Format};
//!
//! let workspace = Workspace::new(Settings::default());
//! let checked = workspace.check(&Target::Memory {
//!     path: "demo".to_owned(),
//!     directory: None,
//!     files: vec![("main.pp".to_owned(), b"size = lenght([1, 2])\n".to_vec())],
//! });
//! assert!(!checked.is_valid());
//! let text = Format::Concise.render(&checked.report(), false);
//! assert!(text.starts_with(b"main.pp:1:8: error[PCL0601] "));
//! ```

pub mod document;
mod find;
pub mod format;
mod in_order;
pub mod names;
#[cfg(feature = "remote")]
mod project_plugins;
pub mod render;
mod schema_check;
pub mod schema_view;
mod schemas;
mod verdict;
mod workspace;

pub use find::find_programs;
pub use in_order::in_order;
pub use pcl_binder as binder;
pub use pcl_diagnostics as diagnostics;
pub use pcl_lower as lower;
pub use pcl_model as model;
#[cfg(feature = "remote")]
pub use pcl_remote as remote;
pub use pcl_schema as schema;
pub use pcl_syntax as syntax;
pub use schema_check::{CheckedSchema, check_schema, check_schema_text};
pub use schemas::{SchemaFile, SchemaPlaces};
pub use verdict::{Compat, Level, Levels};
pub use workspace::{Checked, Settings, Target, Workspace};
