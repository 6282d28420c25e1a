//! Unions: one of several types.
//!
//! Flat, without repetition, and without order for identity; one member alone is not a union. Nothing is subsumed:
//! `int | number` stays as it is. The error type absorbs every other member.
//!
//! The rules, with examples: `tests/spec/types/union.md`.

use std::sync::Arc;

use super::super::{Type, TypeId, TypeStore};
use crate::relations::{Conversion, KeyInfo, TraverseProblem, TraverseProblemKind, Traversed};
use pcl_diagnostics::Severity;

fn own_parts(ty: &Type) -> Option<&Arc<[TypeId]>> {
    match ty {
        Type::Union(parts) => Some(parts),
        _ => None,
    }
}

impl TypeStore {
    /// The union of these types.
    pub fn union(&mut self, members: impl IntoIterator<Item = TypeId>) -> TypeId {
        let mut flat = std::mem::take(&mut self.spare_parts);
        flat.clear();
        for member in members {
            match self.get(member) {
                Type::Union(inner) => flat.extend_from_slice(inner),
                _ => flat.push(member),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let union = match flat[..] {
            [one] => one,
            _ if flat.contains(&TypeId::ERROR) => TypeId::ERROR,
            _ => self.union_of(&flat),
        };
        self.spare_parts = flat;
        union
    }

    /// The union of several members in normal form: sorted, each once, without unions and the error type.
    fn union_of(&mut self, members: &[TypeId]) -> TypeId {
        self.intern_parts(members, own_parts, Type::Union)
    }

    /// A union converts as all its members do: safely if all do so, not at all if none does.
    pub(crate) fn convert_union(
        &mut self,
        dst: TypeId,
        src: TypeId,
        members: &[TypeId],
        unifying: bool,
    ) -> Conversion {
        let (mut all_safe, mut any) = (true, false);
        for member in members {
            let step = self.relate(dst, *member, unifying);
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

    /// The best conversion to any member.
    pub(crate) fn union_from(
        &mut self,
        members: &[TypeId],
        src: TypeId,
        unifying: bool,
    ) -> Conversion {
        if members.contains(&src) {
            return Conversion::Safe;
        }
        let mut best = Conversion::No;
        for member in members {
            best = best.max(self.relate(*member, src, unifying));
            if best == Conversion::Safe {
                break;
            }
        }
        best
    }

    /// One single member must take the source; a union source is not taken apart.
    pub(crate) fn union_takes(&mut self, dst: TypeId, members: &[TypeId], src: TypeId) -> bool {
        members.iter().any(|member| self.takes(*member, src))
            || matches!(self.get(src), Type::Union(_)) && self.same(dst, src)
    }

    /// Another type is unified with each member. Only when there are very many it joins them.
    pub(crate) fn unify_union(
        &mut self,
        union: TypeId,
        members: &[TypeId],
        other: TypeId,
    ) -> (TypeId, Conversion) {
        let composites = self.count_composites(members);
        if self.joins_whole(members.len(), composites, other) {
            return (self.union([union, other]), Conversion::Safe);
        }
        let (mut unified, mut safety) = (Vec::with_capacity(members.len()), Conversion::Safe);
        for member in members {
            let (member, step) = self.unify(*member, other);
            unified.push(member);
            safety = safety.min(step);
        }
        (self.union(unified), safety)
    }

    /// The union of what the members that have the key give, none giving none; problems count only when no member but
    /// none has the key.
    pub(crate) fn traverse_union(&mut self, union: TypeId, key: &KeyInfo) -> Traversed {
        let (mut found, mut problems, mut beside_none) = (Vec::new(), Vec::new(), false);
        for &member in self.members(union).iter() {
            if member == TypeId::NONE {
                found.push(member);
                continue;
            }
            let mut step = self.traverse_with(member, key);
            if step
                .problems
                .iter()
                .all(|problem| problem.severity < Severity::Error)
            {
                found.push(step.ty);
                beside_none = true;
            }
            problems.append(&mut step.problems);
        }
        if beside_none {
            return Traversed::to(self.union(found));
        }
        let kind = TraverseProblemKind::Unsupported { receiver: union };
        problems.push(TraverseProblem {
            kind,
            severity: Severity::Error,
        });
        Traversed {
            ty: TypeId::DYNAMIC,
            problems,
        }
    }
}
