//! Questions about types: when their values are known, and whether these may be null.

use pcl::document::{Document, Type, TypeIndex};
use rustc_hash::FxHashSet;

/// The time at which a value of a type is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eventual {
    /// At once.
    No,
    /// Once resources exist.
    Output,
    /// Later, as a promise.
    Promise,
    /// One of several types, not all of which are known at once.
    Mixed,
}

/// Returns when a value of a type is known.
pub fn eventual(document: &Document, ty: TypeIndex) -> Eventual {
    match document.ty(ty) {
        Type::Output { .. } => Eventual::Output,
        Type::Promise { .. } => Eventual::Promise,
        Type::Union(_) => {
            let members = document.members(ty);
            let is_late = |&ty: &TypeIndex| {
                matches!(document.ty(ty), Type::Output { .. } | Type::Promise { .. })
            };
            if members.iter().any(is_late) { Eventual::Mixed } else { Eventual::No }
        }
        _ => Eventual::No,
    }
}

/// The type inside of an output or promise; other types are themselves.
pub fn content(document: &Document, ty: TypeIndex) -> TypeIndex {
    match document.ty(ty) {
        Type::Output { element } | Type::Promise { element } => *element,
        _ => ty,
    }
}

/// Returns true if a value of a type may have outputs or promises as its parts, other than the
/// properties of resources.
pub fn holds_eventuals(document: &Document, ty: TypeIndex) -> bool {
    let mut open = vec![ty];
    let mut known = FxHashSet::default();
    while let Some(ty) = open.pop() {
        if !known.insert(ty) {
            continue;
        }
        match document.ty(ty) {
            Type::Output { .. } | Type::Promise { .. } => return true,
            Type::List { element } | Type::Set { element } | Type::Map { element } => {
                open.push(*element);
            }
            Type::Tuple { elements } => open.extend(elements),
            Type::Union(_) => open.extend(document.members(ty).iter()),
            Type::Object(object) if object.schema.is_none() => {
                open.extend(document.properties(ty).into_iter().map(|property| property.ty));
            }
            _ => {}
        }
    }
    false
}

/// Returns true if a test holds for one of the types that a type allows.
pub fn any(document: &Document, ty: TypeIndex, test: impl Fn(&Type) -> bool) -> bool {
    document.alternatives(ty).into_iter().any(|ty| test(document.ty(ty)))
}

/// Returns true if null is among the values of a type, once they are known.
pub fn may_be_null(document: &Document, ty: TypeIndex) -> bool {
    any(document, ty, |ty| matches!(ty, Type::None))
}

/// Returns true if anything may be a value of a type.
pub fn is_dynamic(document: &Document, ty: TypeIndex) -> bool {
    any(document, ty, |ty| matches!(ty, Type::Dynamic | Type::Error))
}

/// The type of the value that a place of type `to` takes, once it is known.
pub fn wanted(document: &Document, to: TypeIndex) -> TypeIndex {
    match document.ty(to) {
        Type::Union(_) => {
            let members = document.members(to);
            let mut late =
                members.iter().filter(|&&ty| matches!(document.ty(ty), Type::Output { .. }));
            match (late.next(), late.next()) {
                (Some(&only), None) => content(document, only),
                _ => to,
            }
        }
        _ => content(document, to),
    }
}

/// The kinds of simple values that a type allows.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Kinds {
    /// Texts and ids.
    pub string: bool,
    /// Numbers.
    pub number: bool,
    /// Bools.
    pub bool: bool,
    /// Anything else but null.
    pub other: bool,
}

impl Kinds {
    /// The kinds of a type.
    pub fn of(document: &Document, ty: TypeIndex) -> Self {
        let mut kinds = Self::default();
        for ty in document.alternatives(ty) {
            match document.ty(ty) {
                Type::String | Type::Id => kinds.string = true,
                Type::Int | Type::Number => kinds.number = true,
                Type::Bool => kinds.bool = true,
                Type::None => {}
                _ => kinds.other = true,
            }
        }
        kinds
    }

    /// Returns true for a type of one kind.
    pub fn is_single(self) -> bool {
        let one = usize::from(self.string) + usize::from(self.number) + usize::from(self.bool);
        one == 1 && !self.other
    }

    /// Returns true if both allow values of one kind.
    pub fn is_part_of(self, other: Self) -> bool {
        self.string && other.string || self.number && other.number || self.bool && other.bool
    }
}
