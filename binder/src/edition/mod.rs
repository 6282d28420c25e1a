//! Editions: the releases of Pulumi that a program works with.
//!
//! [`pcl_language::constructs`] has the release that brought, changed or removed each construct.
//! [`uses`] finds the constructs in a bound program, in the order of the text. With
//! [`Options::oldest`](crate::Options::oldest), or a `pulumi` block with a range of versions, what
//! that release does not have is a diagnostic.

mod configs;
mod cycles;
mod declarations;
mod expressions;
pub(crate) mod range;
mod ranges;
pub(crate) mod removed;
pub(crate) mod report;
mod resources;
mod view;

use std::collections::BTreeSet;

use pcl_diagnostics::{FileId, Span};
use pcl_language::Release;
use pcl_model::expression::ExprArena;
use pcl_model::scope::Scopes;
use pcl_model::types::TypeStore;
use rustc_hash::FxHashMap;

pub use self::range::{Bound, OldestPulumi, RangeError, SetBy, VersionRange, empty_range};
use self::view::View;
pub use self::view::{Effect, Use};
use crate::program::{Module, Program};
use crate::schema_types::SchemaTypes;

/// The constructs that a program and its components use and that some release does not have, in
/// the order of the text, the files of the program first. A place that several rows are about
/// is listed for each.
///
/// ```
/// use std::sync::Arc;
/// use pcl_binder::edition;
/// use pcl_language::Release;
/// use pcl_binder::{Options, Sources, bind};
/// use pcl_diagnostics::SourceMap;
/// use pcl_schema::MemoryLoader;
///
/// let mut map = SourceMap::new();
/// let sources = Sources::from_texts([("main.pp", "folder = rootDirectory()\n")], &mut map);
/// let bound = bind(&sources, &mut map, Arc::new(MemoryLoader::default()), &Options::default());
/// let uses = edition::uses(&mut bound.program.clone());
/// assert_eq!(uses[0].construct.name, "function.rootDirectory");
/// assert_eq!(uses[0].needs(), Release::new(3, 153, 0));
/// ```
pub fn uses(program: &mut Program) -> Vec<Use> {
    each_module(program).concat()
}

/// The [`uses`] that matter to people: one for each place, without the parts of a construct that
/// are as old as it is.
pub fn requirements(program: &mut Program) -> Vec<Use> {
    let mut found = Vec::new();
    for uses in each_module(program) {
        found.extend(to_report(uses, |_| true));
    }
    found
}

fn each_module(program: &mut Program) -> Vec<Vec<Use>> {
    let (exprs, types) = (&program.exprs, &mut program.types);
    let components = program.components.iter();
    let modules = std::iter::once(&program.module).chain(components.map(|it| &it.module));
    modules
        .map(|module| of_module(module, exprs, types, &program.scopes, &program.schemas))
        .collect()
}

/// The uses in one module.
pub(super) fn of_module(
    module: &Module,
    exprs: &ExprArena,
    types: &mut TypeStore,
    scopes: &Scopes,
    schemas: &SchemaTypes,
) -> Vec<Use> {
    let mut view = View {
        module,
        exprs,
        types,
        scopes,
        schemas,
        described: BTreeSet::new(),
        found: Vec::new(),
    };
    declarations::find(&mut view);
    resources::find_packages(&mut view);
    configs::find_shared_names(&mut view);
    for node in &module.nodes {
        configs::find(&mut view, node);
        resources::find(&mut view, node);
        ranges::find(&mut view, node);
        expressions::find(&mut view, node);
    }
    ranges::find_uses(&mut view);
    cycles::find(&mut view);
    let mut found = view.found;
    found.sort_by_key(|used| (used.span.file, used.span.range.start()));
    found
}

/// The uses that are too new, one for each place: of several about one place that which is refused,
/// or else the newest. A part of a construct that needs no newer release is
/// left out.
pub(super) fn to_report(uses: Vec<Use>, is_older: impl Fn(&Use) -> bool) -> Vec<Use> {
    let mut wrong: Vec<Use> = uses.into_iter().filter(is_older).collect();
    wrong.sort_by_key(|used| {
        let range = used.extent;
        let length = range.end() - range.start();
        (used.span.file, range.start(), u32::MAX - length, used.is_part)
    });
    let mut kept: Vec<Use> = Vec::new();
    let mut kept_at: FxHashMap<Span, usize> = FxHashMap::default();
    // What is around a use: the ends of constructs, each with the release that the constructs up to
    // it need.
    let mut around: Vec<(FileId, u32, Release)> = Vec::new();
    for used in wrong {
        let (file, end) = (used.span.file, used.extent.end());
        while around.pop_if(|&mut (outer, until, _)| outer != file || until < end).is_some() {}
        let needed = around.last().map(|&(_, _, needed)| needed);
        if used.is_part && needed.is_some_and(|needed| used.needs() <= needed) {
            continue;
        }
        let needed = needed.map_or(used.needs(), |needed| needed.max(used.needs()));
        around.push((file, end, needed));
        let rank = |used: &Use| (used.effect == Effect::Refused, used.needs());
        let earlier = kept_at.get(&used.span).copied();
        match earlier.and_then(|at| kept.get_mut(at)) {
            Some(other) if rank(other) < rank(&used) => *other = used,
            Some(_) => {}
            None => {
                kept_at.insert(used.span, kept.len());
                kept.push(used);
            }
        }
    }
    kept.sort_by_key(|used| (used.span.file, used.span.range.start()));
    kept
}
