//! The state of a bind, and the steps that every kind of node shares.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::rc::Rc;
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, Matter, Span, TextRange};
use pcl_model::expression::{Checker, ExprId, Names};
use pcl_model::scope::{DefinitionId, Guess, ScopeId};
use pcl_model::types::TypeId;
use pcl_syntax::ast::{self, AstNode as _};
use pcl_syntax::{SyntaxNode, SyntaxToken};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declared_names::{BodyNames, Variables};
use crate::habits::label_order::LabelOrder;
use crate::node::{BoundAttribute, Node, NodeId, PerNode};
use crate::order::Dependencies;
use crate::packages::Packages;
use crate::program_files::{Source, Sources};
use crate::resource::resolve::KnownResource;
use crate::session::Session;
use crate::written_values::{self, Slot};

/// A declared node before it is bound, at the same index as its [`Node`].
pub(crate) struct Item {
    /// The definition of its name; `None` when the name was taken or is missing.
    pub definition: Option<DefinitionId>,
    /// The order of its labels.
    pub labels: LabelOrder,
}

/// A name that is declared a second time.
pub(crate) struct Duplicate {
    pub span: Span,
    pub name: String,
    /// The first declaration; `None` when the language has the name.
    pub first: Option<Span>,
}

/// Binds the files of one directory.
pub(crate) struct Binder<'s, 'a, 't> {
    pub session: &'s mut Session<'a>,
    pub sources: &'t Sources,
    pub root: ScopeId,
    pub items: PerNode<Item>,
    pub nodes: PerNode<Node>,
    /// The dependencies of the nodes. Empty until those of all nodes are known.
    pub dependencies: Dependencies,
    pub packages: Arc<Packages>,
    /// The type tokens that resources have used so far, as they are written, without options that
    /// change the package.
    pub known_types: FxHashMap<&'t str, Rc<KnownResource>>,
    /// The names in a body, for diagnostics about wrong ones.
    pub body_names: BodyNames<'t>,
    /// The names of the packages that could be loaded, computed on the first use.
    pub package_names: OnceCell<BTreeSet<String>>,
    /// The diagnostics about words that may be a boolean or a string, by their places.
    pub words: FxHashMap<Span, Diagnostic>,
    /// The diagnostics about present elements in bodies that Terraform repeats: whether these are
    /// ranges is known once their nodes are bound.
    pub elements: FxHashMap<NodeId, Vec<Diagnostic>>,
    /// The keys of objects that were reported as not being in quotes.
    pub unquoted_keys: FxHashSet<Span>,
    /// The unknown names that may be those of declarations, with the nodes that they are in.
    pub guesses: Vec<(NodeId, Guess)>,
    /// The names that were declared twice.
    pub duplicates: Vec<Duplicate>,
    /// The names of variables in the syntax, known before all nodes are declared.
    pub variables: Variables<'t>,
    /// The names that fixes declare.
    pub offered_names: FxHashSet<String>,
}

