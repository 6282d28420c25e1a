//! The parts of a union or object, which may be very many.
//!
//! Up to [`FEW`] parts are a slice. More of them are a search tree, whose subtrees are the unions
//! or objects of some of the parts and are interned like any other type. In a chain of values, each
//! of which adds a member to the union of the one before, each link therefore costs the depth of a
//! tree, and answers about subtrees are cached like answers about types.
//!
//! The root of a tree follows from the parts alone: it is the one of highest rank (the tree is a
//! *treap*). Equal parts therefore make equal trees, however they were built.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::id::Symbol;
use super::id::TypeId;
use super::store::TypeStore;
use super::ty::Type;

/// Up to how many parts are kept as a slice. No answer depends on it; with debug assertions it is
/// small, so that every test about types has trees in it.
pub(crate) const FEW: usize = if cfg!(debug_assertions) { 4 } else { 64 };

/// The parts of a type in normal form: sorted, each once. A slice of them, to whoever looks.
///
/// Cloning is cheap. [`Parts::iter`], [`Parts::len`] and the like do not write many parts out,
/// which the use as a slice does.
#[derive(Clone)]
pub struct Parts<P>(Repr<P>);

#[derive(Clone)]
enum Repr<P> {
    Few(Arc<[P]>),
    Many(Arc<Many<P>>),
}

/// More than [`FEW`] parts.
pub(crate) struct Many<P> {
    /// The parts before `part`.
    pub(crate) left: Branch<P>,
    /// The part of highest rank.
    pub(crate) part: P,
    /// The parts behind `part`.
    pub(crate) right: Branch<P>,
    len: usize,
    written_out: OnceLock<Box<[P]>>,
}

/// Some of the parts of a type, and the type that has these parts alone.
#[derive(Clone)]
pub(crate) struct Branch<P> {
    pub(crate) ty: TypeId,
    pub(crate) parts: Parts<P>,
}

impl<P> Parts<P> {
    pub(crate) fn few(parts: impl Into<Arc<[P]>>) -> Self {
        Self(Repr::Few(parts.into()))
    }

    /// The top of the tree when the parts are many.
    pub(crate) fn many(&self) -> Option<&Arc<Many<P>>> {
        match &self.0 {
            Repr::Few(_) => None,
            Repr::Many(many) => Some(many),
        }
    }

    /// Divides many parts at the one on top of their tree: returns the type of those before it, it,
    /// and the type of those behind it. No side of one member is a union. `None` when the parts are
    /// few.
    pub fn split(&self) -> Option<(Option<TypeId>, &P, Option<TypeId>)> {
        let many = self.many()?;
        let [left, right] = [&many.left, &many.right]
            .map(|branch| Some(branch.ty).filter(|_| !branch.parts.is_empty()));
        Some((left, &many.part, right))
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Few(parts) => parts.len(),
            Repr::Many(many) => many.len,
        }
    }

    /// Returns true if there are no parts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The parts in order.
    pub fn iter(&self) -> Iter<'_, P> {
        let mut iter = Iter { slice: [].iter(), open: Vec::new(), to_come: self.len() };
        iter.descend(self);
        iter
    }
}

impl Parts<TypeId> {
    /// The types that the union of these members is made of: few members themselves, or unions of
    /// some of many. A union with `dynamic` is made of its members alone: it equals itself, which
    /// says nothing about a union that it is only a part of.
    pub(crate) fn unions(&self) -> impl Iterator<Item = TypeId> + '_ {
        let many = self.many().filter(|_| !self.contains(&TypeId::DYNAMIC));
        let single = many.is_none().then(|| self.iter().copied());
        let unions = many.and_then(|_| self.split());
        let unions =
            unions.map(|(left, &part, right)| [left, Some(part), right].into_iter().flatten());
        single.into_iter().flatten().chain(unions.into_iter().flatten())
    }

    /// Returns whether `ty` is one of the parts.
    pub fn contains(&self, ty: &TypeId) -> bool {
        let mut parts = self;
        loop {
            let many = match &parts.0 {
                Repr::Few(parts) => return parts.contains(ty),
                Repr::Many(many) => many,
            };
            parts = match ty.cmp(&many.part) {
                Ordering::Less => &many.left.parts,
                Ordering::Equal => return true,
                Ordering::Greater => &many.right.parts,
            };
        }
    }
}

