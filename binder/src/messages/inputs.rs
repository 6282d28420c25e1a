//! Attributes of resources and components against their inputs.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span};
use pcl_syntax::ast;

use super::names::insert_lines;

/// An attribute that the schema does not have.
pub(crate) fn unsupported_attribute(span: Span, owner: &str, name: &str) -> Diagnostic {
    let message = format!("`{owner}` has no attribute `{name}`");
    Diagnostic::error(Code::UnsupportedAttribute, span, message)
}

/// An unknown attribute with the name of an option.
pub(crate) fn with_option(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    diagnostic.help(format!(
        "`{name}` is an option: put it into an `options` block"
    ))
}

/// An unknown attribute that was probably meant to be the required attribute `meant`. `label` is
/// the token of the resource.
pub(crate) fn with_required(diagnostic: Diagnostic, label: Span, meant: &str) -> Diagnostic {
    diagnostic.label(label, format!("`{meant}` is required"))
}

/// The required attributes that a block lacks; `None` when nothing is missing.
pub(crate) fn missing(
    span: Span,
    owner: &str,
    missing: &[String],
    block: Option<ast::Block<'_>>,
) -> Option<Diagnostic> {
    let (listed, help) = match missing {
        [] => return None,
        [one] => (
            format!("the required attribute `{one}`"),
            "add it to the body with a value",
        ),
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(|name| format!("`{name}`")).collect();
            let rest = rest.join(", ");
            (
                format!("the required attributes {rest} and `{last}`"),
                "add them to the body with values",
            )
        }
    };
    let message = format!("`{owner}` lacks {listed}");
    let diagnostic = Diagnostic::error(Code::MissingAttribute, span, message).help(help);
    let Some(block) = block else {
        return Some(diagnostic);
    };
    let lines = missing.iter().map(|name| format!("{name} = null"));
    let edits = insert_lines(span.file, block, lines);
    Some(diagnostic.fix(Fix::display_only("add what is missing", edits)))
}
