//! The wording of the crate: PCL1111 to PCL1113, and the comments of programs.

use std::fmt::Display;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_schema::PropertySpec;

use crate::place::Place;

fn refused(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::ImportRefused, at, message)
}

fn inexact(at: Span, place: &Place<'_>, reason: &str) -> Diagnostic {
    inexact_part(
        at,
        &place.urn,
        &format!("the input `{}`", place.text()),
        reason,
    )
}

fn inexact_part(at: Span, urn: &str, part: &str, reason: &str) -> Diagnostic {
    let message = format!("{part} differs from the state: {reason}");
    Diagnostic::warning(Code::ImportInexact, at, message).note(format!("of {urn}"))
}

/// The schema of a package cannot be loaded.
pub(crate) fn no_schema(at: Span, package: &str, error: &dyn Display) -> Diagnostic {
    refused(at, format!("the schema of the package `{package}` is missing: {error}"))
        .help("name it with `--schema-dir`, or write resources without a schema with `--missing-schema ignore`")
}

/// The package has no such type.
pub(crate) fn no_type(at: Span, package: &str, kind: &str) -> Diagnostic {
    refused(
        at,
        format!("the package `{package}` has no resource `{kind}`"),
    )
    .help(
        "get the schema in the version that the stack uses, as with `pcl schema add`, or write \
         resources without a schema with `--missing-schema ignore`",
    )
}

/// The schema of a resource cannot be read.
pub(crate) fn broken_type(at: Span, package: &str, kind: &str, error: &dyn Display) -> Diagnostic {
    let message = format!("the schema of `{kind}` in the package `{package}` is damaged: {error}");
    refused(at, message).help(
        "get the schema again, or write resources without a schema with `--missing-schema ignore`",
    )
}

/// The resource of an option is not in the program.
pub(crate) fn no_resource(at: Span, option: &str, urn: &str) -> Diagnostic {
    refused(
        at,
        format!("the program cannot refer to `{urn}` in `{option}`"),
    )
    .help("import the resource in that place, too")
}

/// No resource has this URN.
pub(crate) fn no_urn(at: Span, urn: &str) -> Diagnostic {
    refused(at, format!("the state has no resource `{urn}`"))
        .help("list the resources with `pcl state ls --output-format json`")
}

/// A text of the program does not parse, which is a bug.
pub(crate) fn broken(at: Span) -> Diagnostic {
    Diagnostic::bug(at, "the program that was written is not valid")
}

/// The parent of a resource is not the one that its URN has.
pub(crate) fn other_urn(at: Span, urn: &str, other: &str) -> Diagnostic {
    let reason = format!("with this parent, the resource becomes `{other}`");
    inexact_part(at, urn, "the URN", &reason)
        .help(format!("add `aliases = [\"{urn}\"]` to its options"))
}

/// The schema has no such input.
pub(crate) fn not_an_input(at: Span, place: &Place<'_>) -> Diagnostic {
    inexact(at, place, "the schema has no such input, so it is left out")
        .help("get the schema in the version that the stack uses, as with `pcl schema add`")
}

/// A required input is not in the state.
pub(crate) fn required(at: Span, place: &Place<'_>) -> Diagnostic {
    inexact(
        at,
        place,
        "it is required and the state has no value, so it is empty",
    )
    .help("write the value that the resource has")
}

/// An input that a run adds to those of the program is not in the state: a constant, or one with a
/// default.
pub(crate) fn added(at: Span, place: &Place<'_>, spec: &PropertySpec) -> Diagnostic {
    let reason = match spec.constant {
        Some(_) => "the state has no value, and the schema adds the only one",
        None => "the state has no value, and the schema adds its default",
    };
    inexact(at, place, reason).help(format!("write `{} = null` to send no value", place.text()))
}

/// A value is of another kind than the schema says, and is converted.
pub(crate) fn converted(at: Span, place: &Place<'_>, expected: &str) -> Diagnostic {
    let reason = format!("the schema expects {expected}, so the value is converted");
    inexact(at, place, &reason).help("check the value against the documentation of the resource")
}

/// A value is of another kind than the schema says, and cannot be written.
pub(crate) fn misfit(at: Span, place: &Place<'_>, expected: &str) -> Diagnostic {
    let reason = format!("the schema expects {expected}, so the value is left out");
    inexact(at, place, &reason).help("write a value of this kind")
}

/// A value that no program can spell.
pub(crate) fn unspeakable(at: Span, place: &Place<'_>, what: &str) -> Diagnostic {
    inexact(at, place, &format!("{what}, so it is left out"))
        .help("write the value by hand, or ignore it with `ignoreChanges`")
}

/// An option of the state that a program cannot have.
pub(crate) fn option(at: Span, urn: &str, option: &str, reason: &str) -> Diagnostic {
    let message = format!("the option `{option}` is not written: {reason}");
    Diagnostic::warning(Code::ImportOption, at, message)
        .note(format!("of {urn}"))
        .help("add the option by hand")
}

/// The comment of a component whose program is not in the state.
pub(crate) const LOCAL_COMPONENT: &str =
    "# The state has no program for this component: its resources name it as their parent.";

/// The comment of a component whose resources a provider makes.
pub(crate) fn remote_component(count: usize) -> String {
    match count {
        1 => "# The provider of this component makes the resource in it.".to_owned(),
        _ => format!("# The provider of this component makes the {count} resources in it."),
    }
}
