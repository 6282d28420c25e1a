//! Attributes of resources and components against their inputs.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span};
use pcl_model::expression::short_token;
use pcl_syntax::ast;

use crate::insert_lines::insert_lines;

/// An attribute that the schema does not have.
pub(crate) fn unsupported_attribute(span: Span, owner: &str, name: &str) -> Diagnostic {
    let message = format!("`{}` has no attribute `{name}`", short_token(owner));
    Diagnostic::error(Code::UnsupportedAttribute, span, message)
}

/// An unknown attribute that an object inside the inputs has.
pub(crate) fn with_inner_place(diagnostic: Diagnostic, name: &str, path: &str) -> Diagnostic {
    diagnostic.help(format!("`{name}` belongs in `{path}`"))
}

/// An unknown attribute that was probably meant to be the required attribute `meant`. `label` is
/// the token of the resource.
pub(crate) fn with_required(diagnostic: Diagnostic, label: Span, meant: &str) -> Diagnostic {
    diagnostic.label(label, format!("`{meant}` is required"))
}

/// The required inputs that a block does not have, each with a value of its type; `None` when
/// nothing is missing. `owner` is the resource or component as it is shown.
pub(crate) fn missing(
    span: Span,
    owner: &str,
    missing: &[(String, &'static str)],
    block: Option<ast::Block<'_>>,
) -> Option<Diagnostic> {
    let (listed, help) = match missing {
        [] => return None,
        [(one, _)] => (
            format!("the required input `{one}`"),
            "add it to the body with a value",
        ),
        [rest @ .., (last, _)] => {
            let rest: Vec<String> = rest.iter().map(|(name, _)| format!("`{name}`")).collect();
            let rest = rest.join(", ");
            (
                format!("the required inputs {rest} and `{last}`"),
                "add them to the body with values",
            )
        }
    };
    let message = format!("{owner} is missing {listed}");
    let diagnostic = Diagnostic::error(Code::MissingAttribute, span, message).help(help);
    let Some(block) = block else {
        return Some(diagnostic);
    };
    let lines = missing.iter();
    let lines = lines.map(|(name, value)| format!("{name} = {value}"));
    let edits = Vec::from_iter(insert_lines(span.file, block, lines));
    Some(diagnostic.fix(Fix::display_only("add what is missing", edits)))
}
