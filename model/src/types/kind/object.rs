//! Objects: named properties. Anonymous ones here; schema objects are nominal, with the same rules.
//!
//! The rules, with examples: `tests/spec/types/object.md`.

use rustc_hash::FxHashMap;

use super::super::{Symbol, Type, TypeId, TypeStore};
use crate::relations::{Conversion, KeyInfo, KeyValue, TraverseProblemKind, Traversed};

/// Up to how many properties a scan finds a name faster than a search by name.
const SCAN: usize = 16;

impl TypeStore {
    /// An object of these properties, in any order; of a repeated name the last one counts.
    pub fn object(&mut self, properties: impl IntoIterator<Item = (Symbol, TypeId)>) -> TypeId {
        let mut sorted = std::mem::take(&mut self.spare_properties);
        sorted.clear();
        sorted.extend(properties);
        self.sort_properties(&mut sorted);
        let object = self.intern_object(&sorted);
        self.spare_properties = sorted;
        object
    }

    /// Sorts by name, and keeps the last one of a repeated name.
    pub(crate) fn sort_properties(&self, properties: &mut Vec<(Symbol, TypeId)>) {
        properties.sort_by(|a, b| self.compare_names(a.0, b.0));
        properties.dedup_by(|later, kept| {
            let repeated = later.0 == kept.0;
            if repeated {
                kept.1 = later.1;
            }
            repeated
        });
    }

    /// The type of the property called exactly `name`.
    pub fn property(&mut self, object: TypeId, name: Symbol) -> Option<TypeId> {
        self.materialize(object);
        self.find_property(self.known_properties(object)?, name)
    }

    pub(crate) fn find_property(
        &self,
        properties: &[(Symbol, TypeId)],
        name: Symbol,
    ) -> Option<TypeId> {
        if properties.len() <= SCAN {
            return properties
                .iter()
                .find(|(own, _)| *own == name)
                .map(|(_, ty)| *ty);
        }
        let at = properties
            .binary_search_by(|(own, _)| self.compare_names(*own, name))
            .ok()?;
        Some(properties[at].1)
    }

