//! Binds PCL programs to a semantic model: from the files of a directory to nodes with types,
//! references and an order.
//!
//! Laws:
//! - A [`Program`] always exists. A node or expression that failed to bind has the error type, and
//!   its uses are not reported again.
//! - Every diagnostic has a code, a file and a range; diagnostics come in the order of the text.
//! - The same files give the same program and the same diagnostics.
//! - No program or schema makes the binder panic, or recurse deeper than the parser allows
//!   expressions to nest.
//!
//! The steps, each in the file of its name: [`Sources`] reads and parses the files; `module` binds
//! one directory; `declare` creates a node for each top-level item; `references` finds the names
//! that each node uses, and `dependencies` the nodes behind them; `order` sorts the nodes; `block`
//! has one file for each kind of block, of which [`pcl_language`] tells what each may contain;
//! `lint` checks the finished module. Each rule ends with its messages; `wording` has what they
//! share.
//!
//! ```
//! use std::sync::Arc;
//! use pcl_binder::{NodeKind, Options, Sources, bind};
//! use pcl_diagnostics::SourceMap;
//! use pcl_schema::MemoryLoader;
//!
//! let mut map = SourceMap::new();
//! let text = "names = [\"ada\", \"alan\"]\noutput first { value = names[0] }\n";
//! let sources = Sources::from_texts([("main.pp", text)], &mut map);
//! let mut bound = bind(&sources, &mut map, Arc::new(MemoryLoader::default()), &Options::default());
//! assert!(bound.diagnostics.is_empty());
//!
//! let names = bound.program.module.find(NodeKind::Local, "names").unwrap();
//! let ty = bound.program.module.node(names).ty;
//! assert_eq!(bound.program.types.pretty(ty), "(\"ada\", \"alan\")");
//! let first = bound.program.module.find(NodeKind::Output, "first").unwrap();
//! assert_eq!(bound.program.module.dependencies(first), [names]);
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

mod bind;
mod binder;
mod block;
mod declare;
mod declared_names;
mod dependencies;
pub mod edition;
mod habits;
mod invoke;
mod lint;
mod member;
mod module;
mod node;
mod order;
mod packages;
mod preload;
mod program;
mod program_files;
mod references;
mod resource;
pub mod schema_types;
mod session;
mod suppression;
mod type_label;
mod well_known_packages;
mod wording;
mod written_values;

pub use crate::bind::{Bound, bind, bind_and_examine};
pub use crate::block::component_token::component_name;
pub use crate::block::package::described_packages;
pub use crate::declared_names::{DeclaredName, declared_names};
pub use crate::lint::Lints;
pub use crate::node::{
    BoundAttribute, ComponentBody, ComponentId, ConfigBody, DeferredOutput, HookBody, Node,
    NodeBody, NodeId, NodeKind, Ranged, ResourceBody,
};
pub use crate::packages::{BasePlugin, PackageCache, PackageIndex, PackageReference, Packages};
pub use crate::preload::{package_requests, required_packages};
pub use crate::program::{ComponentProgram, Module, NodeComments, Program};
pub use crate::program_files::{MAX_FILE_BYTES, OpenFiles, Source, Sources, is_program_file};
pub use crate::session::{Examine, ExtraVariable, Options};
pub use crate::well_known_packages::similar_package;
