//! PCL1104 to PCL1110: the order and the references of a state.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::resource::NeedKind;

/// The message that a resource which another one needs is in a wrong `place`.
fn misplaced(kind: &NeedKind<'_>, urn: &str, place: &str) -> String {
    let role = match kind {
        NeedKind::Property(name) => {
            return format!("the property `{name}` depends on `{urn}`, which {place}");
        }
        NeedKind::Parent => "the parent",
        NeedKind::Provider => "the provider",
        NeedKind::Dependency => "the dependency",
        NeedKind::DeletedWith => "the resource in `deletedWith`",
        NeedKind::ReplaceWith => "the resource in `replaceWith`",
    };
    format!("{role} `{urn}` {place}")
}

/// Two resources with one URN.
pub(crate) fn duplicate_urn(at: Span, urn: &str, first: Span) -> Diagnostic {
    let message = format!("the state has two resources with the URN `{urn}`");
    Diagnostic::error(Code::StateDuplicateUrn, at, message)
        .label(first, "the first one")
        .note("only resources that are to be deleted may have the URN of another one")
        .help("remove one of them, or rename one with `pulumi state rename`")
}

/// A reference to a resource that is not there.
pub(crate) fn missing(at: Span, kind: &NeedKind<'_>, urn: &str) -> Diagnostic {
    let message = misplaced(kind, urn, "is not in the state");
    Diagnostic::error(Code::StateMissingResource, at, message)
        .help("correct the URN, or remove the reference; `pulumi state repair` does so")
}

/// A provider that is there with the id `own`, which is empty if there is none, not with `found`.
pub(crate) fn other_provider(at: Span, own: &str, found: &str) -> Diagnostic {
    let message = match own {
        "" => format!("the provider has no id, found `{found}`"),
        _ => format!("the provider has the id `{own}`, found `{found}`"),
    };
    Diagnostic::error(Code::StateMissingResource, at, message)
        .help("write the id that the provider has in the state")
}

/// A resource that comes before one that it needs.
pub(crate) fn order(at: Span, kind: &NeedKind<'_>, urn: &str, other: Span) -> Diagnostic {
    let message = misplaced(kind, urn, "comes after the resource");
    Diagnostic::error(Code::StateOrder, at, message)
        .label(other, "it is here")
        .help("move the resource after all that it needs; `pulumi state repair` does so")
}

/// Resources that need each other.
pub(crate) fn cycle(at: Span, urn: &str, members: usize, other: Span) -> Diagnostic {
    let message = match members {
        1 => format!("the resource `{urn}` needs itself"),
        2 => format!("two resources need each other, this one and `{urn}`"),
        _ => format!("{members} resources need each other in a cycle, this one and `{urn}` too"),
    };
    let diagnostic = Diagnostic::error(Code::StateCycle, at, message);
    let diagnostic = match members {
        1 => diagnostic,
        _ => diagnostic.label(other, "the other one is here"),
    };
    diagnostic.help("remove the reference that closes the cycle")
}

/// A manifest that does not belong to its version.
pub(crate) fn magic(at: Span) -> Diagnostic {
    let message = "the `magic` of the manifest is not the SHA-256 digest of its `version`";
    Diagnostic::error(Code::StateManifest, at, message)
        .note("Pulumi refuses such a state as tampered with")
        .help("restore the manifest from a backup of the state, or remove `magic`")
}

/// An operation that was under way.
pub(crate) fn pending(at: Span, kind: &str, urn: &str) -> Diagnostic {
    let message = format!("`{urn}` was being changed when the state was written (`{kind}`)");
    Diagnostic::warning(Code::StatePendingOperation, at, message)
        .note("the resource may exist without being in the state, or the other way round")
        .help("run `pulumi refresh`, which asks the provider and clears the operation")
}

/// An error that Pulumi has recorded.
pub(crate) fn recorded(at: Span, error: Option<&str>) -> Diagnostic {
    let message = "Pulumi recorded that this state is damaged";
    let diagnostic = Diagnostic::error(Code::StateRecordedError, at, message);
    let diagnostic = match error {
        Some(error) => diagnostic.note(format!("its reason: {error}")),
        None => diagnostic,
    };
    diagnostic.help("repair the state with `pulumi state repair`")
}
