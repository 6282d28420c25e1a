//! Objects: named properties. Anonymous ones here; schema objects are nominal, with the same rules.
//!
//! The rules, with examples: `tests/spec/types/object.md`.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::super::{Branch, Properties, Symbol, Type, TypeId, TypeStore};
use crate::relations::{Conversion, Key, Level, TraverseErrorKind, Traversed};

/// Up to how many properties a scan finds a name faster than a search by name.
const SCAN: usize = 16;

/// Up to how many properties are looked for one by one among more of them, and put among them one
/// by one. No answer depends on it; with debug assertions it is small, so that the tests about
/// objects have both.
///
/// To check a chain of 480 conditions, each of which adds a property, takes 11 million
/// instructions, and 19 million where the parts of the trees are compared.
const ONE_BY_ONE: usize = if cfg!(debug_assertions) { 2 } else { 16 };

impl TypeStore {
    /// An object of these properties, in any order; of a repeated name the last one counts.
    pub fn object(&mut self, properties: impl IntoIterator<Item = (Symbol, TypeId)>) -> TypeId {
        let mut properties: Vec<_> = properties.into_iter().collect();
        self.sort_properties(&mut properties);
        self.gather(&properties).ty
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

    pub(crate) fn find_property(&self, properties: &Properties, name: Symbol) -> Option<TypeId> {
        let mut properties = properties;
        while let Some(many) = properties.many() {
            let (own, ty) = many.part;
            properties = match self.compare_names(name, own) {
                Ordering::Less => &many.left.parts,
                Ordering::Equal => return Some(ty),
                Ordering::Greater => &many.right.parts,
            };
        }
        if properties.len() <= SCAN {
            return properties.iter().find(|(own, _)| *own == name).map(|(_, ty)| *ty);
        }
        let at = properties.binary_search_by(|(own, _)| self.compare_names(*own, name)).ok()?;
        properties.get(at).map(|&(_, ty)| ty)
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
                    a.zip(b).map(|((name, left), (_, right))| (name, Some(left), Some(right)))
                }
            }
        })
    }

    /// Property by property; a missing one counts as none, a surplus one is ignored. When unifying,
    /// only what both have counts. A map may turn out to have the right keys.
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
            let least = match wanted.many() {
                None => self.least_into(wanted.iter().map(|(_, ty)| *ty), from, unifying),
                Some(many) => [&many.left, &many.right]
                    .into_iter()
                    .fold(self.relate(many.part.1, from, unifying), |least, part| {
                        least.min(self.relate_at(part.ty, src, unifying, Level::Same))
                    }),
            };
            return least.unsafely();
        }
        let Some(given) = self.properties(src) else { return Conversion::No };
        let [wants_many, gives_many] = [&wanted, &given].map(|own| own.len() > ONE_BY_ONE);
        let by_given = unifying && wants_many && !gives_many;
        let by_name = by_given || (gives_many && !wants_many);
        if !by_name && (wanted.many().is_some() || given.many().is_some()) {
            let [dst, src] = [dst, src].map(|ty| self.own_properties(ty));
            return self.object_from_part(&dst, &src, unifying);
        }
        let (mut least, mut at) = (Conversion::Safe, 0);
        for &(name, own) in if by_given { &given } else { &wanted } {
            let (want, give) = match by_name {
                _ if by_given => (self.find_property(&wanted, name), Some(own)),
                true => (Some(own), self.find_property(&given, name)),
                false => (Some(own), self.advance(&given, &mut at, name)),
            };
            least = least.min(self.property_from(want, give, unifying));
            if least == Conversion::No {
                break;
            }
        }
        least
    }

    /// [`TypeStore::object_from`] for many properties: as for the objects of some of them.
    fn object_from_part(
        &mut self,
        dst: &Branch<(Symbol, TypeId)>,
        src: &Branch<(Symbol, TypeId)>,
        unifying: bool,
    ) -> Conversion {
        let Some([wanted, given]) = self.divide(dst, src) else {
            return self.relate_at(dst.ty, src.ty, unifying, Level::Same);
        };
        let [want, give] = [wanted.1, given.1].map(|property| property.map(|(_, ty)| ty));
        let mut least = self.property_from(want, give, unifying);
        for (dst, src) in [(&wanted.0, &given.0), (&wanted.2, &given.2)] {
            if least == Conversion::No {
                break;
            }
            let nothing_in_common = unifying && src.parts.is_empty();
            if !dst.parts.is_empty() && !nothing_in_common {
                least = least.min(self.relate_at(dst.ty, src.ty, unifying, Level::Same));
            }
        }
        least
    }

    /// The properties of an object, as those of an anonymous one.
    fn own_properties(&mut self, object: TypeId) -> Branch<(Symbol, TypeId)> {
        match self.branch_of(object) {
            Some(own) => own,
            None => {
                let properties = self.properties(object).unwrap_or_default();
                self.gather(&properties)
            }
        }
    }

    fn property_from(
        &mut self,
        want: Option<TypeId>,
        give: Option<TypeId>,
        unifying: bool,
    ) -> Conversion {
        match (want, give, unifying) {
            (None, ..) | (_, None, true) => Conversion::Safe,
            (Some(want), Some(give), true) => self.unify(want, give).1,
            (Some(want), give, false) => self.relate(want, give.unwrap_or(TypeId::NONE), false),
        }
    }

    /// The type of `name` in `properties`, searched from `*at` on; names must be requested in
    /// order.
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
        wanted.iter().all(|&(name, want)| {
            let give = self.find_property(&given, name);
            self.takes(want, give.unwrap_or(TypeId::NONE))
        })
    }

    /// Objects unify property by property, what only one of them has becoming optional; with a map
    /// they give a map.
    pub(crate) fn unify_object(&mut self, a: TypeId, b: TypeId) -> (TypeId, Conversion) {
        let own = self.properties(a).unwrap_or_default();
        if let Type::Map(element) = self.get(b) {
            let element = *element;
            let parts = self.property_types(&own);
            let (element, safety) = self.unify_onto(element, &parts);
            return (self.map(element), safety);
        }
        let Some(other) = self.properties(b) else { return (a, self.convert(a, b)) };
        if own.len().max(other.len()) > ONE_BY_ONE {
            let [own, other] = [a, b].map(|ty| self.own_properties(ty));
            return self.unify_properties(&own, &other);
        }
        self.unify_few_properties(&own, &other)
    }

    fn unify_few_properties(&mut self, a: &Properties, b: &Properties) -> (TypeId, Conversion) {
        let pairs: Vec<_> = self.side_by_side(a, b).collect();
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
        (self.gather(&unified).ty, safety)
    }

    /// [`TypeStore::unify_object`] for many properties: as for the objects of some of them.
    fn unify_properties(
        &mut self,
        a: &Branch<(Symbol, TypeId)>,
        b: &Branch<(Symbol, TypeId)>,
    ) -> (TypeId, Conversion) {
        if a.ty == b.ty {
            return (a.ty, Conversion::Safe);
        }
        if a.parts.is_empty() || b.parts.is_empty() {
            let given = if a.parts.is_empty() { b } else { a };
            return (self.all_optional(given), Conversion::Safe);
        }
        match [a, b].map(|own| own.parts.len() > ONE_BY_ONE) {
            [true, false] => {
                return self.unify_into(a, &b.parts, |types, (own, other)| types.unify(own, other));
            }
            [false, true] => {
                return self.unify_into(b, &a.parts, |types, (own, other)| types.unify(other, own));
            }
            _ => {}
        }
        let Some([a, b]) = self.divide(a, b) else {
            return self.unify_few_properties(&a.parts, &b.parts);
        };
        let [(left, least), (right, step)] = [(&a.0, &b.0), (&a.2, &b.2)]
            .map(|(a, b)| self.unify_inside(a.ty, b.ty, |types| types.unify_properties(a, b)));
        let mut safety = least.min(step);
        let property = match (a.1, b.1) {
            (Some((name, a)), Some((_, b))) => {
                let (ty, step) = self.unify(a, b);
                safety = safety.min(step);
                Some((name, ty))
            }
            (Some((name, one)), None) | (None, Some((name, one))) => {
                Some((name, self.optional(one)))
            }
            (None, None) => None,
        };
        // An object that is too deep has no properties any more.
        let (Some(left), Some(right), Some(property)) =
            (self.branch_of(left), self.branch_of(right), property)
        else {
            return (TypeId::DYNAMIC, safety);
        };
        (self.join(left, property, right).ty, safety)
    }

    /// [`TypeStore::unify_properties`] for few properties, which are put among many others.
    fn unify_into(
        &mut self,
        many: &Branch<(Symbol, TypeId)>,
        few: &Properties,
        mut unify: impl FnMut(&mut Self, (TypeId, TypeId)) -> (TypeId, Conversion),
    ) -> (TypeId, Conversion) {
        let (mut unified, mut safety) = (Vec::with_capacity(few.len()), Conversion::Safe);
        for &(name, other) in few {
            let ty = match self.find_property(&many.parts, name) {
                Some(own) => {
                    let (ty, step) = unify(self, (own, other));
                    safety = safety.min(step);
                    ty
                }
                None => self.optional(other),
            };
            unified.push((name, ty));
        }
        let others = self.all_optional(many);
        // An object that is too deep has no properties any more.
        let Some(others) = self.branch_of(others) else { return (TypeId::DYNAMIC, safety) };
        let (mut all, mut is_optional) = (others, true);
        for property in unified {
            is_optional &= self.optional(property.1) == property.1;
            all = self.insert(&all, property);
        }
        if is_optional {
            self.all_optional.insert(all.ty, all.ty);
        }
        (all.ty, safety)
    }

    /// An object of these properties, each of which may be left out.
    fn all_optional(&mut self, properties: &Branch<(Symbol, TypeId)>) -> TypeId {
        if let Some(known) = self.all_optional.get(&properties.ty) {
            return *known;
        }
        let made = match properties.parts.many().cloned() {
            None => {
                let parts = properties.parts.iter();
                let parts: Vec<_> = parts.map(|&(name, ty)| (name, self.optional(ty))).collect();
                self.gather(&parts).ty
            }
            Some(many) => {
                let [left, right] = [&many.left, &many.right]
                    .map(|part| self.all_optional(part))
                    .map(|part| self.branch_of(part));
                let (name, ty) = many.part;
                let property = (name, self.optional(ty));
                match (left, right) {
                    (Some(left), Some(right)) => self.branch(left, property, right).ty,
                    _ => TypeId::DYNAMIC,
                }
            }
        };
        self.all_optional.insert(properties.ty, made);
        self.all_optional.insert(made, made);
        made
    }

    /// The union of the types of all properties.
    fn any_property(&mut self, object: TypeId) -> TypeId {
        if let Some(known) = self.any_property.get(&object) {
            return *known;
        }
        let properties = self.properties(object).unwrap_or_default();
        let any = match properties.many() {
            None => self.union(properties.iter().map(|(_, ty)| *ty)),
            Some(many) => {
                let [left, right] =
                    [&many.left, &many.right].map(|part| self.any_property(part.ty));
                self.union([left, many.part.1, right])
            }
        };
        self.any_property.insert(object, any);
        any
    }

    /// A key must convert to a string. A constant one names a property, failing that one that
    /// differs in case alone, which is worth a warning; any other could name each of them.
    pub(crate) fn traverse_object(&mut self, object: TypeId, key: &Key) -> Traversed {
        if !self.converts_to_input(TypeId::STRING, key.ty()) {
            let kind = TraverseErrorKind::ObjectKey { key: key.ty() };
            return self.untraversable(object, kind);
        }
        let name = match key {
            Key::Name(name) => *name,
            Key::Unknown(_) => {
                return Traversed::to(self.any_property(object));
            }
            Key::Constant(value) => match value.as_text() {
                Some(name) => self.symbol(&name),
                None => {
                    let kind = TraverseErrorKind::ObjectKey { key: key.ty() };
                    return self.untraversable(object, kind);
                }
            },
        };
        if let Some(found) = self.property(object, name) {
            return Traversed::to(found);
        }
        match self.property_without_case(object, name) {
            Some((actual, ty)) => {
                Traversed::to(ty).warning(TraverseErrorKind::OtherCase { asked: name, actual })
            }
            None => {
                let kind = TraverseErrorKind::UnknownProperty { name, object };
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

    /// The result of a key that `object` does not have: an error, or a warning when the object may
    /// have more properties than are known.
    fn untraversable(&mut self, object: TypeId, kind: TraverseErrorKind) -> Traversed {
        let failed = Traversed::to(TypeId::DYNAMIC);
        if self.is_strict(object) { failed.error(kind) } else { failed.warning(kind) }
    }
}
