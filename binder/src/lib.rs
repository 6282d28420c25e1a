//! Binds PCL programs to a semantic model: from the files of a directory to nodes with types, references and an order.
//!
//! Laws:
//! - A [`Program`] always exists. What failed to bind has the error type, about which nothing further is said.
//! - Every finding is a diagnostic with a code, a file and a range; they come in the order of the text.
//! - The same files give the same program and the same findings.
//! - Nothing in a program or a schema makes the binder panic, or recurse deeper than the parser allows expressions to nest.
//!
//! The steps, each in the file of its name: [`Sources`] reads and parses; `module` binds one directory; `declare` makes nodes of the
//! top-level items; `references` finds what each needs; `order` sorts them; `block` has one file for each kind of block, and in
//! [`rules`] the table of what each may hold; `lint` looks for what is hardly meant. [`snippet`] binds files that are no program.
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
//! assert_eq!(bound.program.types.pretty(ty), "(string, string)");
//! let first = bound.program.module.find(NodeKind::Output, "first").unwrap();
//! assert_eq!(bound.program.module.dependencies(first), [names]);
//! ```

mod binder;
mod block;
mod declare;
mod invoke;
mod lint;
mod literals;
mod module;
mod options;
mod order;
mod packages;
mod program;
mod references;
mod requests;
mod resource;
pub mod schema_types;
pub mod snippet;
mod source;
mod type_label;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, Reporter, SourceMap, Tally};
use pcl_model::expression::ExprArena;
use pcl_model::scope::Scopes;
use pcl_model::types::TypeStore;
use pcl_schema::Loader;
use rustc_hash::FxHashMap;

use crate::binder::Session;
use crate::block::package::Descriptors;
pub use crate::block::rules;
pub use crate::lint::Lints;
pub use crate::options::{ExtraVariable, Options};
pub use crate::packages::{PackageCache, PackageIndex, Packages};
pub use crate::program::{
    BasePlugin, BoundAttribute, ComponentBody, ComponentId, ComponentProgram, ConfigBody,
    DeferredOutput, HookBody, Module, Node, NodeBody, NodeComments, NodeId, NodeKind,
    PackageReference, Program, ResourceBody,
};
pub use crate::requests::package_requests;
pub use crate::resource::range::Ranged;
use crate::schema_types::{SchemaOptions, SchemaTypes};
pub use crate::source::{MAX_FILE_BYTES, Source, Sources, is_program_file};

/// A bound program with what was found on the way.
pub struct Bound {
    /// The program.
    pub program: Program,
    /// The findings, in the order of the text: files as they are in the source map, then by offset.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics, hidden ones included.
    pub tally: Tally,
}

/// Binds a program. Packages are loaded through `loader`; the files of components are added to `map`.
pub fn bind(
    sources: &Sources,
    map: &mut SourceMap,
    loader: Arc<dyn Loader>,
    options: &Options,
) -> Bound {
    let directory = sources.directory.as_deref();
    run(map, loader, options, directory, |session| {
        module::bind_module(session, sources)
    })
}

/// Binds one module in a session of its own.
fn run(
    map: &mut SourceMap,
    loader: Arc<dyn Loader>,
    options: &Options,
    directory: Option<&Path>,
    act: impl FnOnce(&mut Session<'_>) -> Module,
) -> Bound {
    let schemas = Arc::new(SchemaTypes::new(
        Arc::new(PackageCache::new(loader)),
        SchemaOptions {
            allow_missing_properties: options.policy.leniency.missing_properties,
            skip_resource_typecheck: options.policy.leniency.resource_types,
        },
    ));
    let mut types = TypeStore::with_materializer(Arc::clone(&schemas) as _);
    let mut scopes = Scopes::new();
    let label_scope = scopes.new_type_labels(&mut types);
    let canonical = directory.and_then(|directory| directory.canonicalize().ok());
    let mut session = Session {
        map,
        options,
        types,
        scopes,
        exprs: ExprArena::new(),
        reporter: Reporter::new(options.policy.clone()),
        schemas,
        components: Vec::new(),
        component_of: HashMap::new(),
        inherited: Descriptors::new(),
        directories: canonical.into_iter().collect(),
        label_scope,
        labels: FxHashMap::default(),
    };
    let module = act(&mut session);
    let (policy, tally) = (session.reporter.policy().clone(), session.reporter.tally());
    let mut diagnostics = session.reporter.into_diagnostics();
    pcl_diagnostics::sort(&mut diagnostics);
    Bound {
        program: Program {
            module,
            components: session.components,
            exprs: session.exprs,
            types: session.types,
            scopes: session.scopes,
            schemas: session.schemas,
            policy,
        },
        diagnostics,
        tally,
    }
}
