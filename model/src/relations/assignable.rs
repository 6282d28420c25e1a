//! Assignability: whether a type takes another one as it is, without conversion.
//!
//! Narrower than conversion. A union is taken where each of its members is, and only `dynamic`
//! takes `dynamic`.
//!
//! The rules, with examples: `tests/spec/types/conversion.md`.

use super::memo::Pair;
use crate::types::{Parts, Type, TypeId, TypeStore};

/// The limit of nested comparisons; deeper types take each other without looking.
const MAX_NESTING: u32 = 1_200;

impl TypeStore {
    /// Returns whether values of type `src` are values of type `dst` as they are.
    pub fn assignable(&mut self, dst: TypeId, src: TypeId) -> bool {
        let answer = self.takes(dst, src);
        // A pair met again inside itself counts as assignable. Those that still do so now are
        // right.
        let relations = &mut self.relations;
        for pair in relations.assignable_trail.drain(..) {
            relations.assignable.insert(pair, true);
        }
        relations.assignable_assumed.clear();
        answer
    }

    /// [`TypeStore::assignable`] inside a running question.
    pub(crate) fn takes(&mut self, dst: TypeId, src: TypeId) -> bool {
        if dst == src || dst == TypeId::DYNAMIC || dst == TypeId::ERROR || src == TypeId::ERROR {
            return true;
        }
        if dst == self.underlying(src) {
            return true;
        }
        let is_union = matches!(self.get(src), Type::Union(_));
        if self.is_leaf(dst) && !is_union {
            return false;
        }
        let pair = Pair::new(dst, src);
        let relations = &mut self.relations;
        if let Some(known) = relations.assignable.get(&pair) {
            return *known;
        }
        if relations.assignable_assumed.contains(&pair)
            || relations.assignable_nesting >= MAX_NESTING
        {
            return true;
        }
        let guarded =
            matches!(self.get(dst), Type::Nominal(_)) || matches!(self.get(src), Type::Nominal(_));
        let relations = &mut self.relations;
        let start = relations.assignable_trail.len();
        if guarded {
            relations.assignable_assumed.insert(pair);
            relations.assignable_trail.push(pair);
        }
        relations.assignable_nesting += 1;
        let answer = self.assignable_rule(dst, src);
        let relations = &mut self.relations;
        relations.assignable_nesting -= 1;
        if !answer {
            for assumed in relations.assignable_trail.drain(start..) {
                relations.assignable_assumed.remove(&assumed);
            }
        }
        if !answer || relations.assignable_trail.is_empty() {
            relations.assignable.insert(pair, answer);
        }
        answer
    }

    /// Returns whether `ty` has no parts. Only an equal type can then be assigned to it.
    pub(crate) fn is_leaf(&self, ty: TypeId) -> bool {
        ty.raw() < TypeId::FIXED
            || matches!(self.get(ty), Type::Opaque(_) | Type::Const { .. } | Type::Enum(_))
    }

    fn assignable_rule(&mut self, dst: TypeId, src: TypeId) -> bool {
        if matches!(self.get(src), Type::Union(_)) {
            return self.takes_each(dst, src);
        }
        match self.get(dst).clone() {
            Type::List(element) => self.list_takes(element, src),
            Type::Set(element) => self.set_takes(element, src),
            Type::Map(element) => self.map_takes(element, src),
            Type::Tuple(elements) => self.tuple_takes(&elements, src),
            Type::Object(_) | Type::Nominal(_) => self.object_takes(dst, src),
            Type::Union(members) => self.any_takes(&members, src),
            Type::Output(element) => self.output_takes(element, src),
            Type::Promise(element) => self.promise_takes(element, src),
            _ => false,
        }
    }

    /// Returns whether `dst` takes each member of the union `src`.
    // Out of line, so that the frames of long chains stay small.
    #[inline(never)]
    fn takes_each(&mut self, dst: TypeId, src: TypeId) -> bool {
        let Type::Union(members) = self.get(src).clone() else { return false };
        members.unions().all(|part| self.takes(dst, part))
    }

    #[inline(never)]
    fn any_takes(&mut self, members: &Parts<TypeId>, src: TypeId) -> bool {
        members.contains(&src) || members.unions().any(|part| self.takes(part, src))
    }
}
