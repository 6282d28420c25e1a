//! Resolving: the type that remains without outputs and promises; and its inverse, the type of an
//! input.
//!
//! The rules, with examples: `tests/spec/types/output.md` and `tests/spec/types/promise.md`.

use rustc_hash::FxHashSet;

use crate::types::{Derivation, Facts, Type, TypeId, TypeStore};
use crate::value::Constant;

/// A nominal type whose properties are being derived, and what it becomes: where it occurs inside
/// itself.
type Within = Option<(TypeId, TypeId)>;

impl TypeStore {
    /// `ty` with every output and promise, at any depth, replaced by what it holds. A type without
    /// any stays as it is.
    pub fn resolve(&mut self, ty: TypeId) -> TypeId {
        self.derive(ty, Derivation::Resolve, None)
    }

    /// A type without the outputs and promises at any depth, and without the null beside it.
    pub(crate) fn plain(&mut self, ty: TypeId) -> TypeId {
        let resolved = self.resolve(ty);
        self.without_none(resolved).unwrap_or(resolved)
    }

    /// `ty` with every promise, at any depth, replaced by what it holds.
    pub fn resolve_promises(&mut self, ty: TypeId) -> TypeId {
        self.derive(ty, Derivation::ResolvePromises, None)
    }

    /// The type of an input of type `ty`: every part may be an output as well, sets only as a
    /// whole.
    ///
    /// An object inside itself takes its own input type there, without the output beside it.
    pub fn input_type(&mut self, ty: TypeId) -> TypeId {
        self.derive(ty, Derivation::Input, None)
    }

    /// `ty` with every resource, at any depth, taken for a reference to it: it converts to a
    /// reference to resources of its token, and otherwise as the resource does.
    pub fn refer_to_resources(&mut self, ty: TypeId) -> TypeId {
        self.derive(ty, Derivation::Refer, None)
    }

    pub(crate) fn derive_whole(&mut self, ty: TypeId, how: Derivation) -> TypeId {
        self.derive(ty, how, None)
    }

    pub(crate) fn derive_part(
        &mut self,
        part: TypeId,
        how: Derivation,
        base: TypeId,
        own: TypeId,
    ) -> TypeId {
        self.derive(part, how, Some((base, own)))
    }

    fn derive(&mut self, ty: TypeId, how: Derivation, within: Within) -> TypeId {
        let concerned = match how {
            Derivation::Resolve => Facts::EVENTUAL,
            Derivation::ResolvePromises => Facts::PROMISE | Facts::UNSURE,
            Derivation::Input => {
                if matches!(ty, TypeId::NONE | TypeId::DYNAMIC | TypeId::ERROR) {
                    return ty;
                }
                0
            }
            Derivation::Refer => Facts::NOMINAL,
            Derivation::Widen => Facts::LITERAL,
        };
        if concerned != 0 && !self.facts(ty).has(concerned) {
            return ty;
        }
        let free =
            within.is_none() || how != Derivation::Input || !self.facts(ty).has(Facts::NOMINAL);
        if free && let Some(known) = self.derived_types.get(&(ty, how)) {
            return *known;
        }
        let derived = match how {
            Derivation::Resolve => self.resolved(ty, how),
            Derivation::ResolvePromises => self.resolved(ty, how),
            Derivation::Input => self.input_of(ty, within),
            Derivation::Widen => match self.get(ty) {
                Type::Const { .. } => self.widened_constant(ty),
                Type::Nominal(_) => ty,
                _ if self.lists_constants(ty) => ty,
                _ => self.rebuild(ty, how, None),
            },
            Derivation::Refer => match self.get(ty) {
                Type::Nominal(_) if self.referred_resource(ty).is_some() => ty,
                Type::Nominal(_) if self.is_resource(ty) => self.derived(ty, how),
                Type::Nominal(_) => ty,
                _ => self.rebuild(ty, how, None),
            },
        };
        if free {
            self.derived_types.insert((ty, how), derived);
        }
        derived
    }