impl<P> Default for Parts<P> {
    fn default() -> Self {
        Self::few([])
    }
}

impl<P: Copy> Deref for Parts<P> {
    type Target = [P];

    fn deref(&self) -> &[P] {
        match &self.0 {
            Repr::Few(parts) => parts,
            Repr::Many(many) => many.written_out.get_or_init(|| self.iter().copied().collect()),
        }
    }
}

impl<'p, P> IntoIterator for &'p Parts<P> {
    type Item = &'p P;
    type IntoIter = Iter<'p, P>;

    fn into_iter(self) -> Iter<'p, P> {
        self.iter()
    }
}

impl<P: fmt::Debug> fmt::Debug for Parts<P> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self).finish()
    }
}

impl<P: PartialEq> PartialEq for Parts<P> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Few(one), Repr::Few(other)) => one == other,
            (Repr::Many(one), Repr::Many(other)) => one.key() == other.key(),
            _ => false,
        }
    }
}

impl<P: Eq> Eq for Parts<P> {}

impl<P: Hash> Hash for Parts<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Few(parts) => parts.hash(state),
            Repr::Many(many) => many.key().hash(state),
        }
    }
}

impl<P> Many<P> {
    /// All that the parts depend on.
    fn key(&self) -> (TypeId, &P, TypeId) {
        (self.left.ty, &self.part, self.right.ty)
    }
}

/// The parts of a type, one by one.
pub struct Iter<'p, P> {
    slice: std::slice::Iter<'p, P>,
    /// The trees whose top and right side are still to come, the next one last.
    open: Vec<&'p Many<P>>,
    to_come: usize,
}

impl<P> Clone for Iter<'_, P> {
    fn clone(&self) -> Self {
        Self { slice: self.slice.clone(), open: self.open.clone(), to_come: self.to_come }
    }
}

impl<P> ExactSizeIterator for Iter<'_, P> {}

impl<'p, P> Iter<'p, P> {
    fn descend(&mut self, mut parts: &'p Parts<P>) {
        while let Repr::Many(many) = &parts.0 {
            self.open.push(many);
            parts = &many.left.parts;
        }
        if let Repr::Few(few) = &parts.0 {
            self.slice = few.iter();
        }
    }
}

impl<'p, P> Iterator for Iter<'p, P> {
    type Item = &'p P;

    fn next(&mut self) -> Option<&'p P> {
        let part = match self.slice.next() {
            Some(part) => part,
            None => {
                let many = self.open.pop()?;
                self.descend(&many.right.parts);
                &many.part
            }
        };
        self.to_come -= 1;
        Some(part)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.to_come, Some(self.to_come))
    }
}

/// A part of a union or object.
pub(crate) trait Part: Copy + Eq + Hash {
    /// The order of the parts of one type. Two parts that are equal in it do not occur in one type.
    fn order(&self, other: &Self, types: &TypeStore) -> Ordering;

    /// A number that differs from part to part and says nothing about their order.
    fn rank(&self) -> u32;

    /// The type of the part.
    fn ty(&self) -> TypeId;

    /// The type that has these parts, which are at most [`FEW`].
    fn few(types: &mut TypeStore, parts: &[Self]) -> TypeId {
        types.intern(Self::make(Parts::few(parts)))
    }

    /// The type that has these parts, not yet interned.
    fn make(parts: Parts<Self>) -> Type;

    /// The parts of a type of the kind that has such parts.
    fn of(ty: &Type) -> Option<&Parts<Self>>;
}

/// A member of a union.
impl Part for TypeId {
    fn order(&self, other: &Self, _: &TypeStore) -> Ordering {
        self.cmp(other)
    }

    fn rank(&self) -> u32 {
        scatter(self.raw())
    }

    fn ty(&self) -> TypeId {
        *self
    }

