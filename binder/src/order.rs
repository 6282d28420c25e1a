//! Orders over the dependency graph: what to bind when, cycles, and the linear order that
//! generators walk.
//!
//! The rules, with examples: `tests/spec/programs/order.md`.

#![expect(
    clippy::indexing_slicing,
    reason = "the lists have an element for each node of the graph or each of `files`, and edges lead
    to nodes of the graph: `every_node_follows_what_it_needs` runs all of it over random graphs"
)]

use crate::node::NodeId;

/// A dependency graph: the nodes that each node of a module refers to, as one list of them all and
/// the end of each part.
#[derive(Clone, Default, Debug)]
pub(crate) struct Dependencies {
    ends: Vec<u32>,
    targets: Vec<NodeId>,
}

impl Dependencies {
    /// No lists yet, with room for those of so many nodes.
    pub fn with_capacity(nodes: usize) -> Self {
        Self { ends: Vec::with_capacity(nodes), targets: Vec::with_capacity(2 * nodes) }
    }

    /// Adds the list of the next node.
    pub fn push(&mut self, targets: &[NodeId]) {
        self.targets.extend_from_slice(targets);
        self.ends.push(self.targets.len() as u32);
    }

    /// The nodes that `node` needs.
    pub fn of(&self, node: usize) -> &[NodeId] {
        let Some(&end) = self.ends.get(node) else { return &[] };
        let before = node.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.copied().unwrap_or_default();
        self.targets.get(start as usize..end as usize).unwrap_or_default()
    }
}

/// Nodes that all need each other, or a single node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Component<'c> {
    /// The member that the walk met first.
    pub root: usize,
    /// The members by number.
    pub members: &'c [usize],
}

/// The strongly connected components of a graph, dependencies first.
pub(crate) struct Components {
    members: Vec<usize>,
    /// The root of each, and the end of its members.
    found: Vec<(usize, usize)>,
}

impl Components {
    /// The components in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Component<'_>> {
        let mut start = 0;
        self.found.iter().map(move |&(root, end)| {
            let members = &self.members[start..end];
            start = end;
            Component { root, members }
        })
    }
}

