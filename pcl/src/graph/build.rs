//! From a bound program to its graph.
//!
//! The edges of a module are found once, as pairs of places in its list of nodes. Each use of the
//! module as a component then adds its nodes in one stretch, and the same edges from its start on.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use pcl_binder::{
    BoundAttribute, ComponentId, Module, Node as Declaration, NodeBody, NodeId, NodeKind, Program,
};
use pcl_model::expression::{ExprId, ExprKind};

use super::{Component, Edge, EdgeKind, Graph, MOST_EDGES, MOST_NODES, Node};

impl Graph {
    /// Builds the graph of a program and its components. Programs with errors have one too.
    pub fn of(program: &Program) -> Self {
        Self::up_to(program, MOST_NODES, MOST_EDGES)
    }

    /// Builds the graph, and enters no component that would make it larger than these limits.
    pub(super) fn up_to(program: &Program, most_nodes: usize, most_edges: usize) -> Self {
        let mut builder = Builder {
            program,
            outlines: HashMap::new(),
            waiting: VecDeque::new(),
            graph: Self {
                nodes: Vec::new(),
                components: Vec::new(),
                edges: Vec::new(),
                is_complete: true,
            },
        };
        let main = Arc::new(Outline::new(program, &program.module));
        builder.enter(&main, &program.module, None);
        while let Some(block) = builder.waiting.pop_front() {
            let outline = builder.outline(block.program);
            let nodes = builder.graph.nodes.len() + outline.nodes.len();
            let edges = builder.graph.edges.len() + outline.edges.len();
            if nodes > most_nodes || edges > most_edges {
                builder.graph.is_complete = false;
                continue;
            }
            builder.enter_block(&outline, block);
        }
        let mut graph = builder.graph;
        graph.edges.sort_unstable();
        graph.edges.dedup();
        graph
    }
}

/// The parts of a module that are the same for each of its uses. Nodes are known by their place in
/// `nodes`.
struct Outline {
    nodes: Vec<NodeId>,
    edges: Vec<(u32, u32, EdgeKind)>,
    /// The `component` blocks with a program.
    blocks: Vec<Block>,
    /// The configs by the name of the input that sets them.
    configs: HashMap<Arc<str>, u32>,
    outputs: Vec<u32>,
}

/// A `component` block with a program.
struct Block {
    node: u32,
    program: ComponentId,
    /// The inputs with the nodes that their values refer to.
    inputs: Vec<(Arc<str>, Vec<u32>)>,
}

/// A `component` block in the graph whose program has not been entered.
struct Waiting {
    /// The position of its node.
    node: u32,
    program: ComponentId,
    /// The inputs with the positions of the nodes that their values refer to.
    inputs: Vec<(Arc<str>, Vec<u32>)>,
}

struct Builder<'p> {
    program: &'p Program,
    outlines: HashMap<ComponentId, Arc<Outline>>,
    waiting: VecDeque<Waiting>,
    graph: Graph,
}

impl Builder<'_> {
    fn outline(&mut self, id: ComponentId) -> Arc<Outline> {
        let program = self.program;
        let known = self.outlines.entry(id);
        let outline =
            known.or_insert_with(|| Arc::new(Outline::new(program, &program.component(id).module)));
        Arc::clone(outline)
    }

    fn enter_block(&mut self, outline: &Outline, block: Waiting) {
        let program = self.program.component(block.program);
        let Some(node) = self.graph.nodes.get(block.node as usize) else { return };
        let component = self.graph.components.len() as u32;
        self.graph.components.push(Component {
            name: Arc::clone(&node.name),
            directory: program.display.as_str().into(),
            parent: node.component,
            node: Some(block.node),
        });
        let start = self.graph.nodes.len() as u32;
        self.enter(outline, &program.module, Some(component));
        let mut add = |from, to, kind| {
            self.graph.edges.push(Edge { from, to, kind, is_indirect: false });
        };
        for output in &outline.outputs {
            add(block.node, start + output, EdgeKind::Output);
        }
        for (name, targets) in &block.inputs {
            let Some(config) = outline.configs.get(name) else { continue };
            for &target in targets {
                add(start + config, target, EdgeKind::Input);
            }
        }
    }

    /// Adds the nodes and edges of a module.
    fn enter(&mut self, outline: &Outline, module: &Module, component: Option<u32>) {
        let start = self.graph.nodes.len() as u32;
        let node = |&id: &NodeId| {
            let node = module.node(id);
            Node {
                kind: node.kind,
                name: Arc::clone(&node.name),
                logical_name: Arc::clone(&node.logical_name),
                token: node.token.clone(),
                component,
                span: node.span(),
                step: None,
            }
        };
        self.graph.nodes.extend(outline.nodes.iter().map(node));
        let edge = |(from, to, kind): &(u32, u32, EdgeKind)| Edge {
            from: start + from,
            to: start + to,
            kind: kind.clone(),
            is_indirect: false,
        };
        self.graph.edges.extend(outline.edges.iter().map(edge));
        let block = |block: &Block| Waiting {
            node: start + block.node,
            program: block.program,
            inputs: shifted(&block.inputs, start),
        };
        self.waiting.extend(outline.blocks.iter().map(block));
    }
}

/// The inputs with the places of nodes counted from `start`.
fn shifted(inputs: &[(Arc<str>, Vec<u32>)], start: u32) -> Vec<(Arc<str>, Vec<u32>)> {
    let shift = |(name, targets): &(Arc<str>, Vec<u32>)| {
        let targets = targets.iter().map(|target| start + target);
        (Arc::clone(name), targets.collect())
    };
    inputs.iter().map(shift).collect()
}

