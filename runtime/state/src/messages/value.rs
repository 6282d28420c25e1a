//! PCL1103: the values of a state. No message shows a value, which may be secret.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::value::Malformed;

/// The diagnostic with the JSON pointer of its place.
pub(crate) fn at(diagnostic: Diagnostic, pointer: &str) -> Diagnostic {
    match pointer {
        "" => diagnostic,
        _ => {
            let mut diagnostic = diagnostic;
            diagnostic.notes.insert(0, format!("at {pointer}"));
            diagnostic
        }
    }
}

/// A value of another kind than the field has.
pub(crate) fn wrong_kind(at: Span, expected: &str, found: &str) -> Diagnostic {
    let message = format!("expected {expected}, found {found}");
    Diagnostic::error(Code::StateValue, at, message).help(format!("make it {expected}"))
}

/// A field that is not there.
pub(crate) fn missing_field(at: Span, name: &str, expected: &str) -> Diagnostic {
    let message = format!("expected {expected} in `{name}`, found no such field");
    Diagnostic::error(Code::StateValue, at, message).help(format!("add `{name}`"))
}

/// A field that is there without a value.
pub(crate) fn empty_field(at: Span, name: &str) -> Diagnostic {
    let message = format!("the field `{name}` of a resource is empty");
    Diagnostic::error(Code::StateValue, at, message).help(format!("give `{name}` a value"))
}

/// A text that is no URN.
pub(crate) fn not_a_urn(at: Span) -> Diagnostic {
    let message = "expected a URN, found another string";
    Diagnostic::error(Code::StateValue, at, message)
        .help("a URN has the form `urn:pulumi:STACK::PROJECT::TYPE::NAME`")
}

/// A text that is no reference to a provider.
pub(crate) fn not_a_provider(at: Span) -> Diagnostic {
    let message = "expected the URN and the id of a provider, found another string";
    Diagnostic::error(Code::StateValue, at, message)
        .help("write `urn:pulumi:STACK::PROJECT::pulumi:providers:PACKAGE::NAME::ID`")
}

/// A component with an id.
pub(crate) fn id_of_component(at: Span) -> Diagnostic {
    let message = "a resource that is not `custom` has an `id`";
    Diagnostic::error(Code::StateValue, at, message)
        .help("remove `id`, or set `custom` to `true` if a provider manages the resource")
}

/// An operation that does not exist.
pub(crate) fn unknown_operation(at: Span) -> Diagnostic {
    let message = "expected `creating`, `updating`, `deleting` or `reading`, found another string";
    Diagnostic::error(Code::StateValue, at, message)
        .help("remove the operation after making sure that it is complete")
}

/// A key that occurs twice.
pub(crate) fn duplicate_key(at: Span) -> Diagnostic {
    let message = "the key occurs twice in its object; the last value counts";
    Diagnostic::error(Code::StateValue, at, message).help("remove one of them")
}

/// A special value without its parts.
pub(crate) fn malformed(at: Span, malformed: Malformed) -> Diagnostic {
    let (message, help) = match malformed {
        Malformed::Signature => (
            "the signature of this special value is unknown".to_owned(),
            "restore the value from a backup of the state",
        ),
        Malformed::Part { of, name, expected } => (
            format!("{of} must have {expected} in `{name}`"),
            "restore the value from a backup of the state",
        ),
        Malformed::SecretForms => (
            "a secret must have either `ciphertext` or `plaintext`, found neither or both"
                .to_owned(),
            "keep the one that is right",
        ),
    };
    Diagnostic::error(Code::StateValue, at, message).help(help)
}
