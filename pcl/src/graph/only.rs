//! The part of a graph with nodes of some kinds only, connected through the nodes between them.

use std::ops::Range;

use pcl_binder::NodeKind;

use super::{Component, Edge, EdgeKind, Graph, MOST_EDGES};

impl Graph {
    /// Keeps the nodes of these kinds. Two of them are connected if there is a path between them
    /// that goes through nodes that are left out. A component that has nothing left in it is left
    /// out too.
    #[must_use]
    pub fn only(&self, kinds: &[NodeKind]) -> Self {
        self.only_up_to(kinds, MOST_EDGES)
    }

    pub(super) fn only_up_to(&self, kinds: &[NodeKind], most_edges: usize) -> Self {
        let is_kept: Vec<bool> = self.nodes.iter().map(|node| kinds.contains(&node.kind)).collect();
        let (edges, is_complete) = Contraction::new(self, &is_kept).edges(most_edges);
        let positions = renumbered(&is_kept);
        let position = |node: u32| positions.get(node as usize).copied().flatten();
        let holds = self.components_that_hold(&is_kept);
        let component_positions = renumbered(&holds);
        let component_position =
            |component: u32| component_positions.get(component as usize).copied().flatten();
        let nodes = self.nodes.iter().zip(&is_kept);
        let nodes = nodes.filter(|(_, kept)| **kept).map(|(node, _)| {
            let mut node = node.clone();
            node.component = node.component.and_then(component_position);
            node
        });
        let components = self.components.iter().zip(&holds);
        let components = components.filter(|(_, holds)| **holds);
        let components = components.map(|(component, _)| Component {
            name: component.name.clone(),
            directory: component.directory.clone(),
            parent: component.parent.and_then(component_position),
            node: component.node.and_then(position),
        });
        let edges = edges.into_iter().filter_map(|edge| {
            let (from, to) = (position(edge.from)?, position(edge.to)?);
            Some(Edge { from, to, ..edge })
        });
        Self {
            nodes: nodes.collect(),
            components: components.collect(),
            edges: edges.collect(),
            is_complete: self.is_complete && is_complete,
        }
    }

    /// Tells for each component whether it is kept itself or has a node in it that is.
    fn components_that_hold(&self, is_kept: &[bool]) -> Vec<bool> {
        let mut holds = vec![false; self.components.len()];
        let kept = self.nodes.iter().zip(is_kept).filter(|(_, kept)| **kept);
        for component in kept.filter_map(|(node, _)| node.component) {
            mark(&mut holds, component);
        }
        // Components come after those around them.
        for (at, component) in self.components.iter().enumerate().rev() {
            let own = component.node.and_then(|node| is_kept.get(node as usize));
            if own == Some(&true) {
                mark(&mut holds, at as u32);
            }
            if let (Some(true), Some(parent)) = (holds.get(at), component.parent) {
                mark(&mut holds, parent);
            }
        }
        holds
    }
}

fn mark(flags: &mut [bool], at: u32) {
    if let Some(flag) = flags.get_mut(at as usize) {
        *flag = true;
    }
}

/// The new position of each item that is kept.
fn renumbered(is_kept: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let position = |&kept: &bool| {
        let position = kept.then_some(next);
        next += u32::from(kept);
        position
    };
    is_kept.iter().map(position).collect()
}

/// The nodes that are reached from a node that is left out.
#[derive(Clone, Debug)]
enum Exits {
    /// The walk has not come here.
    New,
    /// The walk is below this node: a cycle leads here.
    Open,
    /// The next nodes at which paths end or fork; chains between are skipped. One that is left out
    /// has more than one exit itself, or is on a cycle.
    Next(Vec<u32>),
}

struct Contraction<'g> {
    graph: &'g Graph,
    is_kept: &'g [bool],
    /// The edges that start at each node.
    from: Vec<Range<usize>>,
    exits: Vec<Exits>,
}

impl<'g> Contraction<'g> {
    fn new(graph: &'g Graph, is_kept: &'g [bool]) -> Self {
        let mut from = Vec::with_capacity(graph.nodes.len());
        let mut end = 0;
        for node in 0..graph.nodes.len() {
            let rest = graph.edges.get(end..).unwrap_or_default();
            let start = end;
            end += rest.partition_point(|edge| edge.from as usize <= node);
            from.push(start..end);
        }
        let mut contraction =
            Self { graph, is_kept, from, exits: vec![Exits::New; graph.nodes.len()] };
        for node in 0..graph.nodes.len() as u32 {
            if !contraction.keeps(node) {
                contraction.walk(node);
            }
        }
        contraction
    }