    fn resolved(&mut self, ty: TypeId, how: Derivation) -> TypeId {
        match self.get(ty).clone() {
            // Their elements are resolved already.
            Type::Output(element) if how == Derivation::Resolve => element,
            Type::Output(_) => ty,
            Type::Promise(element) => self.derive(element, how, None),
            Type::Nominal(_) => match (self.derivation(ty), how) {
                (Some((_, before)), _) if before == how || before == Derivation::Refer => ty,
                (Some((base, _)), Derivation::Resolve) => self.derive(base, how, None),
                (None, Derivation::Resolve) => match self.resolved_by_schema(ty) {
                    Some(resolved) => resolved,
                    None => self.derived(ty, how),
                },
                _ => self.derived(ty, how),
            },
            _ => self.rebuild(ty, how, None),
        }
    }

    fn input_of(&mut self, ty: TypeId, within: Within) -> TypeId {
        let plain = match self.get(ty) {
            Type::Output(_) => return ty,
            Type::Nominal(_) => match (within, self.derivation(ty)) {
                (Some((base, own)), _) if ty == base => return own,
                (_, Some((_, Derivation::Input))) => ty,
                _ => self.derived(ty, Derivation::Input),
            },
            Type::List(_)
            | Type::Map(_)
            | Type::Tuple(_)
            | Type::Object(_)
            | Type::Union(_)
            | Type::Promise(_) => self.rebuild(ty, Derivation::Input, within),
            _ => ty,
        };
        let output = self.output(plain);
        self.union([plain, output])
    }

    /// The type of some of many parts, derived.
    fn derive_some(&mut self, some: TypeId, how: Derivation, within: Within) -> TypeId {
        match how {
            // Only the whole accepts an output beside it.
            Derivation::Input => self.rebuild(some, how, within),
            _ => self.derive(some, how, within),
        }
    }

    /// The same anonymous type of derived parts.
    fn rebuild(&mut self, ty: TypeId, how: Derivation, within: Within) -> TypeId {
        let (element, make): (TypeId, fn(&mut Self, TypeId) -> TypeId) = match self.get(ty).clone()
        {
            Type::List(element) => (element, Self::list),
            Type::Set(element) => (element, Self::set),
            Type::Map(element) => (element, Self::map),
            Type::Output(element) => (element, Self::output),
            Type::Promise(element) => (element, Self::promise),
            Type::Tuple(elements) => {
                let elements: Vec<_> =
                    elements.iter().map(|part| self.derive(*part, how, within)).collect();
                return self.tuple(&elements);
            }
            Type::Union(members) => {
                let members: Vec<_> = members
                    .unions()
                    .map(|part| match self.get(part) {
                        Type::Union(_) => self.derive_some(part, how, within),
                        _ => self.derive(part, how, within),
                    })
                    .collect();
                return self.union(members);
            }
            Type::Object(properties) => {
                let Some(many) = properties.many() else {
                    let parts: Vec<_> = properties
                        .iter()
                        .map(|(name, part)| (*name, self.derive(*part, how, within)))
                        .collect();
                    return self.object(parts);
                };
                let (name, part) = many.part;
                let part = (name, self.derive(part, how, within));
                let [left, right] = [&many.left, &many.right]
                    .map(|some| self.derive_some(some.ty, how, within))
                    .map(|some| self.branch_of(some));
                return match (left, right) {
                    (Some(left), Some(right)) => self.branch(left, part, right).ty,
                    // Too deep.
                    _ => TypeId::DYNAMIC,
                };
            }
            _ => return ty,
        };
        let element = self.derive(element, how, within);
        make(self, element)
    }

    /// Returns whether an output occurs anywhere in `ty`.
    pub fn contains_outputs(&mut self, ty: TypeId) -> bool {
        self.contains(ty, Facts::OUTPUT)
    }

    /// Returns whether a promise occurs anywhere in `ty`.
    pub fn contains_promises(&mut self, ty: TypeId) -> bool {
        self.contains(ty, Facts::PROMISE)
    }

    /// Returns whether an output or a promise occurs anywhere in `ty`.
    pub fn contains_eventuals(&mut self, ty: TypeId) -> bool {
        self.contains(ty, Facts::OUTPUT | Facts::PROMISE)
    }

