//! Surplus properties: those of an object that no member of a union has.
//!
//! A union of many members is compared part by part, and answers are remembered for each part. The
//! objects that are compared with one union often differ in properties of a few members alone:
//! without the surplus, they are one object to every part without these members.

use rustc_hash::FxHashMap;

use crate::types::{Symbol, Type, TypeId, TypeStore};

/// The members of large unions, by the names that they have.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// The members that are objects, or outputs of objects, of schemas.
    members: FxHashMap<Symbol, Vec<TypeId>>,
    /// True for a type in which such members, all of them in the table, are all that takes an
    /// object.
    is_known: FxHashMap<TypeId, bool>,
}

/// A name that more members have is not looked for among those of a part.
const SEARCHED: usize = 16;

impl TypeStore {
    /// The object `src` without its surplus in the union `part`, which converts to it as `src`
    /// does; other types as they are.
    ///
    /// For 480 objects and a union of as many members told apart by a constant, conversions take
    /// 122 million instructions, and 885 million of the objects as they are.
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
}
