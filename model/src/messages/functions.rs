//! Arguments that a function of the language does not take.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::mismatch::given_type;
use super::shown;
use crate::types::{TypeId, TypeStore};

/// The values that a function works on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needed {
    /// A list or tuple.
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
    let needed = match needed {
        Needed::List => "a list",
        Needed::Map => "a map or object",
        Needed::Countable => "a list, map, object, tuple or string",
    };
    let shown = shown(types, given);
    let message = format!("`{function}` needs {needed}, not {shown}");
    Diagnostic::error(Code::BadArgument, span, message)
}

/// Adds the function for maps, in the place of `element`.
pub(crate) fn with_lookup(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("`lookup(..)` takes a value out of a map")
}

/// Adds the function for lists, in the place of `lookup`.
pub(crate) fn with_element(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("`element(..)` takes an element out of a list")
}

/// Adds an example of how the function is called.
pub(crate) fn with_example(diagnostic: Diagnostic, example: &str) -> Diagnostic {
    diagnostic.help(format!("call it as in `{example}`"))
}

/// A first argument of `recover` of the type `given`, which is no output.
pub(crate) fn nothing_to_recover(span: Span, types: &mut TypeStore, given: TypeId) -> Diagnostic {
    let shown = shown(types, given);
    let message = format!("`recover` needs an output to recover, not {shown}");
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
    let given = given_type(types, given, TypeId::STRING);
    let message = format!("`{function}` needs one resource, not {given}");
    Diagnostic::error(Code::NotAResource, span, message)
}

/// An argument of `object` in a type label that is no object of types.
pub(crate) fn not_an_object_of_types(span: Span) -> Diagnostic {
    let message = "`object` needs an object of types";
    Diagnostic::error(Code::BadArgument, span, message)
}

/// An argument of `tuple` in a type label that is no tuple of types.
pub(crate) fn not_a_tuple_of_types(span: Span) -> Diagnostic {
    let message = "`tuple` needs a tuple of types";
    Diagnostic::error(Code::BadArgument, span, message)
}