    fn few(types: &mut TypeStore, parts: &[Self]) -> TypeId {
        match parts {
            [one] => *one,
            _ => types.intern(Self::make(Parts::few(parts))),
        }
    }

    fn make(parts: Parts<Self>) -> Type {
        Type::Union(parts)
    }

    fn of(ty: &Type) -> Option<&Parts<Self>> {
        match ty {
            Type::Union(parts) => Some(parts),
            _ => None,
        }
    }
}

/// A property of an object.
impl Part for (Symbol, TypeId) {
    fn order(&self, other: &Self, types: &TypeStore) -> Ordering {
        types.compare_names(self.0, other.0)
    }

    fn rank(&self) -> u32 {
        scatter(self.0.raw())
    }

    fn ty(&self) -> TypeId {
        self.1
    }

    fn make(parts: Parts<Self>) -> Type {
        Type::Object(parts)
    }

    fn of(ty: &Type) -> Option<&Parts<Self>> {
        match ty {
            Type::Object(parts) => Some(parts),
            _ => None,
        }
    }
}

/// Numbers that follow each other become numbers that do not; different ones stay different.
fn scatter(number: u32) -> u32 {
    let number = (number ^ number >> 16).wrapping_mul(0x7feb_352d);
    let number = (number ^ number >> 15).wrapping_mul(0x846c_a68b);
    number ^ number >> 16
}

/// Two types cut at the same place: on either side of it what is before, at, and behind that place.
pub(crate) type Divided<P> = [(Branch<P>, Option<P>, Branch<P>); 2];

impl TypeStore {
    /// The type of these parts, which are in normal form.
    pub(crate) fn gather<P: Part>(&mut self, parts: &[P]) -> Branch<P> {
        if parts.len() <= FEW {
            return self.gather_few(parts);
        }
        let (left, part, right) = at_highest(parts);
        let (left, right) = (self.gather(left), self.gather(right));
        self.branch(left, part, right)
    }

    fn gather_few<P: Part>(&mut self, parts: &[P]) -> Branch<P> {
        let ty = P::few(self, parts);
        let parts = match P::of(self.get(ty)) {
            Some(known) => known.clone(),
            None => Parts::few(parts),
        };
        Branch { ty, parts }
    }

    /// The parts of `ty`: a type that is not a union is its own only member.
    pub(crate) fn branch_of<P: Part>(&self, ty: TypeId) -> Option<Branch<P>> {
        let parts = P::of(self.get(ty))?.clone();
        Some(Branch { ty, parts })
    }

    /// More than [`FEW`] parts, of which `part` has the highest rank.
    pub(crate) fn branch<P: Part>(
        &mut self,
        left: Branch<P>,
        part: P,
        right: Branch<P>,
    ) -> Branch<P> {
        let len = left.parts.len() + 1 + right.parts.len();
        debug_assert!(len > FEW);
        let parts = Parts(Repr::Many(Arc::new(Many {
            left,
            part,
            right,
            len,
            written_out: OnceLock::new(),
        })));
        let ty = self.intern(P::make(parts.clone()));
        let parts = P::of(self.get(ty)).cloned().unwrap_or(parts);
        Branch { ty, parts }
    }

    /// The type of the parts of `left`, `part`, and those of `right`, in this order.
    pub(crate) fn join<P: Part>(
        &mut self,
        left: Branch<P>,
        part: P,
        right: Branch<P>,
    ) -> Branch<P> {
        if left.parts.len() + 1 + right.parts.len() <= FEW {
            let parts: Vec<P> = (left.parts.iter().copied())
                .chain([part])
                .chain(right.parts.iter().copied())
                .collect();
            return self.gather_few(&parts);
        }
        let (own, before, behind) = (Some(part.rank()), highest(&left), highest(&right));
        if own > before && own > behind {
            self.branch(left, part, right)
        } else if before > behind {
            let (outer, top, inner) = self.take_top(&left);
            let inner = self.join(inner, part, right);
            self.branch(outer, top, inner)
        } else {
            let (inner, top, outer) = self.take_top(&right);
            let inner = self.join(left, part, inner);
            self.branch(inner, top, outer)
        }
    }

