//! `tuple(T0, T1, ..)`: a fixed number of elements.
//!
//! The rules, with examples: `tests/spec/types/tuple.md`.

use super::super::{Type, TypeId, TypeStore};
use crate::relations::{Conversion, Key, TraverseErrorKind, Traversed};
use crate::value::Constant;

impl TypeStore {
    /// A tuple of these elements.
    pub fn tuple(&mut self, elements: &[TypeId]) -> TypeId {
        self.intern(Type::Tuple(elements.into()))
    }

    /// Tuples convert element by element; a missing one counts as none, and a surplus one is not
    /// taken. When unifying, what they have in common counts. A list or set may turn out to have
    /// the right number of elements.
    pub(crate) fn tuple_from(
        &mut self,
        elements: &[TypeId],
        src: TypeId,
        unifying: bool,
    ) -> Conversion {
        match self.get(src).clone() {
            Type::Tuple(parts) => {
                if !unifying && parts.len() > elements.len() {
                    return Conversion::No;
                }
                let mut least = Conversion::Safe;
                for (at, element) in elements.iter().enumerate() {
                    let part = parts.get(at).copied();
                    least = least.min(match part {
                        None if unifying => break,
                        Some(part) if unifying => self.unify(*element, part).1,
                        _ => self.relate(*element, part.unwrap_or(TypeId::NONE), false),
                    });
                    if least == Conversion::No {
                        break;
                    }
                }
                least
            }
            Type::List(from) | Type::Set(from) => {
                self.least_into(elements.iter().copied(), from, unifying).unsafely()
            }
            _ => Conversion::No,
        }
    }

    /// Elements beyond the tuple's own are ignored, missing ones count as none.
    pub(crate) fn tuple_takes(&mut self, elements: &[TypeId], src: TypeId) -> bool {
        let Type::Tuple(parts) = self.get(src) else { return false };
        let parts = parts.clone();
        (elements.iter().enumerate()).all(|(at, element)| {
            let part = parts.get(at).copied().unwrap_or(TypeId::NONE);
            self.takes(*element, part)
        })
    }

    /// Tuples unify by position, what only one of them has becoming optional; with a list or set
    /// they give that.
    pub(crate) fn unify_tuple(
        &mut self,
        a: TypeId,
        elements: &[TypeId],
        b: TypeId,
    ) -> (TypeId, Conversion) {
        match self.get(b).clone() {
            Type::Tuple(parts) => {
                let (mut unified, mut safety) = (Vec::new(), Conversion::Safe);
                for (element, part) in elements.iter().zip(parts.iter()) {
                    let (element, step) = self.unify(*element, *part);
                    unified.push(element);
                    safety = safety.min(step);
                }
                let longer = if elements.len() > parts.len() { elements } else { &parts };
                let common = unified.len();
                for element in longer.iter().skip(common) {
                    unified.push(self.optional(*element));
                }
                (self.tuple(&unified), safety)
            }
            Type::List(element) => {
                let (element, safety) = self.unify_onto(element, elements);
                (self.list(element), safety)
            }
            Type::Set(element) => {
                let (element, safety) = self.unify_onto(element, elements);
                (self.set(element), safety.unsafely())
            }
            _ => (a, self.convert(a, b)),
        }
    }

    /// A key must be exactly a number. A constant one selects its element; any other could select
    /// each of them.
    pub(crate) fn traverse_tuple(&mut self, elements: &[TypeId], key: &Key) -> Traversed {
        let wanted = self.input_type(TypeId::NUMBER);
        if !self.assignable(wanted, key.ty()) {
            return Traversed::to(TypeId::DYNAMIC)
                .error(TraverseErrorKind::TupleIndex { key: key.ty() });
        }
        let index = match key {
            Key::Unknown(_) => return Traversed::to(self.union(elements.iter().copied())),
            Key::Constant(Constant::Number(number)) if number.is_integral() => number.to_i64(),
            Key::Constant(_) | Key::Name(_) => {
                return Traversed::to(TypeId::DYNAMIC)
                    .error(TraverseErrorKind::TupleIndex { key: key.ty() });
            }
        };
        match index
            .and_then(|index| usize::try_from(index).ok())
            .and_then(|index| elements.get(index))
        {
            Some(element) => Traversed::to(*element),
            None => {
                let error = TraverseErrorKind::TupleRange { length: elements.len() };
                Traversed::to(TypeId::DYNAMIC).error(error)
            }
        }
    }
}
