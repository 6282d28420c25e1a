//! Unification: one type for values of several.
//!
//! Two unions become the union of all members, a union and another type are unified member by
//! member, and two eventual types inside. Otherwise the type wins that takes the other one better;
//! the kind decides between equals, and types that have nothing in common become a union.
//! `docs/differences.md` says where this is not what Pulumi does.
//!
//! The rules, with examples: `tests/spec/types/unify.md`.

use super::answer::Conversion;
use super::memo::Pair;
use crate::types::{Facts, Type, TypeId, TypeStore};

/// The largest number of members with parts that a union may have for another type with parts to be
/// merged into each of them. Each would become larger and one would be added, for every element of
/// a list.
const MERGED: usize = 32;

/// The largest number of members of any kind that a union may have for a type that is no primitive
/// to be unified with each of them.
pub(super) const COMPARED: usize = 256;

impl TypeStore {
    /// One type for values of types `a` and `b`, and how well they convert to it: `Safe` or
    /// `Unsafe`. The order matters where neither is better.
    pub fn unify(&mut self, a: TypeId, b: TypeId) -> (TypeId, Conversion) {
        if a == TypeId::ERROR || b == TypeId::ERROR {
            return (TypeId::ERROR, Conversion::Safe);
        }
        let (a, b) = if a == TypeId::DYNAMIC { (b, a) } else { (a, b) };
        if a == b {
            return (a, Conversion::Safe);
        }
        if b == TypeId::DYNAMIC {
            return (a, Conversion::Unsafe);
        }
        if let (Type::Const { .. }, Type::Const { .. }) = (self.get(a), self.get(b)) {
            return self.unify_rule(a, b);
        }
        let pair = Pair::new(a, b);
        if let Some(known) = self.relations.recall_unified(pair, a) {
            return known;
        }
        let nominal = [a, b].map(|ty| matches!(self.get(ty), Type::Nominal(_)).then_some(ty));
        if self.relations.keeps_growing(nominal) {
            return (self.union([a, b]), Conversion::Safe);
        }
        let entered = self.relations.enter_unified(pair, nominal);
        let answer = self.unify_rule(a, b);
        self.relations.leave_unified(pair, entered, nominal, answer);
        answer
    }

    fn unify_rule(&mut self, a: TypeId, b: TypeId) -> (TypeId, Conversion) {
        if (self.facts(a).has(Facts::NOMINAL) || self.facts(b).has(Facts::NOMINAL))
            && self.same(a, b)
        {
            return (a, Conversion::Safe);
        }
        let (left, right) = (self.get(a).clone(), self.get(b).clone());
        match (&left, &right) {
            // A literal has the type of its value alone, and should not leave it in every option
            // that it meets.
            (Type::Union(_), Type::Const { .. }) | (Type::Const { .. }, Type::Union(_)) => {}
            (Type::Union(_), _) | (_, Type::Union(_))
                if self.takes_as_a_whole(a) || self.takes_as_a_whole(b) => {}
            (Type::Union(_), Type::Union(_)) => {
                return (self.union([a, b]), Conversion::Safe);
            }
            (Type::Union(members), _) if !members.is_empty() => {
                return self.unify_union(a, members, b);
            }
            (_, Type::Union(members)) if !members.is_empty() => {
                return self.unify_union(b, members, a);
            }
            (Type::Output(x) | Type::Promise(x), Type::Output(y) | Type::Promise(y))
                if self.strip(*x) != TypeId::DYNAMIC && self.strip(*y) != TypeId::DYNAMIC =>
            {
                return self.unify_by_kind(a, &left, b);
            }
            _ => {}
        }
        let (to_a, to_b) = (self.relate(a, b, true), self.relate(b, a, true));
        if to_a < to_b {
            return (b, to_b);
        }
        if to_a > to_b {
            return (a, to_a);
        }
        if to_a == Conversion::No {
            return (self.union([a, b]), Conversion::Safe);
        }
        match (&left, &right) {
            (Type::Union(_), Type::Union(_)) => (self.union([a, b]), Conversion::Safe),
            (Type::Union(members), _) => self.unify_union(a, members, b),
            (_, Type::Union(members)) => self.unify_union(b, members, a),
            _ => self.unify_by_kind(a, &left, b),
        }
    }

    /// The unification of some of the parts of two types, which are `a` and `b` by themselves, as
    /// `unify` has it.
    pub(crate) fn unify_inside(
        &mut self,
        a: TypeId,
        b: TypeId,
        unify: impl FnOnce(&mut Self) -> (TypeId, Conversion),
    ) -> (TypeId, Conversion) {
        let pair = Pair::new(a, b);
        if let Some(known) = self.relations.recall_inside(pair) {
            return known;
        }
        let entered = self.relations.enter_inside();
        let answer = unify(self);
        self.relations.leave_inside(pair, entered, answer);
        answer
    }

    fn unify_by_kind(&mut self, a: TypeId, kind: &Type, b: TypeId) -> (TypeId, Conversion) {
        match kind {
            Type::Const { .. } => (a, self.relate(b, a, true)),
            Type::List(element) => self.unify_list(a, *element, b),
            Type::Set(element) => self.unify_set(a, *element, b),
            Type::Map(element) => self.unify_map(a, *element, b),
            Type::Tuple(elements) => self.unify_tuple(a, elements, b),
            Type::Object(_) | Type::Nominal(_) => self.unify_object(a, b),
            Type::Output(element) => self.unify_output(a, *element, b),
            Type::Promise(element) => self.unify_promise(a, *element, b),
            _ => self.unify_opaque(a, b),
        }
    }

    /// Returns whether two types that are not unions have nothing in common, so that their
    /// unification is their union.
    pub(crate) fn are_apart(&mut self, a: TypeId, b: TypeId) -> bool {
        let eventual = |ty: &Type| matches!(ty, Type::Output(_) | Type::Promise(_));
        !(eventual(self.get(a)) && eventual(self.get(b)))
            && self.relate(a, b, true) == Conversion::No
            && self.relate(b, a, true) == Conversion::No
    }

    /// Returns whether `ty` is a union that is the unification where it takes the other type better
    /// than it is taken: one with `dynamic`, which takes everything, and an option of something to
    /// iterate over, which the union of all members is not.
    pub(super) fn takes_as_a_whole(&self, ty: TypeId) -> bool {
        if self.has_member(ty, TypeId::DYNAMIC) {
            return true;
        }
        self.without_none(ty).is_some()
            && matches!(
                self.get(self.strip(ty)),
                Type::Dynamic
                    | Type::List(_)
                    | Type::Map(_)
                    | Type::Tuple(_)
                    | Type::Object(_)
                    | Type::Nominal(_)
            )
    }

    /// Unifies `parts` into `first`, one by one; the least of the conversions.
    pub(crate) fn unify_onto(&mut self, first: TypeId, parts: &[TypeId]) -> (TypeId, Conversion) {
        let (mut unified, mut safety) = (first, Conversion::Safe);
        for part in parts {
            let (ty, step) = self.unify(unified, *part);
            unified = ty;
            safety = safety.min(step);
        }
        (unified, safety)
    }

    /// Returns whether `ty` joins a union of so many members, so many of them with parts, as it is,
    /// without being unified with each.
    pub(crate) fn joins_whole(&self, members: usize, composites: usize, ty: TypeId) -> bool {
        ty.raw() >= TypeId::FIXED
            && (members > COMPARED || composites > MERGED && !self.is_leaf(ty))
    }
}
