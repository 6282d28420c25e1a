//! Equality by structure.
//!
//! Two anonymous types are equal when their ids are. A nominal type can still equal an anonymous one, or another nominal
//! one, property by property; where that matters it is asked here.

use rustc_hash::FxHashSet;

use super::memo::Pair;
use crate::types::{Facts, Properties, Type, TypeId, TypeStore};

impl TypeStore {
    /// Whether two types have the same structure. Recursive types are the same when no difference can be found.
    pub fn same(&mut self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        if !self.facts(a).has(Facts::NOMINAL) && !self.facts(b).has(Facts::NOMINAL) {
            return false;
        }
        let question = Pair::new(a, b);
        if let Some(known) = self.relations.same.get(&question) {
            return *known;
        }
        let answer = self.find_no_difference(a, b);
        self.relations.same.insert(question, answer);
        answer
    }

    fn find_no_difference(&mut self, a: TypeId, b: TypeId) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            if a == b || !seen.insert(Pair::new(a, b)) {
                continue;
            }
            if !self.facts(a).has(Facts::NOMINAL) && !self.facts(b).has(Facts::NOMINAL) {
                return false;
            }
            match (self.get(a).clone(), self.get(b).clone()) {
                (Type::List(x), Type::List(y))
                | (Type::Set(x), Type::Set(y))
                | (Type::Map(x), Type::Map(y))
                | (Type::Output(x), Type::Output(y))
                | (Type::Promise(x), Type::Promise(y)) => open.push((x, y)),
                (Type::Tuple(x), Type::Tuple(y)) if x.len() == y.len() => {
                    open.extend(x.iter().copied().zip(y.iter().copied()));
                }
                (Type::Union(x), Type::Union(y)) if x.len() == y.len() => {
                    // Equal types print alike, so display order puts them side by side.
                    let (x, y) = (self.members(a), self.members(b));
                    open.extend(x.iter().copied().zip(y.iter().copied()));
                }
                _ => match (self.properties(a), self.properties(b)) {
                    (Some(x), Some(y)) if same_names(&x, &y) => {
                        open.extend(x.iter().map(|(_, ty)| *ty).zip(y.iter().map(|(_, ty)| *ty)));
                    }
                    _ => return false,
                },
            }
        }
        true
    }
}

fn same_names(x: &Properties, y: &Properties) -> bool {
    x.len() == y.len() && x.iter().zip(y.iter()).all(|((a, _), (b, _))| a == b)
}
