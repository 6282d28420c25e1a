//! Traversal: the type of `value.name` and `value[key]`; and collections, which are iterated over
//! and indexed, also behind outputs, promises and options.
//!
//! The rules, with examples: `tests/spec/expressions/traversal.md` and
//! `tests/spec/expressions/for_expr.md`.

use pcl_diagnostics::Severity;

use super::answer::Key;
use crate::types::{Symbol, Type, TypeId, TypeStore};
use crate::value::Constant;

/// The result of a traversal: always a type to go on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traversed {
    /// The type of what was reached; `dynamic` where nothing was.
    pub ty: TypeId,
    /// The errors and warnings about the step, in the order of the types they are about.
    pub errors: Vec<TraverseError>,
}

/// An error or warning about a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraverseError {
    /// The kind of the error.
    pub kind: TraverseErrorKind,
    /// A warning, or an error.
    pub severity: Severity,
}

/// The kinds of errors about traversals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraverseErrorKind {
    /// Values of type `receiver` have nothing inside. For a union: no member has the key, or only
    /// none does.
    Unsupported {
        /// The type that was traversed.
        receiver: TypeId,
    },
    /// The value can only be null.
    NoneReceiver,
    /// A list's key does not convert to a number.
    ListIndex {
        /// The type of the key.
        key: TypeId,
    },
    /// A map's key does not convert to a string.
    MapKey {
        /// The type of the key.
        key: TypeId,
    },
    /// The key of a tuple is not a number, or not an integer.
    TupleIndex {
        /// The type of the key.
        key: TypeId,
    },
    /// A tuple has no such element.
    TupleRange {
        /// The number of elements.
        length: usize,
    },
    /// An object's key does not convert to a string, or is null.
    ObjectKey {
        /// The type of the key.
        key: TypeId,
    },
    /// An object has no such property, not even in other case.
    UnknownProperty {
        /// The requested name.
        name: Symbol,
        /// The object.
        object: TypeId,
    },
    /// A property was found only by passing over differences in case. Always a warning.
    OtherCase {
        /// The requested name.
        asked: Symbol,
        /// The actual name.
        actual: Symbol,
    },
}

impl Traversed {
    pub(crate) fn to(ty: TypeId) -> Self {
        Self { ty, errors: Vec::new() }
    }

    pub(crate) fn error(mut self, kind: TraverseErrorKind) -> Self {
        self.errors.push(TraverseError { kind, severity: Severity::Error });
        self
    }

    pub(crate) fn warning(mut self, kind: TraverseErrorKind) -> Self {
        self.errors.push(TraverseError { kind, severity: Severity::Warning });
        self
    }
}

impl TypeStore {
    /// The type reached from a value of type `receiver` by `key`.
    pub fn traverse(&mut self, receiver: TypeId, key: &Key) -> Traversed {
        match key {
            Key::Constant(Constant::String(text)) => {
                let name = self.symbol(text);
                self.traverse_with(receiver, &Key::Name(name))
            }
            _ => self.traverse_with(receiver, key),
        }
    }

    /// [`TypeStore::traverse`] by a key that is no constant string.
    pub(crate) fn traverse_with(&mut self, receiver: TypeId, key: &Key) -> Traversed {
        match *self.get(receiver) {
            Type::Dynamic | Type::Error | Type::Enum(_) => Traversed::to(receiver),
            Type::None => Traversed::to(TypeId::NONE).warning(TraverseErrorKind::NoneReceiver),
            Type::Bool
            | Type::Int
            | Type::Number
            | Type::String
            | Type::Id
            | Type::Opaque(_)
            | Type::Set(_) => {
                Traversed::to(TypeId::DYNAMIC).error(TraverseErrorKind::Unsupported { receiver })
            }
            Type::Const { underlying, .. } => self.traverse_with(underlying, key),
            Type::List(element) => self.traverse_list(element, key),
            Type::Map(element) => self.traverse_map(element, key),
            Type::Tuple(ref elements) => {
                let elements = elements.clone();
                self.traverse_tuple(&elements, key)
            }
            Type::Object(_) | Type::Nominal(_) => self.traverse_object(receiver, key),
            Type::Union(_) => self.traverse_union(receiver, key),
            Type::Output(element) => {
                let inner = self.traverse_with(element, key);
                Traversed { ty: self.output(inner.ty), ..inner }
            }
            Type::Promise(element) => {
                let inner = self.traverse_with(element, key);
                Traversed { ty: self.promise(inner.ty), ..inner }
            }
        }
    }
}

/// The parts of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collection {
    /// The type of its keys.
    pub key: TypeId,
    /// The type of its values.
    pub value: TypeId,
    /// The stripped type, when values of it cannot be iterated over. Keys and values are then
    /// dynamic.
    pub unsupported: Option<TypeId>,
}

impl TypeStore {
    /// The keys and values of a collection of type `ty`.
    pub fn collection(&mut self, ty: TypeId) -> Collection {
        let stripped = self.strip(ty);
        let (key, value) = match self.get(stripped).clone() {
            Type::Dynamic | Type::Error => (stripped, stripped),
            Type::List(element) => (TypeId::INT, element),
            Type::Map(element) => (TypeId::STRING, element),
            Type::Tuple(elements) => (TypeId::INT, self.unify_safely(&elements)),
            Type::Object(_) | Type::Nominal(_) => {
                let properties = self.properties(stripped).unwrap_or_default();
                let values = self.property_types(&properties);
                (TypeId::STRING, self.unify_safely(&values))
            }
            _ => {
                return Collection {
                    key: TypeId::DYNAMIC,
                    value: TypeId::DYNAMIC,
                    unsupported: Some(stripped),
                };
            }
        };
        Collection { key, value, unsupported: None }
    }

    /// The type that is left of `ty` without the outputs, promises and options around it. An option
    /// is a union of none and one other type; larger unions stay.
    pub fn strip(&self, mut ty: TypeId) -> TypeId {
        loop {
            ty = match *self.get(ty) {
                Type::Output(element) | Type::Promise(element) => element,
                _ => match self.without_none(ty) {
                    Some(other) => other,
                    None => return ty,
                },
            };
        }
    }

    /// `ty` inside the outputs and promises that `source` is made of. Options are not put back.
    pub fn rewrap(&mut self, mut source: TypeId, mut ty: TypeId) -> TypeId {
        loop {
            (source, ty) = match *self.get(source) {
                Type::Output(element) => (element, self.output(ty)),
                Type::Promise(element) => (element, self.promise(ty)),
                _ => return ty,
            };
        }
    }
}
