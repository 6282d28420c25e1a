//! Conversion: whether values of one type can be used where another type is wanted.
//!
//! The rules, with examples: `tests/spec/types/conversion.md`.

use super::answer::Conversion;
use super::memo::{Level, Pair, Relations};
use crate::types::{Facts, Type, TypeId, TypeStore};

impl TypeStore {
    /// Returns how well values of type `src` convert to type `dst`.
    pub fn convert(&mut self, dst: TypeId, src: TypeId) -> Conversion {
        self.relate(dst, src, false)
    }

    /// Returns whether values of type `src` convert to an input of type `dst`.
    pub(crate) fn converts_to_input(&mut self, dst: TypeId, src: TypeId) -> bool {
        dst == src || {
            let input = self.input_type(dst);
            self.convert(input, src).exists()
        }
    }

    /// Drops the remembered answers. Later answers are the same, only slower: a tool that keeps a
    /// store for long can so bound its memory, and the laws about answers are tested with it.
    pub fn forget_answers(&mut self) {
        self.relations = Relations::default();
    }

    /// Returns how well values of type `src` convert to type `dst` before a unification: objects
    /// and tuples then only have to agree in their common parts. This is a separate relation in
    /// Pulumi's type system, so that its answers can be compared.
    pub fn convert_to_unify(&mut self, dst: TypeId, src: TypeId) -> Conversion {
        self.relate(dst, src, true)
    }

    /// Conversion as part of a unification if `unifying`: two objects or two tuples then compare
    /// their common parts by unifying them.
    pub(crate) fn relate(&mut self, dst: TypeId, src: TypeId, unifying: bool) -> Conversion {
        self.relate_at(dst, src, unifying, Level::Inside)
    }

    pub(crate) fn relate_at(
        &mut self,
        dst: TypeId,
        src: TypeId,
        unifying: bool,
        level: Level,
    ) -> Conversion {
        if dst == src || dst == TypeId::DYNAMIC || dst == TypeId::ERROR || src == TypeId::ERROR {
            return Conversion::Safe;
        }
        if src == TypeId::DYNAMIC {
            return Conversion::Unsafe;
        }
        if dst.raw() < TypeId::FIXED && src.raw() < TypeId::FIXED {
            return primitive(dst, src);
        }
        if let Type::Const { underlying, .. } = *self.get(src)
            && underlying.raw() < TypeId::FIXED
            && !self.facts(dst).has(Facts::LITERAL)
        {
            // Unless the value of a constant matters, its type decides. One answer then serves all
            // literals.
            return self.relate(dst, underlying, unifying);
        }
        if let Some(answer) = self.relate_constants(dst, src) {
            return answer;
        }
        if let (Type::Union(members), Type::Const { underlying, .. }) =
            (self.get(dst), self.get(src))
            && underlying.raw() < TypeId::FIXED
            && !(self.facts(dst).has(Facts::CHOOSY) || self.facts(src).has(Facts::CHOOSY))
        {
            if members.contains(&src) {
                return Conversion::Safe;
            }
            // All constants of a type that are not members convert alike.
            let like = Pair::new(dst, *underlying);
            if let Some(known) = self.relations.recall_constant(like) {
                return known;
            }
            let members = members.clone();
            let answer = self.union_from(dst, &members, src, unifying);
            self.relations.remember_constant(like, answer);
            return answer;
        }
        let pair = Pair::new(dst, src);
        if let Some(known) = self.relations.recall(pair, unifying) {
            return known;
        }
        // Anonymous types are finite trees: a comparison can only come back to a pair with a
        // nominal side.
        let guarded =
            matches!(self.get(dst), Type::Nominal(_)) || matches!(self.get(src), Type::Nominal(_));
        let entered = self.relations.enter(pair, unifying, guarded, level);
        let answer = self.conversion_rule(dst, src, unifying);
        self.relations.leave(pair, unifying, entered, answer);
        answer
    }

