//! A checked program with an index by position.

use std::cell::OnceCell;
use std::sync::Arc;

use pcl::Checked;
use pcl::binder::{ComponentId, Module, Node, NodeBody, NodeId, Program};
use pcl::diagnostics::{FileId, Span, TextRange};
use pcl::model::expression::{ExprId, ExprKind, For, TraversalStep};
use pcl::model::scope::DefinitionId;
use pcl::model::types::TypeId;
use pcl::syntax::{Children, SyntaxKind, SyntaxNode, SyntaxToken, SyntaxTree};

use crate::FilePosition;
use crate::names::References;

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

/// A file of a program or of one of its components.
struct File {
    module: ModuleId,
    tree: Arc<SyntaxTree>,
    /// The nodes that it declares, by place.
    nodes: Vec<NodeId>,
    /// For each syntax node the last expression that was made from it.
    exprs: Vec<Option<ExprId>>,
}

/// A checked program that questions can be asked about. The texts of its files do not change: after
/// an edit the program is checked again.
pub struct Analysis {
    /// The program with its diagnostics.
    pub checked: Checked,
    /// By the number of the file: building the index looks it up for each expression.
    files: Vec<Option<File>>,
    references: OnceCell<References>,
}

impl Analysis {
    /// Builds the index of a program, in time in proportion to the program, except that nodes are
    /// sorted.
    pub fn new(checked: Checked) -> Self {
        let program = &checked.program;
        let mut files: Vec<Option<File>> = Vec::new();
        for id in modules(program) {
            let module = id.of(program);
            for (&file, tree) in module.files.iter().zip(&module.trees) {
                let tree = Arc::clone(tree);
                let exprs = vec![None; tree.node_count() as usize];
                let at = file.0 as usize;
                if files.len() <= at {
                    files.resize_with(at + 1, || None);
                }
                if let Some(place) = files.get_mut(at) {
                    *place = Some(File { module: id, tree, nodes: Vec::new(), exprs });
                }
            }
            let mut nodes: Vec<(NodeId, &Node)> = module.nodes_with_ids().collect();
            nodes.sort_by_key(|(_, node)| node.range.start());
            for (id, node) in nodes {
                if let Some(Some(file)) = files.get_mut(node.file.0 as usize) {
                    file.nodes.push(id);
                }
            }
        }
        for (id, expr) in program.exprs.iter() {
            let file = files.get_mut(expr.file.0 as usize).and_then(Option::as_mut);
            if let Some(last) = file.and_then(|file| file.exprs.get_mut(expr.node.0 as usize)) {
                *last = Some(id);
            }
        }
        Self { checked, files, references: OnceCell::new() }
    }

    fn index(&self, file: FileId) -> Option<&File> {
        self.files.get(file.0 as usize)?.as_ref()
    }

