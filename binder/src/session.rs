//! The state that a program shares with its component programs, and the options that they are bound
//! with.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use pcl_diagnostics::{Leniency, Policy, Reporter, SourceMap};
use pcl_language::StaticType;
use pcl_model::expression::ExprArena;
use pcl_model::scope::{ScopeId, Scopes};
use pcl_model::types::{Symbol, TypeId, TypeStore};
use pcl_schema::PackageRequest;
use rustc_hash::FxHashMap;

use crate::edition::range::OldestPulumi;
use crate::lint::Lints;
use crate::node::{ComponentId, NodeId};
use crate::packages::Descriptors;
use crate::program::{ComponentProgram, Program};
use crate::program_files::OpenFiles;
use crate::schema_types::SchemaTypes;

/// The state that a program shares with its component programs.
pub(crate) struct Session<'a> {
    pub map: &'a mut SourceMap,
    pub options: &'a Options,
    pub types: TypeStore,
    pub scopes: Scopes,
    pub exprs: ExprArena,
    pub reporter: Reporter,
    /// A further look at the program.
    pub examiner: Option<&'a mut dyn Examine>,
    pub schemas: Arc<SchemaTypes>,
    /// The component programs bound so far.
    pub components: Vec<ComponentProgram>,
    /// The component of each directory, by its canonical path.
    pub component_of: HashMap<PathBuf, BoundComponent>,
    /// The packages that the root program describes, and those around it. They count in its
    /// components as well, unless those say otherwise.
    pub inherited: Descriptors,
    /// The oldest Pulumi that the program being bound has to work with.
    pub oldest: Option<OldestPulumi>,
    /// The directories of the programs that are being bound, the root's first. They are canonical
    /// from the first component on.
    pub directories: Vec<PathBuf>,
    /// The scope of type labels.
    pub label_scope: ScopeId,
    /// The types of the labels read so far, by how they are written; of those without diagnostics.
    pub labels: FxHashMap<String, TypeId>,
    /// The types of inputs whose objects may lack their constants, by the type of all inputs and
    /// the name; of those that a value did not fit at first.
    pub lenient_inputs: FxHashMap<(TypeId, Symbol), TypeId>,
}

/// The result of binding a component's directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundComponent {
    /// Its program.
    pub id: ComponentId,
    /// The number of its errors, and of those that Pulumi reports too.
    pub errors: usize,
    pub reference_errors: usize,
}

impl Session<'_> {
    /// A component program.
    #[expect(
        clippy::indexing_slicing,
        reason = "an id is made when its program is added, and programs are never removed"
    )]
    pub fn component(&self, id: ComponentId) -> &ComponentProgram {
        &self.components[id.0 as usize]
    }
}

/// A further look at a program, which reports more about it.
pub trait Examine {
    /// Looks at nodes that are bound, each after those that it needs. Their bodies are dropped
    /// afterwards, which happens only to programs without components, and only with
    /// [`diagnostics_only`](crate::Options::diagnostics_only).
    fn nodes(&mut self, program: Program, nodes: &[NodeId], reporter: &Reporter) -> Program;

    /// Looks at the program, whose nodes have their bodies unless [`Examine::nodes`] was called.
    fn program(&mut self, program: Program, reporter: &mut Reporter) -> Program;
}

/// The choices of a caller about binding. The default is strict.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Leniencies, compatibility and levels: all that decides the severity of diagnostics.
    pub policy: Policy,
    /// `invoke` takes its output form whenever the function returns something, as in the programs
    /// that the generators of Pulumi write: then it gives an output, never a promise.
    pub prefer_output_versioned_invokes: bool,
    /// The directory that component sources should stay in, when it is not the program's own.
    pub project_directory: Option<PathBuf>,
    /// Packages as `package` blocks would describe them; each replaces the program's block of its
    /// name.
    pub packages: Vec<PackageRequest>,
    /// Packages as `package` blocks around the program describe them. A block of the program counts
    /// instead of the one of its name.
    pub outer_packages: Vec<PackageRequest>,
    /// The oldest Pulumi that the program has to work with. By default it is what the range in the
    /// `pulumi` block says, or else no matter.
    pub oldest: Option<OldestPulumi>,
    /// The checks beyond those that every program gets.
    pub lints: Lints,
    /// Variables that the program may refer to and need not declare. Its components do not see
    /// them.
    pub variables: Vec<ExtraVariable>,
    /// The files of components whose text counts instead of the one on disk. Those of the program
    /// itself are among its sources.
    pub open_files: Arc<OpenFiles>,
    /// The caller uses the diagnostics, and of the program only its files and declarations. Then
    /// the memory of bodies and expressions is reused while the program is being bound, and nodes
    /// have none where no component and no lint needs them.
    pub diagnostics_only: bool,
}

/// A variable that needs no declaration.
///
/// ```
/// use pcl_binder::ExtraVariable;
/// use pcl_language::StaticType::{List, Output, String};
/// let names = ExtraVariable { name: "names".to_owned(), ty: Output(&List(&String)) };
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtraVariable {
    /// The name that programs use.
    pub name: String,
    /// The type of its value.
    pub ty: StaticType,
}

impl Options {
    /// Options with all five leniencies.
    pub fn lenient() -> Self {
        let mut options = Self::default();
        options.policy.leniency = Leniency::ALL;
        options
    }
}
