//! Calls of `invoke`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_model::expression::short_token;
use pcl_schema::FunctionSpec;

/// A token that is computed.
pub(crate) fn token_not_literal(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::InvokeTokenNotLiteral,
        span,
        "the token of an `invoke` must be a quoted string without interpolations",
    )
    .help("write the token itself, as in `\"package:module:function\"`")
}

/// A call with nothing after the token, which is at `span`. `takes_edit` says that arguments can be
/// inserted there.
pub(crate) fn missing_arguments(
    span: Span,
    token: &str,
    function: &FunctionSpec,
    takes_edit: bool,
) -> Diagnostic {
    let required: Vec<&str> = function
        .inputs
        .iter()
        .flat_map(|inputs| inputs.iter())
        .filter(|(_, property)| property.required)
        .map(|(name, _)| name)
        .collect();
    let token = short_token(token);
    let message = format!("`invoke` of `{token}` is missing its arguments");
    let diagnostic = Diagnostic::error(Code::MissingInvokeArguments, span, message);
    if !required.is_empty() && !function.multi_argument_inputs.is_empty() {
        let values = function.multi_argument_inputs.join(", ");
        diagnostic.help(format!(
            "add the values after the token one by one: {values}"
        ))
    } else if !required.is_empty() {
        diagnostic.help(format!(
            "add the arguments after the token, as in `{{ {} = .. }}`",
            required.join(" = .., ")
        ))
    } else if function.multi_argument_inputs.is_empty() {
        let diagnostic = diagnostic.help("a function without arguments takes `{}`");
        let edit = TextEdit::insert(span.file, span.range.end(), ", {}");
        if takes_edit {
            diagnostic.fix(Fix::unsafe_("pass no arguments", vec![edit]))
        } else {
            diagnostic
        }
    } else {
        diagnostic.help("pass at least one value after the token, `null` for none")
    }
}

/// An object of all inputs for a function that takes them one by one: `values`.
pub(crate) fn object_for_values(span: Span, token: &str, values: &str) -> Diagnostic {
    let token = short_token(token);
    let message = format!("`{token}` takes its inputs one by one, not as an object");
    Diagnostic::error(Code::PositionalInvoke, span, message)
        .help(format!("write `invoke(\"{token}\", {values})`"))
}
