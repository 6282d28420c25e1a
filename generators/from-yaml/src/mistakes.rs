//! The words of all diagnostics of this crate.

use pcl::diagnostics::{Code, Diagnostic, Span};

/// A program in Pulumi YAML that is not one.
pub(crate) fn invalid(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::InvalidYamlProgram, at, message)
}

/// A construct that PCL has no form for.
pub(crate) fn no_form(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::NotInPcl, at, message).ours()
}

/// A key that Pulumi YAML does not read.
pub(crate) fn unknown_key(at: Span, key: &str, place: &str, known: &[&str]) -> Diagnostic {
    let message = format!("{place} has no key `{key}`");
    let unknown = Diagnostic::warning(Code::UnknownYamlKey, at, message);
    match pcl::diagnostics::suggest(key, known.iter().copied()) {
        Some(similar) => unknown.help(format!("did you mean `{similar}`?")),
        None => unknown.note(format!("its keys are {}", listed(known))),
    }
}

/// A key in another case, which Pulumi YAML takes with a warning.
pub(crate) fn other_case(at: Span, key: &str, known: &str) -> Diagnostic {
    let message = format!("the key `{known}` is written `{key}`");
    Diagnostic::warning(Code::UnknownYamlKey, at, message)
        .help(format!("write `{known}`, as Pulumi YAML warns about other cases"))
}

/// Names in a sentence.
pub(crate) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
