//! The index by position: the nodes and expressions of each file.

use pcl::binder::{ComponentId, Module, NodeId, Program};
use pcl::diagnostics::FileId;
use pcl::model::expression::ExprId;
use pcl::syntax::NodeId as SyntaxId;

/// A module of a program: the program itself or one of its components.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ModuleId {
    /// The program itself.
    Program,
    /// The program of a component's directory.
    Component(ComponentId),
}

impl ModuleId {
    /// The module behind the id.
    #[must_use]
    pub fn of(self, program: &Program) -> &Module {
        match self {
            Self::Program => &program.module,
            Self::Component(id) => &program.component(id).module,
        }
    }
}

/// A node of one of the modules of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeRef {
    /// The module.
    pub module: ModuleId,
    /// The node in it.
    pub node: NodeId,
}

/// The nodes and expressions of one file.
#[derive(Clone, Debug)]
pub(crate) struct FileIndex {
    /// The module that the file belongs to.
    pub module: ModuleId,
    /// The position of the file in its module.
    pub position: usize,
    /// The nodes of the file, by place.
    nodes: Vec<NodeId>,
    /// For each syntax node the last expression that was made from it.
    exprs: Vec<Option<ExprId>>,
}

impl FileIndex {
    /// The node whose declaration contains a place, its end included.
    pub(crate) fn node_at(&self, module: &Module, offset: u32) -> Option<NodeId> {
        let begun = self.nodes.partition_point(|&node| module.node(node).range.start() <= offset);
        let node = *self.nodes.get(begun.checked_sub(1)?)?;
        (offset <= module.node(node).range.end()).then_some(node)
    }

    /// The nodes of the file, by place.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The outermost expression that was made from a syntax node.
    pub(crate) fn expr_of(&self, node: SyntaxId) -> Option<ExprId> {
        self.exprs.get(node.0 as usize).copied().flatten()
    }
}

/// The index of a program, by file.
#[derive(Clone, Default, Debug)]
pub(crate) struct Index {
    files: Vec<Option<FileIndex>>,
}

impl Index {
    /// Builds the index in time in proportion to the program, except that nodes are sorted.
    pub(crate) fn new(program: &Program) -> Self {
        let mut index = Self::default();
        index.add(program, ModuleId::Program);
        for at in 0..program.components.len() {
            index.add(program, ModuleId::Component(ComponentId(at as u32)));
        }
        for (id, expr) in program.exprs.iter() {
            let file = index.files.get_mut(expr.file.0 as usize);
            let entry = file
                .and_then(Option::as_mut)
                .and_then(|file| file.exprs.get_mut(expr.node.0 as usize));
            if let Some(entry) = entry {
                *entry = Some(id);
            }
        }
        index
    }

    fn add(&mut self, program: &Program, id: ModuleId) {
        let module = id.of(program);
        for (position, (file, tree)) in module.files.iter().zip(&module.trees).enumerate() {
            let at = file.0 as usize;
            if self.files.len() <= at {
                self.files.resize(at + 1, None);
            }
            let entry = FileIndex {
                module: id,
                position,
                nodes: Vec::new(),
                exprs: vec![None; tree.node_count() as usize],
            };
            if let Some(slot) = self.files.get_mut(at) {
                *slot = Some(entry);
            }
        }
        for (node, bound) in module.nodes_with_ids() {
            if let Some(Some(file)) = self.files.get_mut(bound.file.0 as usize) {
                file.nodes.push(node);
            }
        }
        for file in &module.files {
            if let Some(Some(file)) = self.files.get_mut(file.0 as usize) {
                file.nodes.sort_by_key(|&node| module.node(node).range.start());
            }
        }
    }

    pub(crate) fn file(&self, file: FileId) -> Option<&FileIndex> {
        self.files.get(file.0 as usize)?.as_ref()
    }
}