impl Outline {
    fn new(program: &Program, module: &Module) -> Self {
        let nodes: Vec<NodeId> = module
            .nodes_with_ids()
            .filter(|(_, node)| node.kind != NodeKind::Pulumi)
            .map(|(id, _)| id)
            .collect();
        let mut places = vec![None; module.nodes.len()];
        for (place, id) in nodes.iter().enumerate() {
            if let Some(slot) = places.get_mut(id.index()) {
                *slot = Some(place as u32);
            }
        }
        let mut outline = Self {
            edges: Vec::new(),
            blocks: Vec::new(),
            configs: HashMap::new(),
            outputs: Vec::new(),
            nodes: Vec::new(),
        };
        let references = References { program, places };
        for (place, &id) in nodes.iter().enumerate() {
            let place = place as u32;
            let node = module.node(id);
            references.edges(place, node, module.dependencies(id), &mut outline.edges);
            match (&node.body, node.kind) {
                (NodeBody::Component(body), _) => {
                    let inputs = body.inputs.iter();
                    let targets = |input| references.of_expression(input);
                    outline.blocks.extend(body.program.map(|program| {
                        Block {
                            node: place,
                            program,
                            inputs: inputs
                                .map(|input| (Arc::clone(&input.name), targets(input.value)))
                                .collect(),
                        }
                    }));
                }
                (_, NodeKind::Config) => {
                    let name = Arc::clone(&node.logical_name);
                    outline.configs.entry(name).or_insert(place);
                }
                (_, NodeKind::Output) => outline.outputs.push(place),
                _ => {}
            }
        }
        outline.nodes = nodes;
        outline
    }
}

/// The references between the nodes of a module.
struct References<'p> {
    program: &'p Program,
    /// The places of the nodes in the outline.
    places: Vec<Option<u32>>,
}

impl References<'_> {
    fn place(&self, node: usize) -> Option<u32> {
        self.places.get(node).copied().flatten()
    }

    /// The place of the node that an expression names.
    fn named_by(&self, id: ExprId) -> Option<u32> {
        let ExprKind::Traversal(traversal) = &self.program.exprs[id].kind else { return None };
        let definition = self.program.scopes.definition(traversal.definition?);
        self.place(definition.kind.node()? as usize)
    }

    /// The places of the nodes that an expression refers to.
    fn of_expression(&self, value: ExprId) -> Vec<u32> {
        let parts = self.program.exprs.subtree(value);
        let mut found: Vec<u32> = parts.filter_map(|id| self.named_by(id)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds the edges to what a node depends on: one for each option that refers to it, and one if
    /// anything else does.
    fn edges(
        &self,
        from: u32,
        node: &Declaration,
        dependencies: &[NodeId],
        edges: &mut Vec<(u32, u32, EdgeKind)>,
    ) {
        let mut needed: Vec<u32> =
            dependencies.iter().filter_map(|id| self.place(id.index())).collect();
        needed.sort_unstable();
        let mut in_options: Vec<u32> = Vec::new();
        for option in node.options() {
            let targets = self.of_expression(option.value);
            let targets = targets.iter().filter(|it| needed.binary_search(it).is_ok());
            for &target in targets {
                let kind = EdgeKind::Option(Arc::clone(&option.name));
                edges.push((from, target, kind));
                in_options.push(target);
            }
        }
        in_options.sort_unstable();
        let elsewhere =
            if in_options.is_empty() { Vec::new() } else { self.outside_of_options(node) };
        for &target in &needed {
            let is_explained = in_options.binary_search(&target).is_ok();
            if !is_explained || elsewhere.binary_search(&target).is_ok() {
                edges.push((from, target, EdgeKind::Reference));
            }
        }
    }

    /// The places of the nodes that a node refers to outside of its options, in order.
    fn outside_of_options(&self, node: &Declaration) -> Vec<u32> {
        let exprs = &self.program.exprs;
        let stretch = |option: &BoundAttribute| {
            let first = exprs.subtree(option.value).next()?;
            Some(first..=option.value)
        };
        let mut stretches: Vec<_> = node.options().iter().filter_map(stretch).collect();
        stretches.sort_unstable_by_key(|stretch| *stretch.start());
        let mut stretches = stretches.into_iter().peekable();
        let mut found = Vec::new();
        for (id, _) in exprs.range(node.expressions.clone()) {
            while stretches.next_if(|stretch| *stretch.end() < id).is_some() {}
            let is_outside = stretches.peek().is_none_or(|stretch| !stretch.contains(&id));
            found.extend(self.named_by(id).filter(|_| is_outside));
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Target, Workspace};

    #[test]
    fn components_are_entered_up_to_the_limits() {
        let place = tempfile::tempdir().expect("a directory");
        let main = "component a \"./part\" {}\ncomponent b \"./part\" {}\nc = 1\n";
        std::fs::write(place.path().join("main.pp"), main).expect("it is written");
        std::fs::create_dir(place.path().join("part")).expect("it is made");
        let part = "x = 1\ny = x\n";
        std::fs::write(place.path().join("part/main.pp"), part).expect("it is written");
        let target = Target::Path(place.path().to_owned());
        let checked = Workspace::new(Settings::default()).check(&target);
        let sizes = |nodes, edges| {
            let graph = Graph::up_to(&checked.program, nodes, edges);
            (graph.nodes.len(), graph.components.len(), graph.is_complete)
        };
        assert_eq!(sizes(7, 2), (7, 2, true));
        assert_eq!(sizes(6, 2), (5, 1, false));
        assert_eq!(sizes(7, 1), (5, 1, false));
        assert_eq!(sizes(0, 0), (3, 0, false));
    }
}
