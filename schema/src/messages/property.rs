//! PCL0458, PCL0459 and PCL0460: the names of properties, and which are required or plain.

use pcl_diagnostics::{Code, Diagnostic, Severity, Span};

use super::did_you_mean;

fn bad_name(severity: Severity, at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaPropertyName, at, message)
        .with_severity(severity)
        .help("give the property another name")
}

/// A name has white space or a control character.
pub(crate) fn unprintable_name(at: Span, bad: char) -> Diagnostic {
    let message = format!(
        "the name of a property cannot contain U+{:04X}",
        u32::from(bad)
    );
    bad_name(Severity::Error, at, message)
}

/// A property is called `pulumi`.
pub(crate) fn called_pulumi(at: Span) -> Diagnostic {
    bad_name(Severity::Error, at, "no property may be called `pulumi`")
}

/// The state inputs declare `id`.
pub(crate) fn state_input_id(at: Span) -> Diagnostic {
    bad_name(
        Severity::Error,
        at,
        "`id` is always a state input and cannot be declared again",
    )
}

/// A property has the name of one that every resource has.
pub(crate) fn hidden_by_resource(at: Span, name: &str) -> Diagnostic {
    bad_name(
        Severity::Warning,
        at,
        format!("every resource has a property `{name}`, which hides this one"),
    )
}

/// A provider has an input `version`.
pub(crate) fn provider_version(at: Span) -> Diagnostic {
    bad_name(
        Severity::Error,
        at,
        "`version` cannot be an input of a provider: it selects the plugin",
    )
}

/// A required property does not exist.
pub(crate) fn unknown_required(at: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let meant = did_you_mean(meant);
    let message = format!("the required property `{name}` does not exist{meant}");
    Diagnostic::error(Code::SchemaRequired, at, message)
        .help("declare the property, or remove its name from the list")
}

/// `plain` or `plainInputs` is a list.
pub(crate) fn plain_list(at: Span, key: &str) -> Diagnostic {
    let message = format!("the list `{key}` is ignored; set `plain` on each property");
    Diagnostic::error(Code::SchemaRemovedKey, at, message)
        .help("set `plain` in the type of each property in the list")
}
