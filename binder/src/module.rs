//! One directory from text to nodes: packages, declarations, dependencies, then every node after
//! what it needs.

use std::cell::OnceCell;
use std::sync::Arc;

use pcl_diagnostics::{Code, Compat};
use pcl_model::scope::{Definition, DefinitionKind};
use pcl_model::types::TypeId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::binder::Binder;
use crate::declared_names::{BodyNames, Variables};
use crate::edition::{removed, report};
use crate::habits::known_names::KnownNames;
use crate::lint::{self, Finished, Scope};
use crate::node::{NodeBody, NodeId, NodeKind, PerNode};
use crate::order::Dependencies;
use crate::packages::Packages;
use crate::program::{Module, Program};
use crate::program_files::Sources;
use crate::session::Session;
use crate::{block, invoke, suppression};

/// The number of nodes whose bodies exist at a time where bodies are dropped.
///
/// For 80,000 nodes (9.9 MB of text), dropping bodies saved 61 of 165 MB with 1,024 nodes at a
/// time. The lints begin anew for each stretch, so that a stretch is more than one node.
const STRETCH: usize = 256;

/// Binds the files of one directory. Syntax errors are reported first; what could be parsed is
/// bound all the same.
pub(crate) fn bind_module(session: &mut Session<'_>, sources: &Sources) -> Module {
    let own = report::oldest(session, sources);
    let outer = std::mem::replace(&mut session.oldest, own);
    let mut binder = open(session, sources);
    let unknown = binder.declare();
    let order = binder.resolve_dependencies(unknown);
    if binder.may_drop_bodies() {
        binder.bind_and_drop(&order);
    } else {
        let nodes = sources.files.iter().map(|source| source.tree.node_count());
        binder.session.exprs.reserve(nodes.sum::<u32>() as usize);
        binder.bind_nodes(&order);
        let all: Vec<NodeId> = binder.nodes.ids().collect();
        binder.lint(&[Scope::Nodes, Scope::Program, Scope::Declarations], &all);
    }
    let module = binder.take_module();
    report::report(session, &module);
    session.oldest = outer;
    module
}

/// A binder whose scope has the built-in names only.
fn open<'s, 'a, 't>(session: &'s mut Session<'a>, sources: &'t Sources) -> Binder<'s, 'a, 't> {
    let variables = Variables::new(sources);
    let known = KnownNames::new(sources, &variables, session.options);
    for source in &sources.files {
        session.reporter.open(source.file, session.map.path(source.file));
        suppression::read(&mut session.reporter, source);
        let errors = source.tree.diagnostics(source.file).map(|error| known.judge(error));
        session.reporter.report_all(errors);
        if !source.tree.errors().is_empty() {
            session.reporter.doubt(source.file, source.tree.unreadable());
        }
    }
    let is_root = session.directories.len() <= 1;
    let mut packages = Packages::new(session.schemas.packages().clone());
    let mut diagnostics = Vec::new();
    let described = block::package::read(sources, &mut diagnostics);
    let takes_labels = session.oldest.as_ref().is_some_and(report::takes_package_labels);
    if takes_labels && session.reporter.policy().compat == Compat::None {
        diagnostics.retain(|diagnostic| diagnostic.code != Code::PackageLabel);
    }
    session.reporter.report_all(diagnostics);
    let inherited = session.inherited.values();
    let chosen = session.options.packages.iter();
    for request in inherited.chain(described.values()).chain(chosen) {
        packages.describe(request.clone());
    }
    if is_root {
        session.inherited.extend(described);
    }
    let packages = Arc::new(packages);
    let root = session.scopes.new_root();
    let null = session.types.symbol("null");
    let _ = session.scopes.define(
        root,
        Definition {
            name: null,
            kind: DefinitionKind::Constant(pcl_model::value::Constant::Null),
            ty: TypeId::NONE,
            span: None,
        },
    );
    if is_root {
        for variable in &session.options.variables {
            let ty = session.types.static_type(&variable.ty);
            let name = session.types.symbol(&variable.name);
            let _ = session.scopes.define(root, Definition::variable(name, ty));
        }
    }
    invoke::define(
        &mut session.scopes,
        root,
        &packages,
        &session.schemas,
        session.options,
        session.oldest.as_ref(),
    );
    if let Some(oldest) = &session.oldest {
        removed::define(&mut session.scopes, root, oldest);
    }
    Binder {
        session,
        sources,
        root,
        items: PerNode::default(),
        nodes: PerNode::default(),
        packages,
        known_types: FxHashMap::default(),
        body_names: BodyNames::default(),
        package_names: OnceCell::new(),
        words: FxHashMap::default(),
        elements: FxHashMap::default(),
        unquoted_keys: FxHashSet::default(),
        guesses: Vec::new(),
        duplicates: Vec::new(),
        variables,
        offered_names: FxHashSet::default(),
        dependencies: Dependencies::default(),
    }
}

