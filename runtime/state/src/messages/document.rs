//! PCL1101 and PCL1102: files that are no state, or one of another version.

use pcl_diagnostics::{Code, Diagnostic, Span};

const EXPORT: &str = "export the state with `pulumi stack export --file state.json`";

/// The text is not JSON; `error` is the text of the JSON reader.
pub(crate) fn not_json(at: Span, error: &str) -> Diagnostic {
    Diagnostic::error(
        Code::StateDocument,
        at,
        format!("the state is not JSON: {error}"),
    )
    .help(EXPORT)
}

/// The text is another kind of JSON.
pub(crate) fn not_a_state(at: Span, found: &str) -> Diagnostic {
    let message = format!("expected the state of a stack, found {found}");
    Diagnostic::error(Code::StateDocument, at, message).help(EXPORT)
}

/// There is no version.
pub(crate) fn no_version(at: Span) -> Diagnostic {
    let message = "expected the state of a stack, found an object without `version`";
    Diagnostic::error(Code::StateDocument, at, message).help(EXPORT)
}

/// There is no deployment.
pub(crate) fn no_deployment(at: Span) -> Diagnostic {
    let message = "expected the state of a stack, found an object without `deployment`";
    Diagnostic::error(Code::StateDocument, at, message).help(EXPORT)
}

/// The field with the deployment is another kind of JSON.
pub(crate) fn not_a_deployment(at: Span, name: &str, found: &str) -> Diagnostic {
    let message = format!("`{name}` must be an object, found {found}");
    Diagnostic::error(Code::StateDocument, at, message).help(EXPORT)
}

/// The version is a number that is not known.
pub(crate) fn unknown_version(at: Span, version: &str, is_old: bool) -> Diagnostic {
    let (reason, help) = if is_old {
        (
            "too old",
            "import and export the stack with a current Pulumi, which writes version 3",
        )
    } else {
        (
            "too new",
            "update `pcl`, or export the stack with an older Pulumi",
        )
    };
    let message =
        format!("the version {version} of the state is {reason}; `pcl` reads versions 3 and 4");
    Diagnostic::error(Code::StateVersion, at, message).help(help)
}

/// The version is no number.
pub(crate) fn not_a_version(at: Span, found: &str) -> Diagnostic {
    let message = format!("the version of a state must be 3 or 4, found {found}");
    Diagnostic::error(Code::StateVersion, at, message).help(EXPORT)
}

/// The features are no list.
pub(crate) fn not_features(at: Span, found: &str) -> Diagnostic {
    let message = format!("the features of a state must be a list of strings, found {found}");
    Diagnostic::error(Code::StateVersion, at, message).help("remove `features` or make it a list")
}

/// The state uses a feature that is not known.
pub(crate) fn unknown_feature(at: Span) -> Diagnostic {
    let message = "the state uses a feature that this version of `pcl` does not know";
    Diagnostic::error(Code::StateVersion, at, message).help("update `pcl`")
}