    /// The conversion of constants to a constant: to an equal one alone. Cheaper to answer than to
    /// remember, and literals make many such pairs.
    fn relate_constants(&self, dst: TypeId, src: TypeId) -> Option<Conversion> {
        let Type::Const { value, .. } = self.get(dst) else { return None };
        match self.get(src) {
            Type::Const { value: given, .. } if value == given => Some(Conversion::Safe),
            Type::Const { .. } => Some(Conversion::No),
            Type::Union(members)
                if !self.facts(src).has(Facts::OTHER | Facts::CHOOSY)
                    && !self.facts(dst).has(Facts::CHOOSY) =>
            {
                let holds = members.contains(&dst);
                Some(if holds { Conversion::Unsafe } else { Conversion::No })
            }
            _ => None,
        }
    }

    fn conversion_rule(&mut self, dst: TypeId, src: TypeId, unifying: bool) -> Conversion {
        match self.get(src) {
            Type::Union(members) => {
                let members = members.clone();
                return self.convert_union(dst, src, &members, unifying);
            }
            Type::Const { underlying, .. } if !matches!(self.get(dst), Type::Enum(_)) => {
                let base = *underlying;
                if dst == base
                    || matches!(self.get(base), Type::Union(_))
                    || base == TypeId::DYNAMIC
                {
                    return self.relate(dst, base, unifying);
                }
            }
            _ => {}
        }
        match self.get(dst).clone() {
            Type::None => Conversion::No,
            Type::Bool | Type::Int | Type::Number | Type::String | Type::Id | Type::Opaque(_) => {
                let base = self.underlying(src);
                if dst == base {
                    Conversion::Safe
                } else if dst.raw() < TypeId::FIXED && base.raw() < TypeId::FIXED {
                    primitive(dst, base)
                } else {
                    Conversion::No
                }
            }
            Type::Dynamic | Type::Error => Conversion::Safe,
            Type::Const { underlying, .. } => self.relate(underlying, src, unifying).unsafely(),
            Type::Enum(enumeration) => self.enum_from(dst, enumeration.underlying, src, unifying),
            Type::List(element) => self.list_from(element, src, unifying),
            Type::Set(element) => self.set_from(element, src, unifying),
            Type::Map(element) => self.map_from(element, src, unifying),
            Type::Tuple(elements) => self.tuple_from(&elements, src, unifying),
            Type::Object(_) | Type::Nominal(_) => self.object_from(dst, src, unifying),
            Type::Union(members) => self.union_from(dst, &members, src, unifying),
            Type::Output(element) => self.output_from(element, src, unifying),
            Type::Promise(element) => self.promise_from(element, src, unifying),
        }
    }

    /// The least of the answers to how well `src` converts to each of `parts`.
    pub(crate) fn least_into(
        &mut self,
        parts: impl IntoIterator<Item = TypeId>,
        src: TypeId,
        unifying: bool,
    ) -> Conversion {
        let mut least = Conversion::Safe;
        for part in parts {
            least = least.min(self.relate(part, src, unifying));
            if least == Conversion::No {
                break;
            }
        }
        least
    }

    /// The least of the answers to how well each of `parts` converts to `dst`.
    pub(crate) fn least_of(
        &mut self,
        dst: TypeId,
        parts: impl IntoIterator<Item = TypeId>,
        unifying: bool,
    ) -> Conversion {
        let mut least = Conversion::Safe;
        for part in parts {
            least = least.min(self.relate(dst, part, unifying));
            if least == Conversion::No {
                break;
            }
        }
        least
    }

    /// The type of a constant's value; other types are their own.
    pub(crate) fn underlying(&self, ty: TypeId) -> TypeId {
        match self.get(ty) {
            Type::Const { underlying, .. } => *underlying,
            _ => ty,
        }
    }
}

/// Conversion between different fixed types, `dynamic` and the error type apart.
fn primitive(dst: TypeId, src: TypeId) -> Conversion {
    let converts = |ty| (TypeId::BOOL..=TypeId::ID).contains(&ty);
    if !converts(dst) || !converts(src) {
        return Conversion::No;
    }
    match dst {
        TypeId::STRING | TypeId::ID => Conversion::Safe,
        TypeId::NUMBER if src == TypeId::INT => Conversion::Safe,
        _ => Conversion::Unsafe,
    }
}
