//! Unions of very many objects, told apart by names and constants: which members an object may
//! convert to.
//!
//! Each value of such a union has a type of its own, and a program may have as many values as the
//! schema has members. Comparing each with each would be quadratic: 480 values of a union of 480
//! members take 369 million instructions without the index by constants, and 46 million with it.

use std::sync::Arc;

use super::answer::Conversion;
use super::memo::ToldApart;
use crate::types::{FEW, Parts, Symbol, Type, TypeId, TypeStore};
use crate::value::Constant;

/// A name that more members have is not looked for among those of a part.
const SEARCHED: usize = 16;

impl TypeStore {
    /// The object `src` without its surplus in the union `part`, which converts to it as `src`
    /// does; other types as they are. Objects that differ in their surplus alone share an answer.
    pub(crate) fn without_surplus(&mut self, part: TypeId, src: TypeId) -> TypeId {
        let (Type::Union(members), Type::Object(given)) = (self.get(part), self.get(src)) else {
            return src;
        };
        let (members, given) = (members.clone(), given.clone());
        if given.many().is_some() || !self.knows_names(part) {
            return src;
        }
        let names = &self.relations.names.members;
        let is_surplus = |name| match names.get(name) {
            Some(having) => {
                having.len() <= SEARCHED && !having.iter().any(|ty| members.contains(ty))
            }
            None => true,
        };
        if !given.iter().any(|(name, _)| is_surplus(name)) {
            return src;
        }
        let kept = given.iter().filter(|(name, _)| !is_surplus(name));
        let kept: Vec<_> = kept.copied().collect();
        self.object(kept)
    }

    /// Returns whether the names of all properties that a type takes are in the table.
    fn knows_names(&mut self, ty: TypeId) -> bool {
        if let Some(known) = self.relations.names.is_known.get(&ty) {
            return *known;
        }
        let is_known = match self.get(ty).clone() {
            Type::Union(members) => members.unions().all(|part| self.knows_names(part)),
            Type::Nominal(_) => {
                self.add_names(ty, ty);
                true
            }
            Type::Output(element) if matches!(self.get(element), Type::Nominal(_)) => {
                self.add_names(ty, element);
                true
            }
            // Takes no object.
            _ => ty.raw() < TypeId::FIXED && ty != TypeId::DYNAMIC,
        };
        self.relations.names.is_known.insert(ty, is_known);
        is_known
    }

    fn add_names(&mut self, member: TypeId, object: TypeId) {
        let properties = self.properties(object).unwrap_or_default();
        for (name, _) in &properties {
            let members = self.relations.names.members.entry(*name).or_default();
            members.push(member);
        }
    }

    /// The best conversion of an object to a member of a wide union, where a constant in it leaves
    /// few members.
    // Out of line, so that the frames of long chains stay small.
    #[inline(never)]
    pub(crate) fn convert_told_apart(
        &mut self,
        union: TypeId,
        members: &Parts<TypeId>,
        src: TypeId,
    ) -> Option<Conversion> {
        let mut best = Conversion::No;
        for member in self.possible_members(union, members, src)? {
            best = best.max(self.convert(member, src));
        }
        Some(best)
    }

    /// The members of a wide union that an object may convert to: those that list the string that
    /// it has in some property, as a constant converts only to itself. `None` where no property
    /// leaves few of them.
    #[inline(never)]
    fn possible_members(
        &mut self,
        union: TypeId,
        members: &Parts<TypeId>,
        src: TypeId,
    ) -> Option<Vec<TypeId>> {
        let Type::Object(given) = self.get(src) else { return None };
        if members.many().is_none() || given.many().is_some() {
            return None;
        }
        let given = given.clone();
        if !self.knows_names(union) {
            return None;
        }
        given.iter().find_map(|&(name, ty)| {
            let Type::Const { value: value @ Constant::String(_), .. } = self.get(ty) else {
                return None;
            };
            let (value, having) = (value.clone(), self.relations.names.members.get(&name)?.len());
            if having + FEW < members.len() {
                return None;
            }
            let told = self.told_apart(union, members, name);
            let listing = told.by_value.get(&value).map_or(&[][..], Vec::as_slice);
            (told.others.len() + listing.len() <= FEW).then(|| [&told.others, listing].concat())
        })
    }

    fn told_apart(
        &mut self,
        union: TypeId,
        members: &Parts<TypeId>,
        name: Symbol,
    ) -> Arc<ToldApart> {
        if let Some(known) = self.relations.told_apart.get(&(union, name)) {
            return Arc::clone(known);
        }
        let mut told = ToldApart::default();
        for &member in members.iter() {
            let object = self.strip(member);
            let values = self.property(object, name).and_then(|ty| self.only_strings(ty));
            match values {
                Some(values) => {
                    for value in values {
                        told.by_value.entry(value).or_default().push(member);
                    }
                }
                None => told.others.push(member),
            }
        }
        let told = Arc::new(told);
        self.relations.told_apart.insert((union, name), Arc::clone(&told));
        told
    }
}
