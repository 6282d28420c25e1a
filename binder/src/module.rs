//! One directory from text to nodes: packages, declarations, dependencies, then every node after what it needs.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span, TextRange};
use pcl_model::expression::FreeNames;
use pcl_model::scope::{Definition, DefinitionKind};
use pcl_model::types::TypeId;
use rustc_hash::FxHashMap;

use crate::binder::{Binder, Session};
use crate::block;
use crate::block::attributes::BodyNames;
use crate::declare::UnknownBlock;
use crate::invoke;
use crate::order::{self, Edges as _};
use crate::packages::Packages;
use crate::program::{Dependencies, Module, Node, NodeId, NodeKind};
use crate::source::Sources;

/// Binds the files of one directory. Syntax errors are reported first; what could be parsed is bound all the same.
pub(crate) fn bind_module(session: &mut Session<'_>, sources: &Sources) -> Module {
    let mut binder = open(session, sources);
    let unknown = binder.declare();
    let order = binder.resolve_dependencies(&unknown);
    binder.bind_nodes(&order);
    binder.lint();
    binder.close()
}

/// A binder whose scope holds what is there before anything is declared.
pub(crate) fn open<'s, 'a, 't>(
    session: &'s mut Session<'a>,
    sources: &'t Sources,
) -> Binder<'s, 'a, 't> {
    for source in &sources.files {
        for error in source.tree.errors() {
            session
                .reporter
                .report(error.to_diagnostic(source.file, &source.tree));
        }
        if !source.tree.errors().is_empty() {
            session.reporter.doubt_fixes_in(source.file);
        }
    }
    let is_root = session.directories.len() <= 1;
    let mut packages = Packages::new(session.schemas.packages().clone());
    let mut diagnostics = Vec::new();
    let described = block::package::read(sources, &mut diagnostics);
    session.reporter.report_all(diagnostics);
    let inherited = session.inherited.values();
    let chosen = session.options.packages.iter();
    for request in inherited.chain(described.values()).chain(chosen) {
        packages.describe(request.clone());
    }
    if is_root {
        session.inherited = described;
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
            let ty = variable.ty(&mut session.types);
            let name = session.types.symbol(variable.name());
            let _ = session.scopes.define(root, Definition::variable(name, ty));
        }
    }
    invoke::define(
        &mut session.scopes,
        root,
        &packages,
        &session.schemas,
        session.options,
    );
    Binder {
        session,
        sources,
        root,
        items: Vec::new(),
        nodes: Vec::new(),
        packages,
        known_types: FxHashMap::default(),
        spare_names: Vec::new(),
        body_names: BodyNames::default(),
        dependencies: Dependencies::default(),
    }
}

