//! Arguments that a function of the language does not take.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::words::{in_words, optional};
use crate::types::{Type, TypeId, TypeStore};

/// The values that a function works on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needed {
    /// A list.
    List,
    /// A map or object.
    Map,
    /// Anything that has a length.
    Countable,
}

/// An argument of the type `given` that is not what the function works on.
pub(crate) fn unsuitable_argument(
    span: Span,
    types: &mut TypeStore,
    function: &str,
    needed: Needed,
    given: TypeId,
) -> Diagnostic {
    let fits = is_suitable(types, needed, given);
    let needed = match needed {
        Needed::List => "a list",
        Needed::Map => "a map or object",
        Needed::Countable => "a list, map, object or string",
    };
    let given = in_words(types, given);
    let given = if fits { optional(&given) } else { given };
    let message = format!("`{function}` takes {needed}, found {given}");
    Diagnostic::error(Code::BadArgument, span, message)
}

/// Returns whether a function works on `given` unless it is null.
fn is_suitable(types: &mut TypeStore, needed: Needed, given: TypeId) -> bool {
    let given = types.strip(given);
    match needed {
        Needed::List => matches!(types.get(given), Type::List(_) | Type::Tuple(_)),
        Needed::Map => matches!(
            types.get(given),
            Type::Map(_) | Type::Object(_) | Type::Nominal(_)
        ),
        Needed::Countable => false,
    }
}

/// Adds the function for maps, in the place of `element`.
pub(crate) fn with_lookup(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("`lookup(..)` reads a value of a map")
}

/// Adds the function for lists, in the place of `lookup`.
pub(crate) fn with_element(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("`element(..)` reads an element of a list")
}

/// Adds an example of how the function is called.
pub(crate) fn with_example(diagnostic: Diagnostic, example: &str) -> Diagnostic {
    diagnostic.help(format!("call it like `{example}`"))
}

/// A first argument of `recover` of the type `given`, which is not an output.
pub(crate) fn nothing_to_recover(span: Span, types: &mut TypeStore, given: TypeId) -> Diagnostic {
    let given = in_words(types, given);
    let message = format!("`recover` takes an output, found {given}");
    Diagnostic::error(Code::BadArgument, span, message)
}

/// A call of `try` without arguments.
pub(crate) fn nothing_to_try(span: Span) -> Diagnostic {
    let message = "`try` needs at least one argument";
    Diagnostic::error(Code::WrongArgumentCount, span, message)
}

/// An argument of the type `given` where one resource is needed.
pub(crate) fn not_a_resource(
    span: Span,
    types: &mut TypeStore,
    function: &str,
    given: TypeId,
) -> Diagnostic {
    let words = in_words(types, given);
    let resolved = types.resolve(given);
    let found = if !types.is_resource(types.strip(given)) {
        words
    } else if types.without_none(resolved).is_some() {
        optional(&words)
    } else {
        "an output".to_owned()
    };
    let message = format!("`{function}` takes a resource, found {found}");
    Diagnostic::error(Code::NotAResource, span, message)
}

/// An argument of `object` in a type label that is not an object of types.
pub(crate) fn not_an_object_of_types(span: Span) -> Diagnostic {
    let message = "`object` takes an object of types";
    Diagnostic::error(Code::BadArgument, span, message)
        .help("write the type of each property, as in `object({ name = string })`")
}

/// An argument of `tuple` in a type label that is not a list of types.
pub(crate) fn not_a_tuple_of_types(span: Span) -> Diagnostic {
    let message = "`tuple` takes a list of types";
    Diagnostic::error(Code::BadArgument, span, message)
        .help("write the type of each element, as in `tuple([string, int])`")
}
