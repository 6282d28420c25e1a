//! Options outside of the `options` block.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span};

/// An option in the body, under the name `written`. `is_set` says that the `options` block has it
/// too.
pub(crate) fn option(
    span: Span,
    written: &str,
    option: &str,
    value: &str,
    is_set: bool,
    fix: Option<Fix>,
) -> Diagnostic {
    let value = if value.len() <= 40 && !value.contains('\n') {
        value
    } else {
        ".."
    };
    let message = if written == option {
        format!("`{option}` is an option: it belongs in an `options` block")
    } else {
        format!("`{written}` is the option `{option}` in PCL")
    };
    let help = if is_set {
        format!("remove it: the `options` block sets `{option}` already")
    } else {
        format!("write `options {{ {option} = {value} }}` inside the block")
    };
    let diagnostic = Diagnostic::error(Code::UnsupportedAttribute, span, message).help(help);
    with(diagnostic, fix)
}

/// An attribute `name` with an object of options.
pub(crate) fn options_as_object(span: Span, name: &str, fix: Option<Fix>) -> Diagnostic {
    let message = match name {
        "options" => "`options` is a block, not an attribute".to_owned(),
        _ => format!("`{name}` is the block `options` in PCL"),
    };
    let diagnostic = Diagnostic::error(Code::UnsupportedAttribute, span, message)
        .help("write `options { .. }` without `=`, with one option per line");
    with(diagnostic, fix)
}

/// Inputs in the `options` block: `span` is the place of the first, called `name`, `others` are
/// those of the rest.
pub(crate) fn inputs(span: Span, name: &str, others: &[Span], fix: Option<Fix>) -> Diagnostic {
    let message = format!("`{name}` is an input, not an option");
    let diagnostic = Diagnostic::error(Code::UnsupportedAttribute, span, message)
        .help("write inputs one level up, outside of `options`");
    let diagnostic = others.iter().fold(diagnostic, |diagnostic, &place| {
        diagnostic.label(place, "so is this")
    });
    with(diagnostic, fix)
}

/// A `lifecycle` block of Terraform. `lines` are the options that it means, if they are certain.
pub(crate) fn lifecycle(span: Span, lines: Option<&[String]>, fix: Option<Fix>) -> Diagnostic {
    let message = "`lifecycle` is not a block of PCL: its settings are options";
    let diagnostic = Diagnostic::error(Code::UnsupportedBlock, span, message);
    let diagnostic = diagnostic.help(match lines {
        Some([]) => "remove it: Pulumi creates the replacement first anyway".to_owned(),
        Some(lines) => format!("write `options {{ {} }}`", lines.join("; ")),
        None => "`prevent_destroy` is `protect`, `ignore_changes` is `ignoreChanges`, and \
                 `create_before_destroy = false` is `deleteBeforeReplace = true`"
            .to_owned(),
    });
    with(diagnostic, fix)
}

fn with(diagnostic: Diagnostic, fix: Option<Fix>) -> Diagnostic {
    match fix {
        Some(fix) => diagnostic.fix(fix),
        None => diagnostic,
    }
}
