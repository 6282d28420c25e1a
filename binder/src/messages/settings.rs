//! Attributes of `config` and `output` blocks that other languages have.

use pcl_diagnostics::{Code, Diagnostic, Fix, Severity, Span, TextEdit};

/// A type in an attribute instead of a label; `label` is the first label as it is written.
pub(crate) fn type_attribute(
    span: Span,
    keyword: &str,
    label: Option<&str>,
    text: &str,
    fix: Option<Fix>,
) -> Diagnostic {
    let article = if keyword == "output" { "an" } else { "a" };
    let message =
        format!("the type of {article} `{keyword}` block is its second label, not an attribute");
    let label = label.unwrap_or("name");
    let diagnostic = Diagnostic::error(Code::IgnoredAttribute, span, message)
        .help(format!("write `{keyword} {label} \"{text}\"`"));
    match fix {
        Some(fix) => diagnostic.fix(fix),
        None => diagnostic,
    }
}

/// Makes a warning of a diagnostic about an attribute that Pulumi ignores.
pub(crate) fn ignored(diagnostic: Diagnostic) -> Diagnostic {
    let diagnostic = diagnostic.with_severity(Severity::Warning);
    diagnostic.note("Pulumi ignores it").ours()
}

/// `sensitive` in a `config`.
pub(crate) fn sensitive_config(span: Span, edits: Option<Vec<TextEdit>>) -> Diagnostic {
    let message = "`sensitive` is called `secret` in PCL";
    let diagnostic = warning(span, message).help("write `secret = true`");
    with(diagnostic, "write `secret`", edits, Fix::safe)
}

/// `sensitive` or `secret` in an `output`.
pub(crate) fn secret_output(span: Span, name: &str, edits: Option<Vec<TextEdit>>) -> Diagnostic {
    let message = format!("`output` blocks have no `{name}`: make the value secret");
    let diagnostic = warning(span, &message).help("write `value = secret(..)`");
    with(diagnostic, "make the value secret", edits, Fix::safe)
}

/// `description` in an `output`.
pub(crate) fn described_output(span: Span, edits: Option<Vec<TextEdit>>) -> Diagnostic {
    let message = "`output` blocks have no `description`";
    let diagnostic = warning(span, message).help("write a comment, `# ..`");
    with(diagnostic, "make it a comment", edits, Fix::unsafe_)
}

fn warning(span: Span, message: &str) -> Diagnostic {
    Diagnostic::warning(Code::IgnoredAttribute, span, message)
        .note("Pulumi ignores it")
        .ours()
}

fn with(
    diagnostic: Diagnostic,
    title: &'static str,
    edits: Option<Vec<TextEdit>>,
    fix: fn(&'static str, Vec<TextEdit>) -> Fix,
) -> Diagnostic {
    match edits {
        Some(edits) => diagnostic.fix(fix(title, edits)),
        None => diagnostic,
    }
}