impl<'t> Binder<'_, '_, 't> {
    /// One of the program's files.
    #[expect(
        clippy::indexing_slicing,
        reason = "the indices of files come from enumerating them, and files are never removed"
    )]
    pub fn source(&self, file_index: usize) -> &'t Source {
        &self.sources.files[file_index]
    }

    /// A range in one of the program's files.
    pub fn span(&self, file_index: usize, range: TextRange) -> Span {
        Span::new(self.source(file_index).file, range)
    }

    /// A range in the file of a node.
    pub fn node_span(&self, node: NodeId, range: TextRange) -> Span {
        Span::new(self.nodes[node].file, range)
    }

    /// Reports a diagnostic.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.session.reporter.report(diagnostic);
    }

    /// Reports a diagnostic about a matter that an option may excuse.
    pub fn report_about(&mut self, matter: Matter, diagnostic: Diagnostic) {
        self.session.reporter.report_about(matter, diagnostic);
    }

    /// Returns whether an option excuses a matter.
    pub fn excuses(&self, matter: Matter) -> bool {
        self.session.reporter.policy().excuses(matter)
    }

    /// Binds an expression in the file of a node.
    pub fn bind(&mut self, node: NodeId, expr: ast::Expr<'t>, scope: ScopeId) -> ExprId {
        self.bind_names(node, expr, scope, Names::Values)
    }

    /// Binds an expression whose names refer to `names`, in the file of a node.
    pub fn bind_names(
        &mut self,
        node: NodeId,
        expr: ast::Expr<'t>,
        scope: ScopeId,
        names: Names,
    ) -> ExprId {
        let bound = &self.nodes[node];
        let file = bound.file;
        let is_resource = bound.kind.is_resource();
        let own = Arc::clone(&bound.name);
        let matter = is_resource.then_some(Matter::ResourceBody);
        let around = self.session.reporter.set_matter(matter);
        let mut checker = self.checker(file);
        checker.names = names;
        checker.own = Some(own);
        let value = checker.bind(expr, scope);
        self.session.reporter.set_matter(around);
        value
    }

    /// An attribute with its bound value.
    pub fn bound_attribute(
        &mut self,
        attribute: ast::Attribute<'t>,
        name: SyntaxToken<'t>,
        value: ExprId,
    ) -> BoundAttribute {
        let symbol = self.session.types.symbol(name.text());
        BoundAttribute {
            name: self.session.types.shared_name(symbol),
            symbol,
            name_range: name.range(),
            syntax: attribute.syntax().id(),
            value,
        }
    }

    /// Binds the value of an attribute; a missing one, which the parser has reported, is an error
    /// expression.
    pub fn bind_value(
        &mut self,
        node: NodeId,
        attribute: ast::Attribute<'t>,
        scope: ScopeId,
    ) -> Option<ExprId> {
        attribute.value().map(|expr| self.bind(node, expr, scope))
    }

    pub fn checker(&mut self, file: pcl_diagnostics::FileId) -> Checker<'_> {
        Checker {
            types: &mut self.session.types,
            scopes: &mut self.session.scopes,
            exprs: &mut self.session.exprs,
            reporter: &mut self.session.reporter,
            names: Names::Values,
            own: None,
            file,
        }
    }

    /// The type of a bound expression.
    pub fn type_of(&self, expr: ExprId) -> TypeId {
        self.session.exprs[expr].ty
    }

    /// The place of a bound expression.
    pub fn expr_span(&self, expr: ExprId) -> Span {
        let expr = &self.session.exprs[expr];
        Span::new(expr.file, expr.range)
    }

    /// Checks that a value can become a `target`, or an output of one. Returns `None` when
    /// it can; otherwise the diagnostic, which the caller may add to before reporting it.
    pub fn mismatch(
        &mut self,
        value: ExprId,
        target: TypeId,
        place: &dyn Display,
    ) -> Option<Diagnostic> {
        let input = self.session.types.input_type(target);
        self.mismatch_exactly(value, input, place)
    }

    /// Checks that a value can become a `target` without conversion.
    pub fn mismatch_exactly(
        &mut self,
        value: ExprId,
        target: TypeId,
        place: &dyn Display,
    ) -> Option<Diagnostic> {
        let given = self.type_of(value);
        self.mismatch_of_type(value, given, target, place)
    }

    /// Checks that a value, which is taken for one of type `given`, can become a `target`.
    pub fn mismatch_of_type(
        &mut self,
        value: ExprId,
        given: TypeId,
        target: TypeId,
        place: &dyn Display,
    ) -> Option<Diagnostic> {
        let file = self.session.exprs[value].file;
        self.checker(file).revise_guesses(value, target);
        if self.session.types.convert(target, given).exists() {
            return None;
        }
        Some(self.checker(file).blame(value, given, target, &place.to_string()))
    }

    /// The diagnostics about a value of type `given` that is no `target`, one for each part of it
    /// that is to blame.
    pub fn mismatches_of_type(
        &mut self,
        value: ExprId,
        given: TypeId,
        target: TypeId,
        place: &dyn Display,
    ) -> Vec<Diagnostic> {
        let file = self.session.exprs[value].file;
        self.checker(file).revise_guesses(value, target);
        if self.session.types.convert(target, given).exists() {
            return Vec::new();
        }
        self.checker(file).blame_all(value, given, target, &place.to_string())
    }

    /// Checks a literal value that fits the declared type `ty`. `role` names the value.
    pub fn check_written(&mut self, value: ExprId, ty: TypeId, role: &dyn Display) {
        let diagnostics = self.written(value, &Slot::new(ty, role));
        self.session.reporter.report_all(diagnostics);
    }

    /// The diagnostics about a literal value, see [`written_values::check`].
    pub fn written(&mut self, value: ExprId, slot: &Slot<'_>) -> Vec<Diagnostic> {
        let session = &mut *self.session;
        let (types, scopes) = (&mut session.types, &mut session.scopes);
        written_values::check(types, scopes, &session.exprs, value, slot)
    }

    /// Sets the type of a node and of what its name leads to.
    pub fn set_type(&mut self, node: NodeId, ty: TypeId) {
        self.nodes[node].ty = ty;
        if let Some(definition) = self.items[node].definition {
            self.session.scopes.set_type(definition, ty);
        }
    }

    /// The text of a node.
    pub fn syntax(&self, node: NodeId) -> SyntaxNode<'t> {
        let node = &self.nodes[node];
        self.source(node.file_index).tree.node(node.syntax)
    }

    /// The block of a node; `None` for a local.
    pub fn block(&self, node: NodeId) -> Option<ast::Block<'t>> {
        ast::Block::cast(self.syntax(node))
    }

    /// The body of a node; `None` for a local.
    pub fn body(&self, node: NodeId) -> Option<ast::Body<'t>> {
        self.block(node)?.body()
    }

    /// The attributes and nested blocks of a node's body in source order.
    pub fn body_items(&self, node: NodeId) -> impl Iterator<Item = ast::Item<'t>> + use<'t> {
        self.body(node).into_iter().flat_map(|body| body.items())
    }
}