    /// The file of the program, or of one of its components, with a path.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.files().find(|&file| self.checked.sources.path(file) == path)
    }

    /// The files of the program and of its components.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.checked.sources.files().filter(|&file| self.index(file).is_some())
    }

    /// The modules of the program: its own and those of its components.
    pub fn modules(&self) -> impl Iterator<Item = ModuleId> + use<> {
        modules(&self.checked.program)
    }

    /// The references to all names, found on first use.
    pub(crate) fn references(&self) -> &References {
        self.references.get_or_init(|| References::new(self))
    }

    /// The tree of a file of the program or of one of its components.
    pub fn tree(&self, file: FileId) -> Option<&Arc<SyntaxTree>> {
        Some(&self.index(file)?.tree)
    }

    /// The text of a place.
    pub fn text(&self, span: Span) -> &str {
        self.checked.sources.slice(span)
    }

    /// The module that a file belongs to.
    pub fn module_of(&self, file: FileId) -> Option<ModuleId> {
        Some(self.index(file)?.module)
    }

    /// A module of the program.
    pub fn module(&self, id: ModuleId) -> &Module {
        id.of(&self.checked.program)
    }

    /// A node of the program.
    pub fn node(&self, node: NodeRef) -> &Node {
        self.module(node.module).node(node.node)
    }

    /// The node whose declaration contains a position, its end included.
    pub fn node_at(&self, at: FilePosition) -> Option<NodeRef> {
        let File { module, nodes, .. } = self.index(at.file)?;
        let bound = self.module(*module);
        let begun = nodes.partition_point(|&node| bound.node(node).range.start() <= at.offset);
        let node = *nodes.get(begun.checked_sub(1)?)?;
        let contains = at.offset <= bound.node(node).range.end();
        contains.then_some(NodeRef { module: *module, node })
    }

    /// The nodes that a file declares, by place.
    pub fn nodes_in(&self, file: FileId) -> impl Iterator<Item = NodeRef> {
        self.index(file)
            .into_iter()
            .flat_map(|file| file.nodes.iter().map(|&node| NodeRef { module: file.module, node }))
    }

    /// The token that a cursor is on: the one that contains the position or, if the position is
    /// between two tokens, the one of them that is a word.
    pub fn token_at(&self, at: FilePosition) -> Option<SyntaxToken<'_>> {
        let behind = self.tree(at.file)?.token_at(at.offset);
        let is_word =
            |token: SyntaxToken<'_>| matches!(token.kind(), SyntaxKind::Ident | SyntaxKind::Number);
        if behind.range().start() < at.offset || is_word(behind) {
            return Some(behind);
        }
        Some(behind.previous().filter(|&token| is_word(token)).unwrap_or(behind))
    }

    /// The outermost expression that was made from a syntax node.
    pub fn expr_of(&self, file: FileId, node: SyntaxNode<'_>) -> Option<ExprId> {
        self.index(file)?.exprs.get(node.id().0 as usize).copied().flatten()
    }

    /// The loop that an expression is, or that a directive of a template makes a string of.
    pub(crate) fn loop_of(&self, expr: ExprId) -> Option<&For> {
        let exprs = &self.checked.program.exprs;
        match &exprs[expr].kind {
            ExprKind::For(found) => Some(found),
            ExprKind::TemplateJoin(inner) => match &exprs[*inner].kind {
                ExprKind::For(found) => Some(found),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value that an expression with steps begins with, and the steps.
    pub(crate) fn chain(&self, expr: ExprId) -> Option<Chain<'_>> {
        let exprs = &self.checked.program.exprs;
        let (start, range, steps) = match &exprs[expr].kind {
            ExprKind::Traversal(it) => (it.root_type, it.root_range, it.steps),
            ExprKind::RelativeTraversal { source, steps } => {
                let source = &exprs[*source];
                (source.ty, source.range, *steps)
            }
            _ => return None,
        };
        Some(Chain { start, range, steps: exprs.steps(steps) })
    }

    /// The node that a definition stands for, seen from a file of its module.
    pub(crate) fn node_of(&self, file: FileId, definition: DefinitionId) -> Option<NodeRef> {
        let definition = self.checked.program.scopes.definition(definition);
        let node = NodeId(definition.kind.node()?);
        let module = self.module_of(file)?;
        let is_node = node.index() < self.module(module).nodes.len();
        is_node.then_some(NodeRef { module, node })
    }

    /// The program of a component.
    pub(crate) fn program_of(&self, node: NodeRef) -> Option<ModuleId> {
        match &self.node(node).body {
            NodeBody::Component(body) => body.program.map(ModuleId::Component),
            _ => None,
        }
    }
}

fn modules(program: &Program) -> impl Iterator<Item = ModuleId> + use<> {
    let components = 0..program.components.len() as u32;
    let components = components.map(|id| ModuleId::Component(ComponentId(id)));
    std::iter::once(ModuleId::Program).chain(components)
}

/// A value and the steps from it.
pub(crate) struct Chain<'a> {
    /// The type of the value.
    pub start: TypeId,
    /// The range of the value.
    pub range: TextRange,
    /// The steps.
    pub steps: &'a [TraversalStep],
}

/// The variables of a loop, the key before the value.
pub(crate) fn variables(of: &For) -> impl Iterator<Item = DefinitionId> {
    [of.key_variable, of.value_variable].into_iter().flatten()
}

/// Calls `visit` with each node that touches a range, parents first, and with the nodes above it,
/// the innermost last, in time in proportion to the nodes.
pub(crate) fn each_node<'t>(
    root: SyntaxNode<'t>,
    range: TextRange,
    mut visit: impl FnMut(SyntaxNode<'t>, &[SyntaxNode<'t>]),
) {
    let mut above: Vec<SyntaxNode<'t>> = Vec::new();
    let mut open: Vec<Children<'t>> = Vec::new();
    let mut next = Some(root);
    loop {
        match next {
            Some(node) => {
                let own = node.range();
                if own.start() <= range.end() && range.start() <= own.end() {
                    visit(node, &above);
                    above.push(node);
                    open.push(node.children());
                }
            }
            None => {
                open.pop();
                above.pop();
            }
        }
        match open.last_mut() {
            Some(children) => next = children.next(),
            None => return,
        }
    }
}