    fn keeps(&self, node: u32) -> bool {
        self.is_kept.get(node as usize) == Some(&true)
    }

    fn edges_from(&self, node: u32) -> &'g [Edge] {
        let range = self.from.get(node as usize).cloned().unwrap_or_default();
        self.graph.edges.get(range).unwrap_or_default()
    }

    fn exits(&self, node: u32) -> &Exits {
        self.exits.get(node as usize).unwrap_or(&Exits::New)
    }

    fn set_exits(&mut self, node: u32, exits: Exits) {
        if let Some(slot) = self.exits.get_mut(node as usize) {
            *slot = exits;
        }
    }

    /// Finds the exits of a node and of the nodes that are left out behind it.
    fn walk(&mut self, start: u32) {
        if !matches!(self.exits(start), Exits::New) {
            return;
        }
        self.set_exits(start, Exits::Open);
        let mut stack = vec![(start, self.edges_from(start).iter())];
        while let Some((node, rest)) = stack.last_mut() {
            let node = *node;
            match rest.next() {
                Some(edge) => {
                    let target = edge.to;
                    if !self.keeps(target) && matches!(self.exits(target), Exits::New) {
                        self.set_exits(target, Exits::Open);
                        stack.push((target, self.edges_from(target).iter()));
                    }
                }
                None => {
                    let mut next = Vec::new();
                    for edge in self.edges_from(node) {
                        self.add_exit(edge.to, &mut next);
                    }
                    next.sort_unstable();
                    next.dedup();
                    next.retain(|&exit| exit != node);
                    self.set_exits(node, Exits::Next(next));
                    stack.pop();
                }
            }
        }
    }

    /// Adds the node at which a path to `target` ends or forks, if there is one.
    fn add_exit(&self, target: u32, to: &mut Vec<u32>) {
        if self.keeps(target) {
            to.push(target);
            return;
        }
        match self.exits(target) {
            Exits::Next(next) if next.is_empty() => {}
            Exits::Next(next) if next.len() == 1 => to.extend_from_slice(next),
            _ => to.push(target),
        }
    }

    /// The edges between the nodes that are kept, and whether these are all of them.
    fn edges(&self, most: usize) -> (Vec<Edge>, bool) {
        let mut found: Vec<Edge> = Vec::new();
        let mut is_complete = true;
        // The last search that came to each node.
        let mut seen = vec![0u32; self.graph.nodes.len()];
        let mut search = 0;
        let mut open = Vec::new();
        for from in (0..self.graph.nodes.len() as u32).filter(|&node| self.keeps(node)) {
            let (direct, through): (Vec<&Edge>, Vec<&Edge>) =
                self.edges_from(from).iter().partition(|edge| self.keeps(edge.to));
            let mut through = through;
            through.sort_by(|a, b| first_step(a).cmp(first_step(b)));
            for group in through.chunk_by(|a, b| first_step(a) == first_step(b)) {
                let Some(kind) = group.first().map(|edge| first_step(edge)) else { continue };
                search += 1;
                let mut visit = |node: u32| {
                    let seen = seen.get_mut(node as usize);
                    seen.is_some_and(|seen| std::mem::replace(seen, search) != search)
                };
                for edge in direct.iter().filter(|edge| first_step(edge) == kind) {
                    visit(edge.to);
                }
                for edge in group {
                    self.add_exit(edge.to, &mut open);
                }
                while let Some(node) = open.pop() {
                    if !visit(node) {
                        continue;
                    }
                    match self.exits(node) {
                        Exits::Next(next) => open.extend_from_slice(next),
                        _ if found.len() < most => found.push(Edge {
                            from,
                            to: node,
                            kind: kind.clone(),
                            is_indirect: true,
                        }),
                        _ => is_complete = false,
                    }
                }
            }
            found.extend(direct.into_iter().cloned());
        }
        found.sort_unstable();
        (found, is_complete)
    }
}

