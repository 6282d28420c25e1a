//! Unification of many types.
//!
//! The rules, with examples: `tests/spec/types/unify.md`.

use rustc_hash::FxHashSet;

use super::answer::Conversion;
use super::unify::COMPARED;
use crate::types::{Facts, Type, TypeId, TypeStore};

impl TypeStore {
    /// The type to which all these convert at least unsafely; none for no types at all. From left
    /// to right, two types become their unification.
    pub fn unify_loosely(&mut self, types: &[TypeId]) -> TypeId {
        self.unify_with(types, Mode::Loose)
    }

    /// The type to which all these convert safely, a union where nothing else will do; none for no
    /// types at all. For conditionals, collections, `for`. From left to right, two types become
    /// their unification where both convert to it safely and their union where they do not.
    pub fn unify_safely(&mut self, types: &[TypeId]) -> TypeId {
        self.unify_with(types, Mode::Safe)
    }

    fn unify_with(&mut self, types: &[TypeId], mode: Mode) -> TypeId {
        let mut types = types.iter().copied();
        let mut so_far = types.next().unwrap_or(TypeId::NONE);
        while !self.is_worth_a_list(so_far, types.len()) {
            let Some(ty) = types.next() else { return so_far };
            so_far = self.unify_next(so_far, ty, mode);
        }
        let mut all = Accumulated::new(self, so_far, mode);
        for ty in types {
            all.add(self, ty);
        }
        all.ty(self)
    }

    /// Returns whether the members of `ty` are better kept as a list when so many types are still
    /// to come.
    fn is_worth_a_list(&self, ty: TypeId, to_come: usize) -> bool {
        matches!(self.get(ty), Type::Union(members) if (MANY..=to_come).contains(&members.len()))
    }

    fn unify_next(&mut self, so_far: TypeId, ty: TypeId, mode: Mode) -> TypeId {
        match self.unify(so_far, ty) {
            (unified, safety) if safety == Conversion::Safe || mode == Mode::Loose => unified,
            _ => self.union([so_far, ty]),
        }
    }
}

/// From how many members on a union is kept as a list while it grows.
const MANY: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Safe,
    Loose,
}

/// The unification of the types so far. Lists of objects that differ in their values make ever
/// longer unions, which are made into types only when they are needed.
struct Accumulated {
    mode: Mode,
    members: Vec<TypeId>,
    /// The same, to look up.
    known: FxHashSet<TypeId>,
    /// The number of members with parts.
    composites: usize,
    /// Those that can take another constant, or that a constant can take.
    takers: Vec<TypeId>,
    /// The type of the first members.
    ty: TypeId,
    /// The number of these first members.
    made: usize,
    /// The member that did not unify safely with the last type. Likely not to do so with the next
    /// one either.
    refused: usize,
}

enum Growth {
    /// The type becomes one more member; of a union, all its members do.
    Join,
    /// The members take the type as they are.
    Stay,
    /// Whatever unification says.
    Unify,
}

impl Accumulated {
    fn new(types: &TypeStore, ty: TypeId, mode: Mode) -> Self {
        let mut all = Self {
            mode,
            members: Vec::new(),
            known: FxHashSet::default(),
            composites: 0,
            takers: Vec::new(),
            ty,
            made: 0,
            refused: 0,
        };
        all.join_all(types, ty);
        all.made = all.members.len();
        all
    }

    fn join_all(&mut self, types: &TypeStore, ty: TypeId) {
        match types.get(ty) {
            Type::Union(members) => members.iter().for_each(|ty| self.join(types, *ty)),
            _ => self.join(types, ty),
        }
    }

    fn join(&mut self, types: &TypeStore, ty: TypeId) {
        if !self.known.insert(ty) {
            return;
        }
        self.members.push(ty);
        self.composites += usize::from(!types.is_leaf(ty));
        match types.get(ty) {
            Type::Const { .. } if !types.facts(ty).has(Facts::CHOOSY) => {}
            Type::List(_) | Type::Set(_) | Type::Map(_) => {}
            Type::Tuple(_) | Type::Object(_) | Type::Nominal(_) => {}
            _ => self.takers.push(ty),
        }
    }

    fn ty(&mut self, types: &mut TypeStore) -> TypeId {
        let new = self.members.iter().skip(self.made).copied();
        if new.len() > 0 {
            self.ty = types.union(new.chain([self.ty]));
            self.made = self.members.len();
        }
        self.ty
    }

    fn add(&mut self, types: &mut TypeStore, ty: TypeId) {
        match self.step(types, ty) {
            Growth::Stay => {}
            Growth::Join => self.join_all(types, ty),
            Growth::Unify => {
                let so_far = self.ty(types);
                let unified = types.unify_next(so_far, ty, self.mode);
                if unified == types.union([so_far, ty]) {
                    self.join_all(types, ty);
                } else if unified != so_far {
                    *self = Self::new(types, unified, self.mode);
                }
            }
        }
    }

    /// The answer of unification, where it is known without the type of all members.
    fn step(&mut self, types: &mut TypeStore, ty: TypeId) -> Growth {
        // A union of two may be an option.
        if self.members.len() < MANY || matches!(ty, TypeId::DYNAMIC | TypeId::ERROR) {
            return Growth::Unify;
        }
        if let Type::Union(_) = types.get(ty) {
            // The same members may be there under other names.
            let is_special = types.takes_as_a_whole(ty)
                || self.known.contains(&TypeId::DYNAMIC)
                || types.facts(ty).has(Facts::NOMINAL);
            return if is_special { Growth::Unify } else { Growth::Join };
        }
        if self.known.contains(&TypeId::DYNAMIC) {
            return Growth::Stay;
        }
        let joins_whole = types.joins_whole(self.members.len(), self.composites, ty);
        if let Type::Const { .. } = types.get(ty) {
            // Constants do not take each other.
            let (mut taken, mut takes) = (Conversion::No, false);
            for &taker in &self.takers {
                taken = taken.max(types.convert_to_unify(taker, ty));
                takes |= types.convert_to_unify(ty, taker).exists();
            }
            return match (taken, self.mode) {
                (Conversion::Safe, _) => Growth::Stay,
                (_, Mode::Safe) => Growth::Join,
                (Conversion::No, Mode::Loose) if !takes => Growth::Join,
                (Conversion::Unsafe, Mode::Loose) if takes && joins_whole => Growth::Join,
                (_, Mode::Loose) => Growth::Unify,
            };
        }
        if joins_whole {
            return Growth::Join;
        }
        if self.mode == Mode::Loose || self.members.len() > COMPARED {
            return Growth::Unify;
        }
        let (count, mut apart) = (self.members.len(), true);
        let others = 0..self.refused.min(count);
        for at in (self.refused..count).chain(others) {
            let Some(&member) = self.members.get(at) else { continue };
            if types.are_apart(member, ty) {
                continue;
            }
            apart = false;
            if types.unify(member, ty).1 != Conversion::Safe {
                self.refused = at;
                return Growth::Join;
            }
        }
        if apart { Growth::Join } else { Growth::Unify }
    }
}
