//! Collections: keys of objects, and values that are iterated over or indexed.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::words::in_words;
use crate::types::{Type, TypeId, TypeStore};

/// An operation that needs a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectionUse {
    /// A loop over it.
    Loop,
    /// An index into it.
    Index,
    /// The function `entries`.
    Entries,
}

/// A value of the type `given` where a collection is needed.
pub(crate) fn not_a_collection(
    span: Span,
    types: &mut TypeStore,
    given: TypeId,
    needed_for: CollectionUse,
) -> Diagnostic {
    let doing = match needed_for {
        CollectionUse::Loop => "loop over",
        CollectionUse::Index => "index",
        CollectionUse::Entries => "list the entries of",
    };
    let message = format!("cannot {doing} {}", in_words(types, given));
    let help = match types.get(given) {
        Type::Set(_) => "a set has no order and no keys; use a list instead",
        _ if needed_for == CollectionUse::Loop && is_number(types, given) => {
            "to count, loop over `range(..)`"
        }
        _ => "expected a list, map or object",
    };
    Diagnostic::error(Code::NotACollection, span, message).help(help)
}

fn is_number(types: &TypeStore, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Const { underlying, .. } => is_number(types, *underlying),
        _ => ty == TypeId::INT || ty == TypeId::NUMBER,
    }
}

/// A key of an object of the type `given`, which does not convert to string.
pub(crate) fn object_key_not_string(
    span: Span,
    types: &mut TypeStore,
    given: TypeId,
) -> Diagnostic {
    let given = in_words(types, given);
    let message = format!("the key of an object must be a string, found {given}");
    Diagnostic::error(Code::ObjectKeyNotString, span, message)
        .help("a key is a string, a number or a bool")
}

/// The second of two equal keys of an object. `first` is the place of the other one.
pub(crate) fn duplicate_object_key(span: Span, first: Span, name: &str) -> Diagnostic {
    let message = format!("the key `{name}` appears twice in this object");
    Diagnostic::warning(Code::DuplicateObjectKey, span, message)
        .ours()
        .label(first, "first here; this value is ignored")
        .help("keep one of the two")
}
