//! A checked program with an index by position.

use std::cell::OnceCell;
use std::sync::Arc;

use pcl::Checked;
use pcl::binder::{ComponentId, Module, Node};
use pcl::diagnostics::{FileId, Span};
use pcl::model::expression::ExprId;
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxToken, SyntaxTree};

use crate::index::{Index, ModuleId, NodeRef};
use crate::names::References;

/// A checked program that questions can be asked about. The texts of its files do not change: after
/// an edit the program is checked again.
pub struct Analysis {
    /// The program with its diagnostics.
    pub checked: Checked,
    index: Index,
    references: OnceCell<References>,
}

impl Analysis {
    /// Builds the index of a program.
    #[must_use]
    pub fn new(checked: Checked) -> Self {
        let index = Index::new(&checked.program);
        Self { checked, index, references: OnceCell::new() }
    }

    /// The file of the program, or of one of its components, with a path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<FileId> {
        let mut files = self.checked.sources.files();
        files.find(|&file| {
            self.checked.sources.path(file) == path && self.index.file(file).is_some()
        })
    }

    /// The files of the program and of its components.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        let files = self.checked.sources.files();
        files.filter(|&file| self.index.file(file).is_some())
    }

    /// The modules of the program: its own and those of its components.
    pub fn modules(&self) -> impl Iterator<Item = ModuleId> + use<> {
        let components = 0..self.checked.program.components.len() as u32;
        let components = components.map(|id| ModuleId::Component(ComponentId(id)));
        std::iter::once(ModuleId::Program).chain(components)
    }

    /// The references to all names, found on first use.
    pub(crate) fn references(&self) -> &References {
        self.references.get_or_init(|| References::new(self))
    }

    /// The tree of a file of the program or of one of its components.
    #[must_use]
    pub fn tree(&self, file: FileId) -> Option<&Arc<SyntaxTree>> {
        let entry = self.index.file(file)?;
        self.module(entry.module).trees.get(entry.position)
    }

    /// The text of a place.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.checked.sources.slice(span)
    }

    /// The module that a file belongs to.
    #[must_use]
    pub fn module_of(&self, file: FileId) -> Option<ModuleId> {
        Some(self.index.file(file)?.module)
    }

    /// A module of the program.
    #[must_use]
    pub fn module(&self, id: ModuleId) -> &Module {
        id.of(&self.checked.program)
    }

    /// A node of the program.
    #[must_use]
    pub fn node(&self, node: NodeRef) -> &Node {
        self.module(node.module).node(node.node)
    }

    /// The node whose declaration contains a place, its end included.
    #[must_use]
    pub fn node_at(&self, file: FileId, offset: u32) -> Option<NodeRef> {
        let entry = self.index.file(file)?;
        let module = entry.module;
        let node = entry.node_at(self.module(module), offset)?;
        Some(NodeRef { module, node })
    }

    /// The nodes that a file declares, by place.
    pub fn nodes_in(&self, file: FileId) -> impl Iterator<Item = NodeRef> {
        let entry = self.index.file(file).into_iter();
        entry.flat_map(|entry| {
            let module = entry.module;
            let nodes = entry.nodes().iter();
            nodes.map(move |&node| NodeRef { module, node })
        })
    }

    /// The token that a cursor is on: the one that contains the place or, if the place is between
    /// two tokens, the one of them that is a word.
    #[must_use]
    pub fn token_at(&self, file: FileId, offset: u32) -> Option<SyntaxToken<'_>> {
        let behind = self.tree(file)?.token_at(offset);
        let is_word =
            |token: SyntaxToken<'_>| matches!(token.kind(), SyntaxKind::Ident | SyntaxKind::Number);
        if behind.range().start() < offset || is_word(behind) {
            return Some(behind);
        }
        Some(behind.previous().filter(|&token| is_word(token)).unwrap_or(behind))
    }

    /// The innermost expression that contains the token at a place.
    #[must_use]
    pub fn expr_at(&self, file: FileId, offset: u32) -> Option<ExprId> {
        let token = self.token_at(file, offset)?;
        token.parent().ancestors().find_map(|node| self.expr_of(file, node))
    }

    /// The outermost expression that was made from a syntax node.
    #[must_use]
    pub fn expr_of(&self, file: FileId, node: SyntaxNode<'_>) -> Option<ExprId> {
        self.index.file(file)?.expr_of(node.id())
    }
}
