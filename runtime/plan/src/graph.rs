//! The resources of a state and what they need, as a graph: a resource stands behind all that it
//! needs.

use std::collections::BTreeSet;

use pcl_values::Urn;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prior::{Prior, PriorResource};

/// The most components around a resource that wait for it when they are needed. Programs nest far
/// fewer, and a state that someone has made up must not take quadratic time.
const MOST_NESTED: usize = 256;

/// The graph of a state.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// The places of the resources that need one, without its children.
    dependents: FxHashMap<Urn, Vec<usize>>,
    /// The places of the children.
    children: FxHashMap<Urn, Vec<usize>>,
    /// The places of the resources that are replaced or deleted with one.
    cascades: FxHashMap<Urn, Vec<usize>>,
}

fn push(lists: &mut FxHashMap<Urn, Vec<usize>>, urn: &Urn, at: usize) {
    match lists.get_mut(urn) {
        // A resource may need another one in several ways.
        Some(list) if list.last() == Some(&at) => {}
        Some(list) => list.push(at),
        None => {
            lists.insert(urn.clone(), vec![at]);
        }
    }
}

impl Graph {
    /// The graph of the resources of a state.
    pub fn of(prior: &Prior) -> Self {
        let mut graph = Self::default();
        for (at, resource) in prior.resources().iter().enumerate() {
            let provider = resource.provider.iter().map(|(urn, _)| urn);
            for urn in resource.needs().chain(provider) {
                push(&mut graph.dependents, urn, at);
            }
            if let Some(parent) = &resource.parent {
                push(&mut graph.children, parent, at);
            }
            if !resource.is_deleted {
                for urn in resource.replace_with.iter().chain(&resource.deleted_with) {
                    push(&mut graph.cascades, urn, at);
                }
            }
        }
        graph
    }

    /// The places of the resources that are replaced or deleted with one.
    pub fn cascades(&self, urn: &Urn) -> &[usize] {
        self.cascades.get(urn).map_or(&[], Vec::as_slice)
    }

    /// The places of the children of a resource.
    pub fn children_of(&self, urn: &Urn) -> &[usize] {
        self.children.get(urn).map_or(&[], Vec::as_slice)
    }

    /// The places of the resources that need one directly, and of its children.
    pub fn behind(&self, urn: &Urn) -> impl Iterator<Item = usize> {
        let lists = [self.dependents.get(urn), self.children.get(urn)];
        lists.into_iter().flatten().flatten().copied()
    }

    /// The places of the resources that need those at some places, directly or not, in the order of
    /// the state. What needs them only by way of an ignored one is left out, like the ignored one.
    pub fn dependents(
        &self,
        prior: &Prior,
        roots: &[usize],
        is_ignored: impl Fn(&Urn) -> bool,
        with_children: bool,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        let mut pending: BTreeSet<usize> = BTreeSet::new();
        let add = |at: usize, pending: &mut BTreeSet<usize>| {
            let Some(resource) = prior.get(at) else { return };
            let lists = [
                self.dependents.get(&resource.urn),
                self.children.get(&resource.urn).filter(|_| with_children),
            ];
            pending.extend(lists.into_iter().flatten().flatten().filter(|it| **it > at));
        };
        roots.iter().for_each(|root| add(*root, &mut pending));
        while let Some(at) = pending.pop_first() {
            if prior.get(at).is_some_and(|resource| !is_ignored(&resource.urn)) {
                found.push(at);
                add(at, &mut pending);
            }
        }
        found
    }

    /// Sorts resources that are deleted into lists: the resources of a list need none of each
    /// other, and whatever needs one of them is in a list before.
    pub fn antichains(prior: &Prior, condemned: &[usize]) -> Vec<Vec<usize>> {
        let set: FxHashSet<usize> = condemned.iter().copied().collect();
        // The level of the condemned resource with a URN, and that of those inside a component.
        let mut levels: FxHashMap<&Urn, usize> = FxHashMap::default();
        let mut inside: FxHashMap<&Urn, usize> = FxHashMap::default();
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for (at, resource) in prior.resources().iter().enumerate() {
            if !set.contains(&at) {
                continue;
            }
            let level = level(prior, resource, &levels, &inside);
            if lists.len() <= level {
                lists.resize_with(level + 1, Vec::new);
            }
            if let Some(list) = lists.get_mut(level) {
                list.push(at);
            }
            let own = levels.entry(&resource.urn).or_default();
            *own = level.max(*own);
            let mut parent = resource.parent.as_ref();
            for _ in 0..MOST_NESTED {
                let Some(urn) = parent else { break };
                let known = inside.entry(urn).or_insert(0);
                if *known > level {
                    break;
                }
                *known = level + 1;
                parent = prior.live(urn).and_then(|resource| resource.parent.as_ref());
            }
        }
        lists.reverse();
        lists
    }
}

/// The number of lists of resources that a condemned resource needs. Whoever needs a component
/// needs what is inside of it.
fn level(
    prior: &Prior,
    resource: &PriorResource,
    levels: &FxHashMap<&Urn, usize>,
    inside: &FxHashMap<&Urn, usize>,
) -> usize {
    let behind = |urn: &Urn| levels.get(urn).map_or(0, |level| level + 1);
    let parent = resource.parent.as_ref().map_or(0, behind);
    let provider = resource.provider.iter().map(|(urn, _)| urn);
    let needs = resource.needs().chain(provider).map(|urn| {
        let is_component = prior.live(urn).is_some_and(|it| !it.is_custom);
        let within = inside.get(urn).filter(|_| is_component).copied();
        behind(urn).max(within.unwrap_or_default())
    });
    needs.max().unwrap_or_default().max(parent)
}
