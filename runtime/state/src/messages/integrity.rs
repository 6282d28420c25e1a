//! PCL1104 to PCL1110: the order and the references of a state.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::resource::NeedKind;

/// The role of a resource that another one needs, with its article.
fn role(kind: &NeedKind<'_>) -> String {
    match kind {
        NeedKind::Parent => "the parent".to_owned(),
        NeedKind::Provider => "the provider".to_owned(),
        NeedKind::Dependency => "the dependency".to_owned(),
        NeedKind::Property(name) => format!("the dependency of the property `{name}`"),
        NeedKind::DeletedWith => "the resource in `deletedWith`".to_owned(),
        NeedKind::ReplaceWith => "the resource in `replaceWith`".to_owned(),
    }
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
    let message = format!("{} `{urn}` is not in the state", role(kind));
    Diagnostic::error(Code::StateMissingResource, at, message)
        .help("correct the URN, or remove the reference; `pulumi state repair` does so")
}

/// A provider that is there with another id.
pub(crate) fn other_provider(at: Span, id: &str) -> Diagnostic {
    let message = format!("the provider has another id than `{id}`");
    Diagnostic::error(Code::StateMissingResource, at, message)
        .help("write the id that the provider has in the state")
}

/// A resource that stands before one that it needs.
pub(crate) fn order(at: Span, kind: &NeedKind<'_>, urn: &str, other: Span) -> Diagnostic {
    let message = format!("{} `{urn}` stands behind the resource", role(kind));
    Diagnostic::error(Code::StateOrder, at, message)
        .label(other, "it is here")
        .help("move the resource behind all that it needs; `pulumi state repair` does so")
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
    let message = "the state contains the record of a damage, which Pulumi has found";
    let diagnostic = Diagnostic::error(Code::StateRecordedError, at, message);
    let diagnostic = match error {
        Some(error) => diagnostic.note(format!("its reason: {error}")),
        None => diagnostic,
    };
    diagnostic.help("repair the state with `pulumi state repair`")
}