impl Binder<'_, '_, '_> {
    /// What was bound.
    pub fn close(self) -> Module {
        let files = self.sources.files.iter();
        Module {
            nodes: self.nodes,
            files: files.clone().map(|source| source.file).collect(),
            trees: files.map(|source| Arc::clone(&source.tree)).collect(),
            packages: self.packages.references(),
            root: self.root,
            dependencies: self.dependencies,
        }
    }

    /// Finds what each node refers to, and reports the blocks that nobody knows. The names that such blocks seem to declare get the
    /// error type, so that their uses are silent.
    pub fn resolve_dependencies(&mut self, unknown: &[UnknownBlock]) -> Vec<NodeId> {
        let mut uses: Vec<Vec<Span>> = vec![Vec::new(); unknown.len()];
        // What is asked of the targets of references, close together: the nodes themselves are large.
        let target = |node: &Node| Target {
            place: (node.file_index as u32, node.range.start()),
            is_output: node.kind == NodeKind::Output,
        };
        let targets: Vec<Target> = self.nodes.iter().map(target).collect();
        let mut dependencies = Dependencies::with_capacity(targets.len());
        let (mut names, mut found) = (FreeNames::default(), Vec::new());
        let mut outputs: Vec<(NodeId, TextRange, NodeId)> = Vec::new();
        for node in 0..self.nodes.len() {
            let id = NodeId(node as u32);
            let (types, scopes) = (&self.session.types, &self.session.scopes);
            self.each_reference(&mut names, id, |name, range| {
                let symbol = types.find_symbol(name);
                let definition = symbol.and_then(|symbol| scopes.lookup(self.root, symbol));
                if let Some(definition) = definition {
                    let target = scopes.definition(definition).kind.node().map(NodeId);
                    if let Some(target) = target {
                        if target != id && targets[target.index()].is_output {
                            outputs.push((id, range, target));
                        }
                        found.push(target);
                    }
                    return;
                }
                let declares = |block: &UnknownBlock| block.names.iter().any(|known| known == name);
                if let Some(block) = unknown.iter().position(declares) {
                    uses[block].push(self.node_span(id, range));
                }
            });
            if found.len() > 1 {
                found.sort_unstable_by_key(|id| targets[id.index()].place);
                found.dedup();
            }
            dependencies.push(&found);
            found.clear();
        }
        self.dependencies = dependencies;
        for (block, places) in unknown.iter().zip(uses) {
            self.report_unknown_block(block, &places);
            for name in &block.names {
                let name = self.session.types.symbol(name);
                let definition = Definition::variable(name, TypeId::ERROR);
                let _ = self.session.scopes.define(self.root, definition);
            }
        }
        let order = self.report_cycles();
        for (node, range, output) in outputs {
            // A circle through an output is one mistake.
            let in_circle = [node, output].map(|id| self.nodes[id.index()].ty == TypeId::ERROR);
            if in_circle != [true, true] {
                self.output_referenced(self.node_span(node, range), output);
            }
        }
        order
    }

    /// Pulumi gives outputs a value at the very end, so inside the program they never have one.
    fn output_referenced(&mut self, span: Span, output: NodeId) {
        let output = &self.nodes[output.index()];
        let (name, declared) = (&output.name, output.name_span());
        let finding = Diagnostic::warning(
            Code::OutputReferenced,
            span,
            format!("`{name}` is an output, and outputs have no value inside the program"),
        )
        .label(declared, "the output is declared here")
        .help("give the value a name of its own, `name = ..`, and refer to that in both places")
        .ours();
        self.report(finding);
    }

    /// Reports each circle once and gives the nodes on it the error type. Components may need each other in pairs.
    fn report_cycles(&mut self) -> Vec<NodeId> {
        let components = order::components(&self.dependencies);
        let mut order = Vec::with_capacity(self.nodes.len());
        for component in components.iter() {
            let needs = self.dependencies.of(component.root);
            let circular =
                component.members.len() > 1 || needs.contains(&NodeId(component.root as u32));
            if circular {
                let is_component = |&node: &usize| self.nodes[node].kind == NodeKind::Component;
                if component.members.iter().all(is_component)
                    && let Some(found) = order::mutual_order(&self.dependencies, component)
                {
                    order.extend(found);
                    continue;
                }
                self.report_cycle(component);
            }
            order.extend(component.members);
        }
        order.into_iter().map(|node| NodeId(node as u32)).collect()
    }

    fn report_cycle(&mut self, component: order::Component<'_>) {
        let path = order::cycle_through(&self.dependencies, component.members, component.root);
        let start = &self.nodes[component.root];
        let message = if path.len() == 1 {
            format!("`{}` refers to itself", start.name)
        } else {
            format!("`{}` needs itself in a circle", start.name)
        };
        let mut finding = Diagnostic::error(Code::CircularReference, start.name_span(), message);
        let mut names: Vec<&str> = path.iter().map(|&n| &*self.nodes[n].name).collect();
        names.push(&start.name);
        if path.len() > 1 {
            finding = finding.note(format!("the circle is: {}", shorten(&names)));
        }
        let mut free_names = FreeNames::default();
        for (at, &node) in path.iter().enumerate().take(8) {
            let next = path.get(at + 1).copied().unwrap_or(component.root);
            let wanted = &self.nodes[next].name;
            let id = NodeId(node as u32);
            let mut place = None;
            self.each_reference(&mut free_names, id, |name, range| {
                if *name == **wanted {
                    place.get_or_insert(range);
                }
            });
            if let Some(range) = place {
                finding = finding.label(
                    self.node_span(id, range),
                    format!("`{}` needs `{wanted}` here", self.nodes[node].name),
                );
            }
        }
        let mut on_path = path.iter().map(|&node| &self.nodes[node]);
        let output = on_path.find(|node| node.kind == NodeKind::Output);
        let help = match output {
            Some(output) => format!(
                "`{}` is an output, which has no value inside the program: refer to what has the value",
                output.name
            ),
            None => "break the circle by removing one of these references".to_owned(),
        };
        self.report(finding.help(help));
        for &node in component.members {
            self.set_type(NodeId(node as u32), TypeId::ERROR);
        }
    }

    /// Binds the nodes in this order. The expressions of each stand together in the arena.
    pub fn bind_nodes(&mut self, order: &[NodeId]) {
        for &node in order {
            let start = self.session.exprs.len() as u32;
            self.nodes[node.index()].expressions = start..start;
            match self.nodes[node.index()].kind {
                NodeKind::Resource => self.bind_resource(node),
                NodeKind::Read => self.bind_read(node),
                NodeKind::Component => self.bind_component(node),
                NodeKind::Config => self.bind_config(node),
                NodeKind::Local => self.bind_local(node),
                NodeKind::Output => self.bind_output(node),
                NodeKind::Hook => self.bind_hook(node),
                NodeKind::Pulumi => self.bind_pulumi(node),
            }
            self.nodes[node.index()].expressions.end = self.session.exprs.len() as u32;
        }
    }
}

/// A node as the target of references.
struct Target {
    /// The number of its file, and where it begins there.
    place: (u32, u32),
    is_output: bool,
}

/// The names of a circle, the middle of a long one left out.
fn shorten(names: &[&str]) -> String {
    const MOST: usize = 10;
    if names.len() <= MOST {
        return names.join(" -> ");
    }
    let (head, tail) = (&names[..MOST - 3], &names[names.len() - 2..]);
    format!("{} -> .. -> {}", head.join(" -> "), tail.join(" -> "))
}
