//! Unions: one of several types.
//!
//! Flat, without repetition, and without order for identity; one member alone is not a union.
//! Nothing is subsumed: `int | number` stays as it is. The error type absorbs every other member.
//!
//! The rules, with examples: `tests/spec/types/union.md`.

use super::super::{Branch, Parts, Type, TypeId, TypeStore};
use crate::relations::{Conversion, Key, Level, TraverseError, TraverseErrorKind, Traversed};
use pcl_diagnostics::Severity;

impl TypeStore {
    /// The union of these types.
    pub fn union(&mut self, members: impl IntoIterator<Item = TypeId>) -> TypeId {
        let mut flat = Vec::new();
        let mut wide: Vec<Branch<TypeId>> = Vec::new();
        for member in members {
            match self.get(member) {
                Type::Union(inner) if inner.many().is_some() => {
                    wide.extend(self.branch_of(member));
                }
                Type::Union(inner) => flat.extend(inner),
                _ => flat.push(member),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&TypeId::ERROR) {
            return TypeId::ERROR;
        }
        let flat = self.gather(&flat);
        wide.iter().fold(flat, |all, more| self.unite(&all, more)).ty
    }

    /// Returns whether `ty` is a union with that member.
    pub(crate) fn has_member(&self, ty: TypeId, member: TypeId) -> bool {
        matches!(self.get(ty), Type::Union(members) if members.contains(&member))
    }

    /// The members of either.
    fn unite(&mut self, a: &Branch<TypeId>, b: &Branch<TypeId>) -> Branch<TypeId> {
        if (a.ty, a.parts.len()) == (b.ty, b.parts.len()) || b.parts.is_empty() {
            return a.clone();
        }
        if a.parts.is_empty() {
            return b.clone();
        }
        let pair = (a.ty, b.ty);
        if let Some(known) = self.united.get(&pair) {
            return known.clone();
        }
        let Some([a, b]) = self.divide(a, b) else {
            let mut members: Vec<TypeId> = a.parts.iter().chain(&b.parts).copied().collect();
            members.sort_unstable();
            members.dedup();
            return self.gather(&members);
        };
        let left = self.unite(&a.0, &b.0);
        let right = self.unite(&a.2, &b.2);
        let all = match a.1.or(b.1) {
            Some(member) => self.join(left, member, right),
            None => left,
        };
        self.united.insert(pair, all.clone());
        all
    }

    /// A union converts as all its members do: safely if all do so, not at all if none does.
    pub(crate) fn convert_union(
        &mut self,
        dst: TypeId,
        src: TypeId,
        members: &Parts<TypeId>,
        unifying: bool,
    ) -> Conversion {
        let (mut all_safe, mut any) = (true, false);
        for part in members.unions() {
            let step = self.relate_at(dst, part, unifying, self.level_of(part));
            all_safe &= step == Conversion::Safe;
            any |= step.exists();
            if any && !all_safe {
                break;
            }
        }
        match (any, all_safe) {
            (false, _) => Conversion::No,
            (true, true) => Conversion::Safe,
            // `dynamic` is not safe to any member. Equal unions are, though, whatever their ids.
            (true, false) if members.contains(&TypeId::DYNAMIC) && self.same(dst, src) => {
                Conversion::Safe
            }
            (true, false) => Conversion::Unsafe,
        }
    }

    /// The level of the parts of a union: its members are inside of it, unions of some members are
    /// not.
    fn level_of(&self, part: TypeId) -> Level {
        match self.get(part) {
            Type::Union(_) => Level::Same,
            _ => Level::Inside,
        }
    }

    /// The best conversion to any member of the union `dst`.
    pub(crate) fn union_from(
        &mut self,
        dst: TypeId,
        members: &Parts<TypeId>,
        src: TypeId,
        unifying: bool,
    ) -> Conversion {
        if members.contains(&src) {
            return Conversion::Safe;
        }
        if !unifying && let Some(answer) = self.convert_told_apart(dst, members, src) {
            return answer;
        }
        let mut best = Conversion::No;
        for part in members.unions() {
            let given = self.without_surplus(part, src);
            best = best.max(self.relate_at(part, given, unifying, self.level_of(part)));
            if best == Conversion::Safe {
                break;
            }
        }
        best
    }

    /// Another type is unified with each member. Only when there are very many it joins them.
    pub(crate) fn unify_union(
        &mut self,
        union: TypeId,
        members: &Parts<TypeId>,
        other: TypeId,
    ) -> (TypeId, Conversion) {
        let composites = usize::from(self.facts(union).composites);
        if self.joins_whole(members.len(), composites, other) {
            return (self.union([union, other]), Conversion::Safe);
        }
        self.unify_members(members, other)
    }

    /// The union of the unifications of each member with `other`, and the least of the conversions.
    fn unify_members(&mut self, members: &Parts<TypeId>, other: TypeId) -> (TypeId, Conversion) {
        let (mut unified, mut safety) = (Vec::new(), Conversion::Safe);
        for part in members.unions() {
            let (part, step) = match self.get(part).clone() {
                Type::Union(inside) => {
                    self.unify_inside(part, other, |types| types.unify_members(&inside, other))
                }
                _ => self.unify(part, other),
            };
            unified.push(part);
            safety = safety.min(step);
        }
        (self.union(unified), safety)
    }

    /// The union of what the members that have the key give, none giving none; errors count only
    /// when no member but none has the key.
    pub(crate) fn traverse_union(&mut self, union: TypeId, key: &Key) -> Traversed {
        if let Some(reached) = self.reached(union, key) {
            return Traversed::to(if self.has_member(union, TypeId::NONE) {
                self.optional(reached)
            } else {
                reached
            });
        }
        let (members, mut errors) = (self.first_members(union), Vec::new());
        for &member in members.iter().filter(|member| **member != TypeId::NONE) {
            errors.append(&mut self.traverse_with(member, key).errors);
        }
        let kind = TraverseErrorKind::Unsupported { receiver: union };
        errors.push(TraverseError { kind, severity: Severity::Error });
        Traversed { ty: TypeId::DYNAMIC, errors }
    }

    /// The union of what the members but none give for the key; nothing when none of them has it.
    fn reached(&mut self, union: TypeId, key: &Key) -> Option<TypeId> {
        let Type::Union(members) = self.get(union).clone() else {
            let step = self.traverse_with(union, key);
            let mut errors = step.errors.iter();
            let fails =
                union == TypeId::NONE || errors.any(|error| error.severity == Severity::Error);
            return (!fails).then_some(step.ty);
        };
        let question = members.many().map(|_| (union, key.clone()));
        if let Some(question) = &question
            && let Some(known) = self.relations.reached.get(question)
        {
            return *known;
        }
        let found: Vec<TypeId> =
            members.unions().filter_map(|part| self.reached(part, key)).collect();
        let reached = (!found.is_empty()).then(|| self.union(found));
        if let Some(question) = question {
            self.relations.reached.insert(question, reached);
        }
        reached
    }
}