/// The strongly connected components of a graph.
///
/// The walk keeps its own stack, so a chain of any length is fine; it starts at the nodes in order
/// and follows edges in order, which makes the result deterministic.
pub(crate) fn components(edges: &Dependencies) -> Components {
    const UNSEEN: usize = usize::MAX;
    // The index of members of components that were found: above all others, so that it lowers
    // nothing.
    const FOUND: usize = usize::MAX - 1;
    let count = edges.ends.len();
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0; count];
    let mut stack = Vec::new();
    let mut walk: Vec<(usize, std::slice::Iter<'_, NodeId>)> = Vec::new();
    let mut next = 0;
    let mut members = Vec::with_capacity(count);
    let mut found = Vec::with_capacity(count);
    for root in 0..count {
        let mut entered = Some(root).filter(|&root| index[root] == UNSEEN);
        loop {
            if let Some(node) = entered.take() {
                index[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                walk.push((node, edges.of(node).iter()));
            }
            let Some((node, rest)) = walk.last_mut() else { break };
            let node = *node;
            if let Some(target) = rest.next() {
                let target = target.index();
                if index[target] == UNSEEN {
                    entered = Some(target);
                } else {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            walk.pop();
            if let Some(&(parent, _)) = walk.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                let start = members.len();
                while let Some(member) = stack.pop() {
                    index[member] = FOUND;
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                members[start..].sort_unstable();
                found.push((node, members.len()));
            }
        }
    }
    Components { members, found }
}

/// An order in which to bind components that need each other, from the root on, dependencies first.
/// Two that need each other directly are legal: the one that is visited second is bound before the
/// type of the first is known. `None` if a cycle remains that is not such a pair.
pub(crate) fn mutual_order(edges: &Dependencies, component: Component<'_>) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let place = |node: usize| component.members.binary_search(&node).ok();
    let mut state = vec![State::New; component.members.len()];
    let mut order = Vec::new();
    let mut walk = vec![(component.root, 0)];
    state[place(component.root)?] = State::Open;
    while let Some(&mut (node, ref mut edge)) = walk.last_mut() {
        let Some(target) = edges.of(node).get(*edge) else {
            state[place(node)?] = State::Done;
            order.push(node);
            walk.pop();
            continue;
        };
        *edge += 1;
        let target = target.index();
        if target == node {
            return None;
        }
        let Some(at) = place(target) else { continue };
        match state[at] {
            State::New => {
                state[at] = State::Open;
                walk.push((target, 0));
            }
            State::Open if !needs(edges, target, node) => return None,
            State::Open | State::Done => {}
        }
    }
    Some(order)
}

/// Returns whether `node` needs `target` itself.
fn needs(edges: &Dependencies, node: usize, target: usize) -> bool {
    edges.of(node).iter().any(|id| id.index() == target)
}

/// A shortest cycle through `start` inside `component`, as the nodes on it; `start` comes first.
pub(crate) fn cycle_through(edges: &Dependencies, component: &[usize], start: usize) -> Vec<usize> {
    let mut came_from: Vec<Option<usize>> = vec![None; component.len()];
    let position = |node: usize| component.binary_search(&node).ok();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for target in edges.of(node).iter().map(|id| id.index()) {
            if target == start {
                let mut path = vec![node];
                let mut at = node;
                while at != start {
                    let Some(before) = position(at).and_then(|p| came_from[p]) else { break };
                    path.push(before);
                    at = before;
                }
                path.reverse();
                return path;
            }
            if let Some(p) = position(target)
                && came_from[p].is_none()
            {
                came_from[p] = Some(node);
                queue.push_back(target);
            }
        }
    }
    vec![start]
}

/// The position of a node, for [`linearize`].
pub(crate) struct Placed {
    /// Number of the node's file, files being numbered by name.
    pub file: usize,
    /// Offset in the file.
    pub offset: u32,
}

/// All nodes, dependencies first: file by file, always the file next that needs the fewest nodes of
/// other files that have not come yet (ties: the smaller name), inside a file by position, each
/// node after what it needs.
///
/// The counts are kept up to date instead of being made anew, so the cost is that of the edges and
/// of files squared at worst.
pub(crate) fn linearize(nodes: &[Placed], edges: &Dependencies, files: usize) -> Vec<usize> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); files];
    for (node, placed) in nodes.iter().enumerate() {
        members[placed.file].push(node);
    }
    for list in &mut members {
        list.sort_by_key(|&node| nodes[node].offset);
    }
    // Which files wait for a node of another file, and for how many such nodes each file waits.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut open = vec![0usize; files];
    for (file, list) in members.iter().enumerate() {
        let mut needed: Vec<usize> = list
            .iter()
            .flat_map(|&node| edges.of(node).iter().map(|id| id.index()))
            .filter(|&target| nodes[target].file != file)
            .collect();
        needed.sort_unstable();
        needed.dedup();
        open[file] = needed.len();
        for target in needed {
            waiting[target].push(file);
        }
    }
    let mut remaining: Vec<usize> = (0..files).filter(|&f| !members[f].is_empty()).collect();
    let mut done = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut stack: Vec<(usize, usize)> = Vec::new();
    while let Some(at) = (0..remaining.len()).min_by_key(|&at| (open[remaining[at]], remaining[at]))
    {
        let file = remaining.remove(at);
        for &node in &members[file] {
            if done[node] {
                continue;
            }
            done[node] = true;
            stack.push((node, 0));
            while let Some(&mut (node, ref mut edge)) = stack.last_mut() {
                if let Some(target) = edges.of(node).get(*edge) {
                    *edge += 1;
                    let target = target.index();
                    // Two components may need each other; such an edge does not order them.
                    let mutual = needs(edges, target, node);
                    if !done[target] && !mutual {
                        done[target] = true;
                        stack.push((target, 0));
                    }
                    continue;
                }
                stack.pop();
                order.push(node);
                for &file in &waiting[node] {
                    open[file] -= 1;
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edges<const N: usize>(edges: [&[u32]; N]) -> Dependencies {
        graph(&edges.map(|targets| targets.iter().copied().map(NodeId).collect()))
    }

    fn graph(lists: &[Vec<NodeId>]) -> Dependencies {
        let mut edges = Dependencies::default();
        lists.iter().for_each(|targets| edges.push(targets));
        edges
    }

    #[test]
    fn a_cycle_is_one_component_with_its_path() {
        // a -> b -> c -> b
        let edges = edges([&[1], &[2], &[1]]);
        let found = components(&edges);
        let component = |root, members| Component { root, members };
        assert!(found.iter().eq([component(1, &[1, 2]), component(0, &[0])]));
        assert_eq!(cycle_through(&edges, &[1, 2], 1), vec![1, 2]);
    }

    #[test]
    fn pairs_of_components_have_an_order_and_triangles_do_not() {
        let order = |edges: Dependencies| {
            let found = components(&edges);
            mutual_order(&edges, found.iter().next()?)
        };
        // Each of a pair needs the other: the second is bound first.
        assert_eq!(order(edges([&[1], &[0]])), Some(vec![1, 0]));
        // A chain of pairs.
        assert_eq!(order(edges([&[1], &[0, 2], &[1]])), Some(vec![2, 1, 0]));
        assert_eq!(order(edges([&[1], &[2], &[0]])), None);
        assert_eq!(order(edges([&[0]])), None);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let count = 100_000;
        let edges: Vec<Vec<NodeId>> = (1..=count)
            .map(|next| Vec::from_iter((next < count).then_some(NodeId(next))))
            .collect();
        let found = components(&graph(&edges));
        let mut found = found.iter();
        assert_eq!(found.len(), count as usize);
        assert_eq!(found.next().map(|first| first.members), Some(&[count as usize - 1][..]));
    }

    #[test]
    fn files_with_fewer_open_needs_come_first() {
        // File 0: x, loc (needs q). File 1: y (needs x), q, o.
        let nodes = [(0, 0), (0, 10), (1, 0), (1, 10), (1, 20)]
            .map(|(file, offset)| Placed { file, offset });
        let edges = edges([&[], &[3], &[0], &[], &[]]);
        assert_eq!(linearize(&nodes, &edges, 2), vec![0, 3, 1, 2, 4]);
    }

    /// A node that a file needs several times is one need.
    #[test]
    fn repeated_needs_count_once() {
        // File 0: a, b, c, which all need x. File 1: d needs x, e needs y. File 2: x, y, and what
        // needs a, d and e.
        let nodes = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
            .map(|(file, offset)| Placed { file, offset });
        let edges = edges([&[5], &[5], &[5], &[5], &[6], &[], &[], &[0, 3, 4]]);
        let order = linearize(&nodes, &edges, 3);
        assert_eq!(order, vec![5, 0, 1, 2, 3, 6, 4, 7]);
    }

    proptest! {
        #[test]
        fn every_node_follows_what_it_needs(raw in prop::collection::vec((0usize..3, prop::collection::vec(any::<prop::sample::Index>(), 0..4)), 1..30)) {
            // Edges lead to smaller numbers only, so there is no cycle.
            let edges: Vec<Vec<NodeId>> = raw.iter().enumerate().map(|(n, (_, targets))| {
                let mut targets: Vec<NodeId> = targets.iter().filter(|_| n > 0).map(|t| NodeId(t.index(n) as u32)).collect();
                targets.sort_unstable();
                targets.dedup();
                targets
            }).collect();
            let nodes: Vec<Placed> = raw.iter().enumerate().map(|(n, (file, _))| Placed { file: *file, offset: n as u32 }).collect();
            let order = linearize(&nodes, &graph(&edges), 3);
            prop_assert_eq!(order.len(), nodes.len());
            let place: Vec<usize> = (0..nodes.len()).map(|n| order.iter().position(|&o| o == n).unwrap()).collect();
            for (node, targets) in edges.iter().enumerate() {
                for target in targets {
                    prop_assert!(place[target.index()] < place[node]);
                }
            }
        }
    }
}
