//! PCL0457: constants, defaults and values of enumerations.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::Primitive;

fn bad_constant(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaConstant, at, message)
        .help("write a value of this type, or remove it")
}

/// A value is not of its type.
pub(crate) fn wrong_type(at: Span, expected: Primitive) -> Diagnostic {
    bad_constant(
        at,
        format!("the value does not have the type `{}`", expected.as_str()),
    )
}

/// A type without constants has one.
pub(crate) fn no_constants(at: Span) -> Diagnostic {
    bad_constant(
        at,
        "only booleans, integers, numbers, strings and their enumerations \
         can have a constant or default",
    )
}

/// An entry of an enumeration has no value.
pub(crate) fn enum_without_value(at: Span) -> Diagnostic {
    bad_constant(at, "this value of the enumeration is missing `value`")
}

/// `defaultInfo` lists no environment variable.
pub(crate) fn missing_environment(at: Span) -> Diagnostic {
    let message = "`defaultInfo` does not name an environment variable";
    Diagnostic::error(Code::SchemaConstant, at, message).help("list the variables in `environment`")
}
