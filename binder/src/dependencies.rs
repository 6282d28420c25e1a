//! The dependencies between nodes: references to other nodes, cycles, and the order to bind in.
//!
//! The rules, with examples: `tests/spec/programs/references.md`.

use pcl_diagnostics::{Span, TextRange};
use pcl_model::expression::FreeNames;
use pcl_model::scope::Definition;
use pcl_model::types::TypeId;

use crate::binder::Binder;
use crate::declare::UnknownBlock;
use crate::messages;
use crate::node::{Node, NodeId, NodeKind};
use crate::order::{self, Dependencies, Edges as _};
use crate::per_node::PerNode;

impl Binder<'_, '_, '_> {
    /// Finds what each node refers to, and reports the blocks that nobody knows. The names that
    /// such blocks seem to declare get the error type, so that their uses are silent.
    pub fn resolve_dependencies(&mut self, unknown: &[UnknownBlock]) -> Vec<NodeId> {
        let mut uses: Vec<(&UnknownBlock, Vec<Span>)> =
            unknown.iter().map(|block| (block, Vec::new())).collect();
        // What is asked of the targets of references, close together: the nodes themselves are
        // large.
        let target = |node: &Node| Target {
            place: (node.file_index as u32, node.range.start()),
            is_output: node.kind == NodeKind::Output,
        };
        let targets: PerNode<Target> = self.nodes.iter().map(target).collect();
        let mut dependencies = Dependencies::with_capacity(targets.len());
        let (mut names, mut found) = (FreeNames::default(), Vec::new());
        let mut outputs: Vec<(NodeId, TextRange, NodeId)> = Vec::new();
        for id in self.nodes.ids() {
            let (types, scopes) = (&self.session.types, &self.session.scopes);
            self.each_reference(&mut names, id, |name, range| {
                let symbol = types.find_symbol(name);
                let definition = symbol.and_then(|symbol| scopes.lookup(self.root, symbol));
                if let Some(definition) = definition {
                    let target = scopes.definition(definition).kind.node().map(NodeId);
                    if let Some(target) = target {
                        if target != id && targets[target].is_output {
                            outputs.push((id, range, target));
                        }
                        found.push(target);
                    }
                    return;
                }
                let declares = |block: &UnknownBlock| block.names.iter().any(|known| known == name);
                if let Some((_, uses)) = uses.iter_mut().find(|(block, _)| declares(block)) {
                    uses.push(self.node_span(id, range));
                }
            });
            if found.len() > 1 {
                found.sort_unstable_by_key(|id| targets[*id].place);
                found.dedup();
            }
            dependencies.push(&found);
            found.clear();
        }
        self.dependencies = dependencies;
        for (block, uses) in uses {
            self.report(messages::declare::unknown_block(
                block.span,
                &block.keyword,
                &uses,
            ));
            for name in &block.names {
                let name = self.session.types.symbol(name);
                let definition = Definition::variable(name, TypeId::ERROR);
                let _ = self.session.scopes.define(self.root, definition);
            }
        }
        let order = self.report_cycles();
        for (node, range, output) in outputs {
            // A circle through an output is one mistake.
            let in_circle = [node, output].map(|id| self.nodes[id].ty == TypeId::ERROR);
            if in_circle != [true, true] {
                let span = self.node_span(node, range);
                let output = &self.nodes[output];
                let (name, declared) = (&output.name, output.name_span());
                self.report(messages::cycle::output_referenced(span, name, declared));
            }
        }
        order
    }

    /// Reports each circle once and gives the nodes on it the error type. Components may need each
    /// other in pairs.
    fn report_cycles(&mut self) -> Vec<NodeId> {
        let components = order::components(&self.dependencies);
        let mut order = Vec::with_capacity(self.nodes.len());
        for component in components.iter() {
            let needs = self.dependencies.of(component.root);
            let circular =
                component.members.len() > 1 || needs.contains(&NodeId(component.root as u32));
            if circular {
                let is_component =
                    |&node: &usize| self.nodes[NodeId(node as u32)].kind == NodeKind::Component;
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
        let path: Vec<NodeId> = path.into_iter().map(|node| NodeId(node as u32)).collect();
        let root = NodeId(component.root as u32);
        let start = &self.nodes[root];
        let mut needs = Vec::new();
        let mut free_names = FreeNames::default();
        for (at, &id) in path.iter().enumerate().take(8) {
            let next = path.get(at + 1).copied().unwrap_or(root);
            let wanted = &self.nodes[next].name;
            let mut place = None;
            self.each_reference(&mut free_names, id, |name, range| {
                if *name == **wanted {
                    place.get_or_insert(range);
                }
            });
            if let Some(range) = place {
                needs.push(messages::cycle::Need {
                    span: self.node_span(id, range),
                    node: &self.nodes[id].name,
                    needed: wanted,
                });
            }
        }
        let names: Vec<&str> = path.iter().map(|&n| &*self.nodes[n].name).collect();
        let mut on_path = path.iter().map(|&node| &self.nodes[node]);
        let output = on_path.find(|node| node.kind == NodeKind::Output);
        let output = output.map(|output| &*output.name);
        let diagnostic = messages::cycle::circular(start.name_span(), &names, &needs, output);
        self.report(diagnostic);
        for &node in component.members {
            self.set_type(NodeId(node as u32), TypeId::ERROR);
        }
    }
}

/// A node as the target of references.
struct Target {
    /// The number of its file, and where it begins there.
    place: (u32, u32),
    is_output: bool,
}
