//! Equality by structure.
//!
//! Two anonymous types are equal if their ids are. A nominal type can still equal an anonymous one,
//! or another nominal one, property by property, which this module decides.

use rustc_hash::FxHashSet;

use super::memo::Pair;
use crate::types::{Facts, Properties, Type, TypeId, TypeStore};

impl TypeStore {
    /// Returns whether two types have the same structure. Recursive types are the same when no
    /// difference can be found.
    pub fn same(&mut self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        if !self.facts(a).has(Facts::NOMINAL) && !self.facts(b).has(Facts::NOMINAL) {
            return false;
        }
        if let Some(known) = self.relations.same.get(&Pair::new(a, b)) {
            return *known;
        }
        let mut search = Search::default();
        search.push(0, [(a, b)]);
        let difference = self.find_difference(&mut search);
        let same = &mut self.relations.same;
        match difference {
            Some(mut at) => {
                // Pairs that lead to a difference are different as well.
                while let Some(&(pair, outer)) =
                    at.checked_sub(1).and_then(|at| search.visited.get(at))
                {
                    same.insert(pair, false);
                    at = outer;
                }
            }
            None => same.extend(search.visited.iter().map(|(pair, _)| (*pair, true))),
        }
        difference.is_none()
    }

    /// Compares pair by pair until two types differ; the number of the visit that came upon them.
    fn find_difference(&mut self, search: &mut Search) -> Option<usize> {
        while let Some((a, b, outer)) = search.open.pop() {
            if a == b {
                continue;
            }
            if !self.facts(a).has(Facts::NOMINAL) && !self.facts(b).has(Facts::NOMINAL) {
                return Some(outer);
            }
            let pair = Pair::new(a, b);
            match self.relations.same.get(&pair) {
                Some(true) => continue,
                Some(false) => return Some(outer),
                None if !search.seen.insert(pair) => continue,
                None => search.visited.push((pair, outer)),
            }
            let own = search.visited.len();
            match (self.get(a).clone(), self.get(b).clone()) {
                (Type::List(x), Type::List(y))
                | (Type::Set(x), Type::Set(y))
                | (Type::Map(x), Type::Map(y))
                | (Type::Output(x), Type::Output(y))
                | (Type::Promise(x), Type::Promise(y)) => search.push(own, [(x, y)]),
                (Type::Tuple(x), Type::Tuple(y)) if x.len() == y.len() => {
                    search.push(own, x.iter().copied().zip(y.iter().copied()));
                }
                (Type::Union(x), Type::Union(y)) if x.len() == y.len() => {
                    // Equal types are side by side in the structural order.
                    let (x, y) = (self.members(a), self.members(b));
                    search.push(own, x.iter().copied().zip(y.iter().copied()));
                }
                _ => match (self.properties(a), self.properties(b)) {
                    (Some(x), Some(y)) if same_names(&x, &y) => {
                        search.push(
                            own,
                            x.iter().map(|(_, ty)| *ty).zip(y.iter().map(|(_, ty)| *ty)),
                        );
                    }
                    _ => return Some(own),
                },
            }
        }
        None
    }
}

/// A walk over two types side by side. Visits are numbered from 1; 0 is the outside.
#[derive(Default)]
struct Search {
    open: Vec<(TypeId, TypeId, usize)>,
    seen: FxHashSet<Pair>,
    /// Each pair, and the visit that it belongs to.
    visited: Vec<(Pair, usize)>,
}

impl Search {
    fn push(&mut self, outer: usize, pairs: impl IntoIterator<Item = (TypeId, TypeId)>) {
        self.open.extend(pairs.into_iter().map(|(a, b)| (a, b, outer)));
    }
}

fn same_names(x: &Properties, y: &Properties) -> bool {
    x.len() == y.len() && x.iter().zip(y.iter()).all(|((a, _), (b, _))| a == b)
}