impl Binder<'_, '_, '_> {
    /// Moves the nodes and their dependencies into a module.
    fn take_module(&mut self) -> Module {
        let files = self.sources.files.iter();
        Module {
            nodes: std::mem::take(&mut self.nodes).into_vec(),
            files: files.clone().map(|source| source.file).collect(),
            trees: files.map(|source| Arc::clone(&source.tree)).collect(),
            packages: self.packages.references(),
            root: self.root,
            dependencies: std::mem::take(&mut self.dependencies),
        }
    }

    /// Binds the nodes in this order.
    fn bind_nodes(&mut self, order: &[NodeId]) {
        for &node in order {
            self.bind_node(node);
        }
        self.judge_guesses();
        self.report_other_words();
    }

    /// Binds a node. Its expressions are contiguous in the arena.
    fn bind_node(&mut self, node: NodeId) {
        let start = self.session.exprs.len() as u32;
        self.nodes[node].expressions = start..start;
        match self.nodes[node].kind {
            NodeKind::Resource => self.bind_resource(node, false),
            NodeKind::Read => self.bind_resource(node, true),
            NodeKind::Component => self.bind_component(node),
            NodeKind::Config => self.bind_config(node),
            NodeKind::Local => self.bind_local(node),
            NodeKind::Output => self.bind_output(node),
            NodeKind::Hook => self.bind_hook(node),
            NodeKind::Pulumi => self.bind_pulumi(node),
        }
        self.nodes[node].expressions.end = self.session.exprs.len() as u32;
        self.keep_guesses(node);
    }

    /// Returns true if the bodies of nodes can be dropped before all nodes are bound: the caller
    /// wants diagnostics only, and no later step visits the expressions of the whole program.
    fn may_drop_bodies(&self) -> bool {
        let session = &*self.session;
        session.options.diagnostics_only
            && session.oldest.is_none()
            && session.directories.len() <= 1
            && !lint::need_program(&session.options.lints)
            && self.nodes.iter().all(|node| node.kind != NodeKind::Component)
    }

    /// Binds the nodes in this order, and drops their bodies after the lints have visited them.
    fn bind_and_drop(&mut self, order: &[NodeId]) {
        for stretch in order.chunks(STRETCH) {
            let exprs = self.session.exprs.end();
            let scopes = self.session.scopes.end();
            for &node in stretch {
                self.bind_node(node);
            }
            self.lint(&[Scope::Nodes], stretch);
            self.examine(stretch);
            for &node in stretch {
                let node = &mut self.nodes[node];
                node.body = NodeBody::Empty;
                node.expressions = 0..0;
            }
            self.session.exprs.truncate(exprs);
            self.session.scopes.truncate(scopes);
        }
        self.judge_guesses();
        self.report_other_words();
        self.lint(&[Scope::Declarations], &[]);
    }

    /// Runs the lints of these scopes. Those that visit expressions visit the ones of `bound`.
    fn lint(&mut self, scopes: &[Scope], bound: &[NodeId]) {
        let module = self.take_module();
        let finished = Finished {
            module: &module,
            bound,
            exprs: &self.session.exprs,
            types: &self.session.types,
            scopes: &self.session.scopes,
            schemas: &self.session.schemas,
        };
        let diagnostics = lint::run(&self.session.options.lints, scopes, &finished);
        self.nodes = PerNode::from_vec(module.nodes);
        self.dependencies = module.dependencies;
        self.session.reporter.report_all(diagnostics);
    }

    /// Lets nodes be examined that are bound.
    fn examine(&mut self, nodes: &[NodeId]) {
        let Some(examiner) = self.session.examiner.take() else { return };
        let module = self.take_module();
        let session = &mut *self.session;
        let program = Program {
            module,
            components: std::mem::take(&mut session.components),
            exprs: std::mem::take(&mut session.exprs),
            types: std::mem::take(&mut session.types),
            scopes: std::mem::take(&mut session.scopes),
            schemas: Arc::clone(&session.schemas),
            policy: session.reporter.policy().clone(),
        };
        let program = examiner.nodes(program, nodes, &session.reporter);
        let Program { module, components, exprs, types, scopes, .. } = program;
        session.components = components;
        (session.exprs, session.types, session.scopes) = (exprs, types, scopes);
        session.examiner = Some(examiner);
        self.nodes = PerNode::from_vec(module.nodes);
        self.dependencies = module.dependencies;
    }
}
