//! The front end of PCL, the Pulumi Configuration Language: parse, check, bind, lower and format
//! programs.
//!
//! This crate is the entry point for programs that embed the front end; the `pcl` command is built
//! on it. [`guide`] leads from the first line to a finished code generator. A complete one, built
//! on this crate alone, is `generators/yaml`: it writes Pulumi YAML, and its tests compare
//! its output with the model.
//!
//! | to | use |
//! |---|---|
//! | check and bind programs that share settings and schemas | [`Workspace::check`]; [`in_order`] for many at a time |
//! | check programs in memory | [`MemoryFiles`] |
//! | find the programs below a directory | `Walk` (feature `walk`) |
//! | apply the fixes of diagnostics | [`Workspace::fix`] |
//! | show diagnostics, and explain them | [`render::Format`], [`explain::explain`] |
//! | read what a program means | [`Checked::document`], see [`document`] |
//! | work on the bound program itself | [`Checked::program`], described in [`binder`] and [`model`] |
//! | draw what depends on what | [`graph::Graph`] |
//! | rewrite it for a target language | [`lower`] |
//! | evaluate a program without an engine | `preview` (feature `run`) |
//! | run it against an engine | `eval` (feature `run`) |
//! | read the components of a package, and infer its schema | [`ComponentPackage::find`] |
//! | read `pcl.toml` | [`config::Discovery`] |
//! | name things in generated code | [`names`] |
//! | parse without binding | [`syntax::parse`] |
//! | lay files out | [`mod@format`] |
//! | dump trees and models | [`render::bound_json`], [`render::tree_json`], [`document::Document::to_json`] |
//! | look into package schemas | [`schema`], [`schema_view`], [`check_schema`] |
//!
//! Laws:
//! - No input makes it panic. Every error, an unreadable file included, is a diagnostic with a
//!   code, a file and a range.
//! - Nothing is printed and no state is global. Nothing is executed and no network is used, unless
//!   [`SchemaPlaces`] names plugins or a service.
//! - The same input gives the same answer, at any number of threads.
//!
//! ```
//! use pcl::{Settings, Target, Workspace, render::Format};
//!
//! let workspace = Workspace::new(Settings::default());
//! let checked = workspace.check(&Target::text("main.pp", "size = lenght([1, 2])\n"));
//! assert!(!checked.is_valid());
//! let text = Format::Concise.render(&checked.report, false);
//! assert!(text.starts_with(b"main.pp:1:8: error[PCL0601] "));
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

mod add_ignore;
mod component_package;
pub mod config;
pub mod document;
pub mod explain;
mod fix;
pub mod generated;
pub mod graph;
pub mod guide {
    #![doc = include_str!("../guide.md")]
}
#[cfg(feature = "run")]
mod known;
mod memory_files;
pub mod names;
mod parallel;
#[cfg(feature = "state")]
pub mod plan;
#[cfg(feature = "run")]
pub mod preview;
mod project;
mod renames;
pub mod render;
mod schema_directories;
pub mod schema_view;
mod schemas;
#[cfg(feature = "state")]
pub mod state;
#[cfg(feature = "run")]
mod trial;
mod unformatted;
#[cfg(feature = "walk")]
mod walk;
mod whole_program;
mod workspace;

pub use add_ignore::{Ignored, ignore_edits};
pub use component_package::{Component, ComponentPackage, Inferred};
pub use fix::line_end;
pub use fix::{Fixed, FixedFile, Fixes};
#[cfg(feature = "run")]
pub use known::known_values;
pub use memory_files::MemoryFiles;
pub use parallel::{STACK_SIZE, in_order};
pub use pcl_binder as binder;
pub use pcl_diagnostics as diagnostics;
#[cfg(feature = "run")]
pub use pcl_eval as eval;
pub use pcl_format as format;
#[cfg(feature = "state")]
pub use pcl_import as import;
pub use pcl_language as language;
pub use pcl_lower as lower;
pub use pcl_model as model;
#[cfg(feature = "remote")]
pub use pcl_remote as remote;
pub use pcl_schema as schema;
#[cfg(feature = "run")]
pub use pcl_values as values;
pub use project::program_directories;
pub use project::repository_of;
pub use project::{program_of, project_of};
pub use schema_directories::SchemaDirectories;
pub use schemas::{SchemaFile, SchemaPlaces};
pub use schemas::{check_schema, check_schema_changes, check_schema_text};
#[cfg(feature = "run")]
pub use trial::Avoidable;
pub use unformatted::unformatted;
#[cfg(feature = "walk")]
pub use walk::{Excludes, Found, FoundProgram, InvalidGlob, Walk};
pub use workspace::{Checked, Settings, Target, Workspace};

/// Tokens, trees and typed views of PCL (`pcl-syntax`), parsed with the recognition of other
/// languages (`pcl-newcomers`).
pub mod syntax {
    pub use pcl_newcomers::{parse, parse_bytes, parse_expression};
    pub use pcl_syntax::*;
}