    /// The parts of `branch`, and `part`, which takes the place of one that is equal in order.
    pub(crate) fn insert<P: Part>(&mut self, branch: &Branch<P>, part: P) -> Branch<P> {
        let many = match &branch.parts.0 {
            Repr::Few(parts) => {
                let at = parts.partition_point(|own| own.order(&part, self).is_lt());
                let equal = parts.get(at).is_some_and(|own| own.order(&part, self).is_eq());
                let mut parts = parts.to_vec();
                parts.splice(at..at + usize::from(equal), [part]);
                return self.gather(&parts);
            }
            Repr::Many(many) => many,
        };
        if part.rank() > many.part.rank() {
            let (left, _, right) = self.cut(branch, &part);
            return self.join(left, part, right);
        }
        match part.order(&many.part, self) {
            Ordering::Equal => self.branch(many.left.clone(), part, many.right.clone()),
            Ordering::Less => {
                let left = self.insert(&many.left, part);
                self.branch(left, many.part, many.right.clone())
            }
            Ordering::Greater => {
                let right = self.insert(&many.right, part);
                self.branch(many.left.clone(), many.part, right)
            }
        }
    }

    /// The part of highest rank, and what is on either side of it. `branch` has parts.
    fn take_top<P: Part>(&mut self, branch: &Branch<P>) -> (Branch<P>, P, Branch<P>) {
        match &branch.parts.0 {
            Repr::Few(parts) => {
                let (left, part, right) = at_highest(parts);
                (self.gather_few(left), part, self.gather_few(right))
            }
            Repr::Many(many) => (many.left.clone(), many.part, many.right.clone()),
        }
    }

    /// The parts before, at, and after the position of `at`.
    fn cut<P: Part>(&mut self, branch: &Branch<P>, at: &P) -> (Branch<P>, Option<P>, Branch<P>) {
        let many = match &branch.parts.0 {
            Repr::Few(parts) => {
                let start = parts.partition_point(|part| part.order(at, self).is_lt());
                let (left, rest) = parts.split_at(start);
                let (found, right) = match rest.split_first() {
                    Some((part, right)) if part.order(at, self).is_eq() => (Some(*part), right),
                    _ => (None, rest),
                };
                return (self.gather_few(left), found, self.gather_few(right));
            }
            Repr::Many(many) => many,
        };
        match at.order(&many.part, self) {
            Ordering::Equal => (many.left.clone(), Some(many.part), many.right.clone()),
            Ordering::Less => {
                let (left, found, inner) = self.cut(&many.left, at);
                let right = self.join(inner, many.part, many.right.clone());
                (left, found, right)
            }
            Ordering::Greater => {
                let (inner, found, right) = self.cut(&many.right, at);
                let left = self.join(many.left.clone(), many.part, inner);
                (left, found, right)
            }
        }
    }

    /// Both cut at the part of highest rank of the trees among them; `None` when both are few.
    pub(crate) fn divide<P: Part>(&mut self, a: &Branch<P>, b: &Branch<P>) -> Option<Divided<P>> {
        let tops = [a, b].map(|branch| branch.parts.many().map(|many| many.part));
        let top = tops.into_iter().flatten().max_by_key(Part::rank)?;
        Some([self.cut(a, &top), self.cut(b, &top)])
    }
}

fn highest<P: Part>(branch: &Branch<P>) -> Option<u32> {
    match &branch.parts.0 {
        Repr::Few(parts) => parts.iter().map(Part::rank).max(),
        Repr::Many(many) => Some(many.part.rank()),
    }
}

/// The part of highest rank of some parts, and those on either side of it.
#[expect(
    clippy::indexing_slicing,
    reason = "a branch that is divided has parts, and `at` is the index of one"
)]
fn at_highest<P: Part>(parts: &[P]) -> (&[P], P, &[P]) {
    let ranks = parts.iter().map(Part::rank).enumerate();
    let at = ranks.max_by_key(|&(_, rank)| rank).map_or(0, |(at, _)| at);
    (&parts[..at], parts[at], &parts[at + 1..])
}
