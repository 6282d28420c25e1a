//! `package` blocks.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use semver::Version;

/// A second block for a package. The block at `first` counts; in another file it may repeat the
/// block, but not differ from it.
pub(crate) fn duplicate(span: Span, name: &str, first: Span) -> Diagnostic {
    let message = format!("package `{name}` is declared twice");
    let diagnostic = Diagnostic::error(Code::DuplicatePackage, span, message)
        .label(first, "first declared here")
        .help("keep one of the two blocks");
    if first.file == span.file {
        diagnostic
    } else {
        diagnostic.note("the two blocks differ, so it is unclear which is meant")
    }
}

/// A block with several labels.
pub(crate) fn labels(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::WrongLabelCount,
        span,
        "`package` blocks take no labels",
    )
    .help("name the package with `baseProviderName = \"..\"` in the body")
}

/// A block with one label, with the edits that move the name into the body where they are known.
pub(crate) fn label(span: Span, edits: Option<Vec<TextEdit>>) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        Code::PackageLabel,
        span,
        "the label of a `package` block is deprecated",
    )
    .help("name the package with `baseProviderName` in the body");
    match edits {
        Some(edits) => diagnostic.fix(Fix::safe("move the name into the body", edits)),
        None => diagnostic,
    }
}

/// A block without a name.
pub(crate) fn unnamed(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::UnnamedPackage,
        span,
        "this `package` block does not name a package",
    )
    .help("add `baseProviderName = \"..\"` to its body")
}

/// A block whose name is empty.
pub(crate) fn empty_name(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::UnnamedPackage,
        span,
        "the name of this package is empty",
    )
    .help("a parameterized package needs `name` in its `parameterization` block")
}

/// A download URL without a scheme.
pub(crate) fn relative_url(span: Span, url: &str) -> Diagnostic {
    invalid(span, format!("`{url}` is not an absolute URL"))
        .help("write it with its scheme, as in `https://example.com`")
}

/// A parameterization with an empty name.
pub(crate) fn empty_parameter_name(span: Span) -> Diagnostic {
    invalid(span, "the name is empty".to_owned())
        .help("write the name that the program's tokens use for the package")
}

/// A parameter that is not base64.
pub(crate) fn not_base64(span: Span) -> Diagnostic {
    invalid(span, "the value is not base64".to_owned())
        .help("write the bytes in standard base64 with padding")
}

fn invalid(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::InvalidPackageField, span, message)
}

/// A text that is not a semantic version.
pub(crate) fn invalid_version(span: Span, text: &str, error: &semver::Error) -> Diagnostic {
    let message = format!("`{text}` is not a semantic version");
    let diagnostic = Diagnostic::error(Code::InvalidVersion, span, message).note(error.to_string());
    let rest = text.strip_prefix('v');
    match rest.filter(|rest| Version::parse(rest).is_ok()) {
        // There may be no schema of that version.
        Some(rest) => diagnostic.help("leave out the `v`").fix(Fix::unsafe_(
            format!("write `{rest}`"),
            vec![TextEdit::replace(span, format!("\"{rest}\""))],
        )),
        None => diagnostic.help("write three numbers, as in `1.2.3`"),
    }
}