    /// Returns whether `ty` is an output, or a union with an output as a member.
    pub fn may_be_output(&self, ty: TypeId) -> bool {
        let is_output = |ty: &TypeId| matches!(self.get(*ty), Type::Output(_));
        match self.get(ty) {
            Type::Union(members) if self.facts(ty).has(Facts::OUTPUT) => {
                members.iter().any(is_output)
            }
            _ => is_output(&ty),
        }
    }

    #[inline]
    fn contains(&mut self, ty: TypeId, what: u8) -> bool {
        let facts = self.facts(ty);
        if facts.has(what) || !facts.has(Facts::UNSURE) {
            return facts.has(what);
        }
        self.contains_inside(ty, what)
    }

    /// As [`TypeStore::contains`], where the properties of nominal types decide.
    fn contains_inside(&mut self, ty: TypeId, what: u8) -> bool {
        if let Some(known) = self.eventual_inside.get(&(ty, what)) {
            return *known;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![ty];
        let mut found = false;
        while let Some(next) = open.pop() {
            let facts = self.facts(next);
            if facts.has(what) {
                found = true;
                break;
            }
            if facts.has(Facts::UNSURE) && seen.insert(next) {
                self.push_parts(next, &mut open);
            }
        }
        self.eventual_inside.insert((ty, what), found);
        if !found {
            self.eventual_inside.extend(seen.into_iter().map(|inside| ((inside, what), false)));
        }
        found
    }

    /// Appends the parts of `ty`, a nominal type's properties included.
    pub(crate) fn push_parts(&mut self, ty: TypeId, parts: &mut Vec<TypeId>) {
        match self.get(ty) {
            Type::List(part)
            | Type::Set(part)
            | Type::Map(part)
            | Type::Output(part)
            | Type::Promise(part) => {
                parts.push(*part);
            }
            Type::Tuple(several) => parts.extend_from_slice(several),
            Type::Union(members) => parts.extend(members.unions()),
            Type::Object(_) | Type::Nominal(_) => {
                let properties = self.properties(ty).unwrap_or_default();
                match properties.many() {
                    None => parts.extend(properties.iter().map(|(_, part)| *part)),
                    Some(many) => parts.extend([many.left.ty, many.part.1, many.right.ty]),
                }
            }
            _ => {}
        }
    }

    /// `ty` as the result of an operation on `arguments`: an output if one of them holds an output,
    /// else a promise if one holds a promise, else `ty` itself.
    pub fn lift(&mut self, ty: TypeId, arguments: &[TypeId]) -> TypeId {
        self.lift_by(ty, arguments.iter().copied())
    }

    /// As [`TypeStore::lift`], of arguments that come one by one.
    pub(crate) fn lift_by(
        &mut self,
        ty: TypeId,
        arguments: impl IntoIterator<Item = TypeId>,
    ) -> TypeId {
        let mut promises = false;
        for argument in arguments {
            if !self.facts(argument).has(Facts::EVENTUAL) {
                continue;
            }
            if self.contains_outputs(argument) {
                return self.output(ty);
            }
            promises |= self.contains_promises(argument);
        }
        if promises { self.promise(ty) } else { ty }
    }
}

impl TypeStore {
    /// Returns whether each value of `ty` is null or of one of these primitive types, and one may
    /// be of them.
    pub fn is_of_kinds(&mut self, ty: TypeId, kinds: &[TypeId]) -> bool {
        let plain = self.resolve(ty);
        let members = match self.get(plain) {
            Type::Union(members) => &members[..],
            _ => std::slice::from_ref(&plain),
        };
        let mut kinds_found = members
            .iter()
            .map(|&member| self.underlying(member))
            .filter(|&kind| kind != TypeId::NONE)
            .peekable();
        kinds_found.peek().is_some() && kinds_found.all(|kind| kinds.contains(&kind))
    }

    /// The one value that `ty` has, in outputs and promises too.
    pub fn only_value(&mut self, ty: TypeId) -> Option<Constant> {
        let plain = self.resolve(ty);
        match self.get(plain) {
            Type::Const { value, .. } => Some(value.clone()),
            _ => None,
        }
    }
}
