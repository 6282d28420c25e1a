//! PCL0456: type specs.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// The help for a malformed type.
const FORMS: &str =
    "a type is boolean, integer, number, string, array, object, a `$ref` or a `oneOf`";

fn bad_type(at: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::error(Code::SchemaType, at, message).help(help)
}

/// `type` is not a type.
pub(crate) fn unknown(at: Span, word: &str) -> Diagnostic {
    bad_type(at, format!("`{word}` is not a type"), FORMS)
}

/// There is no type.
pub(crate) fn missing(at: Span) -> Diagnostic {
    bad_type(at, "the type is missing", FORMS)
}

/// An entry of `types` is not an object type and has no `enum`.
pub(crate) fn neither_object_nor_enum(at: Span) -> Diagnostic {
    bad_type(
        at,
        "expected an object type or an enumeration: `enum` is missing",
        FORMS,
    )
}

/// A key belongs to another form of type than `form`.
pub(crate) fn meaningless_key(at: Span, key: &str, form: &str) -> Diagnostic {
    bad_type(at, format!("`{key}` is not valid in {form}"), FORMS)
}

/// `type` is not a primitive type where only one of these is allowed.
pub(crate) fn not_primitive(at: Span, word: &str) -> Diagnostic {
    bad_type(
        at,
        format!("expected a primitive type, found `{word}`"),
        FORMS,
    )
}

/// The type of an enumeration is not a primitive type.
pub(crate) fn enum_not_primitive(at: Span, word: &str) -> Diagnostic {
    bad_type(
        at,
        format!("the type of an enumeration is boolean, integer, number or string, not `{word}`"),
        FORMS,
    )
}

/// An array has no `items`.
pub(crate) fn array_without_items(at: Span) -> Diagnostic {
    bad_type(
        at,
        "`items` is missing from the array",
        "set `items` to the type of the elements",
    )
}

/// `oneOf` has fewer than two members.
pub(crate) fn short_union(at: Span) -> Diagnostic {
    bad_type(
        at,
        "a union has at least two members",
        "write the type itself instead of a union",
    )
}

/// A discriminator has no property name.
pub(crate) fn discriminator_without_property(at: Span) -> Diagnostic {
    bad_type(
        at,
        "`propertyName` is missing",
        "set it to the property that distinguishes the members",
    )
}
