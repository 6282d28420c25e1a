//! Schemas of members that a program uses.

use std::fmt::Display;

use pcl_diagnostics::{Code, Diagnostic, Setting, Span, enumerate};
use pcl_model::expression::short_token;

/// A member that cannot be checked without other packages.
pub(crate) fn missing_package(span: Span, token: &str, needed: &[String]) -> Diagnostic {
    let token = short_token(token);
    let message = format!("`{token}` cannot be checked without another package");
    let diagnostic = Diagnostic::error(Code::InvalidSchemaMember, span, message)
        .help("add the schema of that package to the places where schemas are looked up")
        .setting(Setting::SchemaPlaces);
    with_notes(diagnostic, needed.iter())
}

/// A member whose schema has errors.
pub(crate) fn errors<'l>(
    span: Span,
    token: &str,
    errors: impl Iterator<Item = &'l String>,
) -> Diagnostic {
    let message = format!("the schema of `{}` has errors", short_token(token));
    let diagnostic = Diagnostic::error(Code::InvalidSchemaMember, span, message).help(
        "the publisher of the package has to fix its schema; until then the member is not checked",
    );
    with_notes(diagnostic, errors)
}

/// A member whose schema refers to undefined types.
pub(crate) fn dangling(span: Span, token: &str, warnings: &[String]) -> Diagnostic {
    let token = short_token(token);
    let message = format!("the schema of `{token}` refers to types that it does not define");
    let diagnostic = Diagnostic::warning(Code::DanglingSchemaReference, span, message)
        .help("values of these types are not checked")
        .ours();
    with_notes(diagnostic, warnings.iter())
}

/// A token that fits several members of its package.
pub(crate) fn ambiguous(span: Span, token: &str, taken: &str, others: &[String]) -> Diagnostic {
    let others = enumerate(others.iter().map(String::as_str));
    let message = format!("`{token}` could mean several members of its package");
    Diagnostic::warning(Code::AmbiguousToken, span, message)
        .note(format!("`{taken}` is used; the others are {others}"))
        .help("write the token as the schema of the package has it")
        .ours()
}

/// An error in a schema with its position.
pub(crate) fn positioned(error: &impl Display, line: u32, column: u32) -> String {
    format!("{error} (line {line}, column {column} of the schema)")
}

/// A reference to a package that does not load.
pub(crate) fn needed_package(written: &str, error: &impl Display) -> String {
    format!("`{written}` needs another package: {error}")
}

/// A reference to a member that the other package does not have.
pub(crate) fn dangling_reference(written: &str, package: &str, noun: &str) -> String {
    format!("`{written}` refers to a {noun} that package {package} does not have")
}

/// Adds the first few of many lines.
fn with_notes<'a>(
    mut diagnostic: Diagnostic,
    mut lines: impl Iterator<Item = &'a String>,
) -> Diagnostic {
    const MOST: usize = 5;
    for line in lines.by_ref().take(MOST) {
        diagnostic = diagnostic.note(line);
    }
    match lines.count() {
        0 => diagnostic,
        more => diagnostic.note(format!("and {more} more")),
    }
}
