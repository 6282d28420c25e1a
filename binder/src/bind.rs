//! The entry: files and options in, a bound program with its diagnostics out.

use std::collections::HashMap;
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, Reporter, SourceMap, Tally};
use pcl_model::expression::ExprArena;
use pcl_model::scope::Scopes;
use pcl_model::types::TypeStore;
use pcl_schema::Loader;
use rustc_hash::FxHashMap;

use crate::module::bind_module;
use crate::packages::{self, PackageCache};
use crate::program::Program;
use crate::program_files::Sources;
use crate::schema_types::{SchemaOptions, SchemaTypes};
use crate::session::{Examine, Options, Session};
use crate::suppression;

/// A bound program with what was found on the way.
pub struct Bound {
    /// The program.
    pub program: Program,
    /// The diagnostics, in the order of the text: files as they are in the source map, then by
    /// offset.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics, hidden ones included.
    pub tally: Tally,
}

/// Binds a program. Packages are loaded through `loader`; the files of components are added to
/// `map`.
pub fn bind(
    sources: &Sources,
    map: &mut SourceMap,
    loader: Arc<dyn Loader>,
    options: &Options,
) -> Bound {
    run(sources, map, loader, options, None)
}

/// Binds a program, and lets `examiner` report more about it. Comments and options decide about
/// these diagnostics as about the others.
pub fn bind_and_examine(
    sources: &Sources,
    map: &mut SourceMap,
    loader: Arc<dyn Loader>,
    options: &Options,
    examiner: &mut dyn Examine,
) -> Bound {
    run(sources, map, loader, options, Some(examiner))
}

fn run<'a>(
    sources: &Sources,
    map: &'a mut SourceMap,
    loader: Arc<dyn Loader>,
    options: &'a Options,
    examiner: Option<&'a mut dyn Examine>,
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
    let mut session = Session {
        map,
        options,
        types,
        scopes,
        exprs: ExprArena::new(),
        reporter: Reporter::new(options.policy.clone()),
        examiner,
        schemas,
        components: Vec::new(),
        component_of: HashMap::new(),
        inherited: packages::by_name(&options.outer_packages),
        oldest: None,
        directories: sources.directory.iter().cloned().collect(),
        label_scope,
        labels: FxHashMap::default(),
        lenient_inputs: FxHashMap::default(),
    };
    let module = bind_module(&mut session, sources);
    let mut reporter = session.reporter;
    let mut program = Program {
        module,
        components: session.components,
        exprs: session.exprs,
        types: session.types,
        scopes: session.scopes,
        schemas: session.schemas,
        policy: reporter.policy().clone(),
    };
    if let Some(examiner) = session.examiner {
        program = examiner.program(program, &mut reporter);
    }
    suppression::report_unused(&mut reporter, session.map, options);
    let tally = reporter.tally();
    let mut diagnostics = reporter.into_diagnostics();
    pcl_diagnostics::sort(&mut diagnostics);
    Bound { program, diagnostics, tally }
}