/// The kind of an indirect edge that begins with this one.
fn first_step(edge: &Edge) -> &EdgeKind {
    match &edge.kind {
        option @ EdgeKind::Option(_) => option,
        _ => &EdgeKind::Reference,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::graph::Node;
    use pcl_diagnostics::{FileId, Span, TextRange};
    use proptest::prelude::*;

    /// A graph of configs, which are kept, and locals, with an edge for each pair.
    fn graph(is_config: &[bool], mut pairs: Vec<(u32, u32, bool)>) -> Graph {
        pairs.sort_unstable();
        pairs.dedup();
        let node = |(at, &is_config): (usize, &bool)| Node {
            kind: if is_config { NodeKind::Config } else { NodeKind::Local },
            name: format!("n{at}").into(),
            logical_name: "n".into(),
            token: None,
            component: None,
            span: Span::new(FileId(0), TextRange::empty(at as u32)),
            step: None,
        };
        let edge = |(from, to, by_option)| Edge {
            from,
            to,
            kind: if by_option { EdgeKind::Option("parent".into()) } else { EdgeKind::Reference },
            is_indirect: false,
        };
        let mut edges: Vec<Edge> = pairs.into_iter().map(edge).collect();
        edges.sort_unstable();
        Graph {
            nodes: is_config.iter().enumerate().map(node).collect(),
            components: Vec::new(),
            edges,
            is_complete: true,
        }
    }

    /// The edges after the definition: every path through locals is walked.
    fn expected(graph: &Graph) -> BTreeSet<(u32, u32, EdgeKind, bool)> {
        let is_local = |node: u32| graph.nodes[node as usize].kind == NodeKind::Local;
        let mut found = BTreeSet::new();
        for first in graph.edges.iter().filter(|edge| !is_local(edge.from)) {
            if !is_local(first.to) {
                found.insert((first.from, first.to, first.kind.clone(), false));
                continue;
            }
            let (mut reached, mut open) = (BTreeSet::new(), vec![first.to]);
            while let Some(node) = open.pop() {
                if reached.insert(node) && is_local(node) {
                    let next = graph.edges.iter().filter(|edge| edge.from == node);
                    open.extend(next.map(|edge| edge.to));
                }
            }
            for node in reached.into_iter().filter(|&node| !is_local(node)) {
                found.insert((first.from, node, first.kind.clone(), true));
            }
        }
        let direct = found.clone();
        found.retain(|(from, to, kind, is_indirect)| {
            !is_indirect || !direct.contains(&(*from, *to, kind.clone(), false))
        });
        found
    }

    proptest! {
        #[test]
        fn nodes_are_connected_by_the_paths_between_them(
            is_config in prop::collection::vec(any::<bool>(), 1..12),
            pairs in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()), 0..30),
        ) {
            let count = is_config.len();
            let pairs = pairs.into_iter().map(|(from, to, by_option)| {
                (from.index(count) as u32, to.index(count) as u32, by_option)
            });
            let graph = graph(&is_config, pairs.collect());
            let kept = graph.only(&[NodeKind::Config]);
            let old: Vec<u32> = (0..count as u32).filter(|&at| is_config[at as usize]).collect();
            let found = kept.edges.iter().map(|edge| {
                (old[edge.from as usize], old[edge.to as usize], edge.kind.clone(), edge.is_indirect)
            });
            let found: Vec<_> = found.collect();
            let mut unique: Vec<_> = expected(&graph).into_iter().collect();
            unique.sort_by(|a, b| (a.0, a.1, &a.2, a.3).cmp(&(b.0, b.1, &b.2, b.3)));
            prop_assert_eq!(found, unique);
            prop_assert!(kept.is_complete && kept.edges.is_sorted());
        }
    }

    #[test]
    fn the_edges_that_are_added_are_limited() {
        // Four configs refer to a local, which refers to three of them.
        let pairs = [(0, 4), (1, 4), (2, 4), (3, 4), (4, 0), (4, 1), (4, 2), (3, 0)];
        let pairs = pairs.map(|(from, to)| (from, to, false));
        let graph = graph(&[true, true, true, true, false], pairs.to_vec());
        let whole = graph.only_up_to(&[NodeKind::Config], 12);
        assert_eq!((whole.edges.len(), whole.is_complete), (12, true));
        let cut = graph.only_up_to(&[NodeKind::Config], 4);
        assert!(cut.edges.len() <= 5 && !cut.is_complete);
        // An edge of the program itself is always there.
        let direct = cut.edges.iter().filter(|edge| !edge.is_indirect);
        assert_eq!(direct.count(), 1);
    }
}
