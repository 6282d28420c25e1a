//! Unification: one type for values of several.

use super::Conversion;
use super::memo::Pair;
use crate::types::{Facts, Type, TypeId, TypeStore};

/// The two unifications of a list of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unified {
    /// To which every type converts safely, a union where nothing else will do. For conditionals, collections, `for`.
    pub safe: TypeId,
    /// To which every type converts at least unsafely.
    pub loose: TypeId,
}

impl TypeStore {
    /// One type for values of types `a` and `b`, and how well they convert to it: `Safe` or `Unsafe`. The order matters
    /// where neither is better.
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
        let guarded =
            matches!(self.get(a), Type::Nominal(_)) || matches!(self.get(b), Type::Nominal(_));
        let entered = self.relations.enter_unified(pair, guarded);
        let answer = self.unify_rule(a, b);
        self.relations.leave_unified(pair, entered, answer);
        answer
    }

    fn unify_rule(&mut self, a: TypeId, b: TypeId) -> (TypeId, Conversion) {
        if (self.facts(a).has(Facts::NOMINAL) || self.facts(b).has(Facts::NOMINAL))
            && self.same(a, b)
        {
            return (a, Conversion::Safe);
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
        match (self.get(a).clone(), self.get(b).clone()) {
            (Type::Union(members), _) => self.unify_union(&members, b),
            (_, Type::Union(members)) => self.unify_union(&members, a),
            (Type::Const { .. }, _) => (a, self.relate(b, a, true)),
            (Type::List(element), _) => self.unify_list(a, element, b),
            (Type::Set(element), _) => self.unify_set(a, element, b),
            (Type::Map(element), _) => self.unify_map(a, element, b),
            (Type::Tuple(elements), _) => self.unify_tuple(a, &elements, b),
            (Type::Object(_) | Type::Nominal(_), _) => self.unify_object(a, b),
            (Type::Output(element), _) => self.unify_output(a, element, b),
            (Type::Promise(element), _) => self.unify_promise(a, element, b),
            _ => self.unify_opaque(a, b),
        }
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

    /// One type for values of all these types, from left to right; none for no types at all.
    pub fn unify_all(&mut self, types: &[TypeId]) -> Unified {
        let Some(&first) = types.first() else {
            return Unified {
                safe: TypeId::NONE,
                loose: TypeId::NONE,
            };
        };
        // Constants never convert safely to each other, so a run of them at the start is just their union. Long lists
        // of numbers would take quadratic time one by one.
        let run = types
            .iter()
            .take_while(|ty| matches!(self.get(**ty), Type::Const { .. }))
            .count();
        let mut safe = self.union(types[..run.max(1)].iter().copied());
        for &ty in &types[run.max(1)..] {
            safe = self.unify_safely(safe, ty);
        }
        let mut loose = first;
        for &ty in &types[1..] {
            loose = self.unify(loose, ty).0;
        }
        Unified { safe, loose }
    }

    /// The unification of `a` and `b` if both convert to it safely, else their union.
    fn unify_safely(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if b != TypeId::DYNAMIC
            && let Type::Union(members) = self.get(a)
        {
            // A list of many objects ends up here again and again with an ever longer union. Where neither side is
            // better the members decide, and one that does not unify safely is enough to know.
            let members = members.clone();
            if self.relate(a, b, true) == Conversion::Unsafe
                && self.relate(b, a, true) == Conversion::Unsafe
                && !matches!(self.get(b), Type::Union(_))
                && members
                    .iter()
                    .any(|member| self.unify(*member, b).1 != Conversion::Safe)
            {
                return self.union([a, b]);
            }
        }
        match self.unify(a, b) {
            (unified, Conversion::Safe) => unified,
            _ => self.union([a, b]),
        }
    }
}
