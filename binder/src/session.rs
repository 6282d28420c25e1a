//! The state that a program shares with its component programs.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use pcl_diagnostics::{Reporter, SourceMap};
use pcl_model::expression::ExprArena;
use pcl_model::scope::{ScopeId, Scopes};
use pcl_model::types::{TypeId, TypeStore};
use rustc_hash::FxHashMap;

use crate::edition::oldest::OldestPulumi;
use crate::examine::Examine;
use crate::node::ComponentId;
use crate::options::Options;
use crate::packages::Descriptors;
use crate::program::ComponentProgram;
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
    /// The packages that the root program describes. They count in its components as well, unless
    /// those say otherwise.
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