    /// Walks two property lists side by side: each name once, with its type on either side.
    pub(crate) fn side_by_side<'a>(
        &'a self,
        left: &'a [(Symbol, TypeId)],
        right: &'a [(Symbol, TypeId)],
    ) -> impl Iterator<Item = (Symbol, Option<TypeId>, Option<TypeId>)> + 'a {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let (mut l, mut r) = (0, 0);
        std::iter::from_fn(move || {
            let order = match (left.get(l), right.get(r)) {
                (None, None) => return None,
                (Some(_), None) => Less,
                (None, Some(_)) => Greater,
                (Some((a, _)), Some((b, _))) if a == b => Equal,
                (Some((a, _)), Some((b, _))) => self.compare_names(*a, *b),
            };
            let (a, b) = (left.get(l).copied(), right.get(r).copied());
            match order {
                Less => {
                    l += 1;
                    a.map(|(name, ty)| (name, Some(ty), None))
                }
                Greater => {
                    r += 1;
                    b.map(|(name, ty)| (name, None, Some(ty)))
                }
                Equal => {
                    l += 1;
                    r += 1;
                    a.zip(b)
                        .map(|((name, left), (_, right))| (name, Some(left), Some(right)))
                }
            }
        })
    }

    /// Property by property; a missing one counts as none, a surplus one is ignored. When unifying, only what both have
    /// counts. A map may turn out to have the right keys.
    pub(crate) fn object_from(&mut self, dst: TypeId, src: TypeId, unifying: bool) -> Conversion {
        if let Some(resource) = self.referred_resource(src) {
            return match self.wanted_resource(dst) {
                None => self.relate(dst, resource, unifying),
                wanted if wanted == self.resource_token(resource) => Conversion::Safe,
                Some(_) => Conversion::No,
            };
        }
        let wanted = self.properties(dst).unwrap_or_default();
        if let Type::Map(from) = self.get(src) {
            let from = *from;
            return self
                .least_into(wanted.iter().map(|(_, ty)| *ty), from, unifying)
                .unsafely();
        }
        let Some(given) = self.properties(src) else {
            return Conversion::No;
        };
        let mut least = Conversion::Safe;
        let mut r = 0;
        for &(name, want) in wanted.iter() {
            let give = self.advance(&given, &mut r, name);
            let step = match (give, unifying) {
                (Some(give), true) => self.unify(want, give).1,
                (None, true) => continue,
                (give, false) => self.relate(want, give.unwrap_or(TypeId::NONE), false),
            };
            least = least.min(step);
            if least == Conversion::No {
                break;
            }
        }
        least
    }

    /// The type of `name` in `properties`, looked for from `*at` on; names must be asked for in order.
    pub(crate) fn advance(
        &self,
        properties: &[(Symbol, TypeId)],
        at: &mut usize,
        name: Symbol,
    ) -> Option<TypeId> {
        while let Some(&(own, ty)) = properties.get(*at) {
            if own == name {
                *at += 1;
                return Some(ty);
            }
            if self.compare_names(own, name).is_gt() {
                return None;
            }
            *at += 1;
        }
        None
    }

    pub(crate) fn object_takes(&mut self, dst: TypeId, src: TypeId) -> bool {
        let (Some(wanted), Some(given)) = (self.properties(dst), self.properties(src)) else {
            return false;
        };
        let mut at = 0;
        wanted.iter().all(|&(name, want)| {
            let give = self.advance(&given, &mut at, name).unwrap_or(TypeId::NONE);
            self.takes(want, give)
        })
    }

    /// Objects unify property by property, what only one of them has becoming optional; with a map they give a map.
    pub(crate) fn unify_object(&mut self, a: TypeId, b: TypeId) -> (TypeId, Conversion) {
        let own = self.properties(a).unwrap_or_default();
        if let Type::Map(element) = self.get(b) {
            let element = *element;
            let parts: Vec<_> = own.iter().map(|(_, ty)| *ty).collect();
            let (element, safety) = self.unify_onto(element, &parts);
            return (self.map(element), safety);
        }
        let Some(other) = self.properties(b) else {
            return (a, self.relate(a, b, true));
        };
        let pairs: Vec<_> = self.side_by_side(&own, &other).collect();
        let (mut unified, mut safety) = (Vec::with_capacity(pairs.len()), Conversion::Safe);
        for (name, left, right) in pairs {
            let ty = match (left, right) {
                (Some(left), Some(right)) => {
                    let (ty, step) = self.unify(left, right);
                    safety = safety.min(step);
                    ty
                }
                (Some(one), None) | (None, Some(one)) => self.optional(one),
                (None, None) => continue,
            };
            unified.push((name, ty));
        }
        (self.intern_object(&unified), safety)
    }

    /// A key must convert to a string. A constant one names a property, failing that one that differs in case alone,
    /// which is worth a warning; any other could name each of them.
    pub(crate) fn traverse_object(&mut self, object: TypeId, key: &KeyInfo) -> Traversed {
        if !self.converts_to_input(TypeId::STRING, key.ty) {
            let kind = TraverseProblemKind::ObjectKey { key: key.ty };
            return self.untraversable(object, kind);
        }
        let name = match key.value {
            KeyValue::Name(name) => name,
            KeyValue::Unknown => {
                let properties = self.properties(object).unwrap_or_default();
                return Traversed::to(self.union(properties.iter().map(|(_, ty)| *ty)));
            }
            KeyValue::Constant(value) => match value.as_text() {
                Some(name) => self.symbol(&name),
                None => {
                    let kind = TraverseProblemKind::ObjectKey { key: key.ty };
                    return self.untraversable(object, kind);
                }
            },
        };
        if let Some(found) = self.property(object, name) {
            return Traversed::to(found);
        }
        match self.property_without_case(object, name) {
            Some((actual, ty)) => Traversed::to(ty).warning(TraverseProblemKind::OtherCase {
                asked: name,
                actual,
            }),
            None => {
                let kind = TraverseProblemKind::UnknownProperty { name, object };
                self.untraversable(object, kind)
            }
        }
    }

    /// The first property whose name differs from `name` in case alone.
    fn property_without_case(&mut self, object: TypeId, name: Symbol) -> Option<(Symbol, TypeId)> {
        let properties = self.properties(object)?;
        let lower = self.name(name).to_lowercase();
        if properties.len() <= SCAN {
            let is_same = |(own, _): &&(Symbol, TypeId)| self.name(*own).to_lowercase() == lower;
            return properties.iter().find(is_same).copied();
        }
        if !self.lower_names.contains_key(&object) {
            let mut names: FxHashMap<String, (Symbol, TypeId)> = FxHashMap::default();
            for &(own, ty) in properties.iter() {
                let lower = self.name(own).to_lowercase();
                names.entry(lower).or_insert((own, ty));
            }
            self.lower_names.insert(object, names);
        }
        self.lower_names.get(&object)?.get(&lower).copied()
    }

    /// What comes of a key that `object` does not have: an error, or a warning when there may be more than is known of it.
    fn untraversable(&mut self, object: TypeId, kind: TraverseProblemKind) -> Traversed {
        let failed = Traversed::to(TypeId::DYNAMIC);
        match self.is_strict(object) {
            true => failed.error(kind),
            false => failed.warning(kind),
        }
    }
}
