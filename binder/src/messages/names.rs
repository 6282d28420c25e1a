//! Suggestions and lists of names that several messages share.

use pcl_diagnostics::{Diagnostic, Fix, Span, TextEdit, enumerate, suggest};

/// Adds the name that the one at `span` was probably meant to be. There is no edit where the name
/// is taken or cannot be written; the edit is safe if the name is certain.
pub(crate) fn renamed(
    diagnostic: Diagnostic,
    span: Span,
    meant: &str,
    is_taken: impl FnOnce(&str) -> bool,
    is_certain: bool,
) -> Diagnostic {
    if is_taken(meant) {
        return with_set_name(diagnostic, meant);
    }
    let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
    if !pcl_syntax::is_identifier(meant) {
        return diagnostic;
    }
    let title = format!("rename to `{meant}`");
    let edits = vec![TextEdit::replace(span, meant)];
    diagnostic.fix(if is_certain {
        Fix::safe(title, edits)
    } else {
        Fix::unsafe_(title, edits)
    })
}

/// Adds the name that was probably meant, and is set already.
pub(crate) fn with_set_name(diagnostic: Diagnostic, meant: &str) -> Diagnostic {
    diagnostic.help(format!(
        "did you mean `{meant}`? it is set already: remove one of the two"
    ))
}

/// Adds the name that an unknown one was probably meant to be, see [`renamed`]; or else the
/// choices.
pub(crate) fn with_choices<'c>(
    diagnostic: Diagnostic,
    name: &str,
    span: Span,
    choices: impl IntoIterator<Item = &'c str>,
    is_taken: impl FnOnce(&str) -> bool,
) -> Diagnostic {
    with_certain_choice(diagnostic, name, span, choices, is_taken, false)
}

/// Adds what [`with_choices`] does; the edit is safe if the name is certain.
pub(crate) fn with_certain_choice<'c>(
    diagnostic: Diagnostic,
    name: &str,
    span: Span,
    choices: impl IntoIterator<Item = &'c str>,
    is_taken: impl FnOnce(&str) -> bool,
    is_certain: bool,
) -> Diagnostic {
    let mut choices: Vec<&str> = choices.into_iter().collect();
    choices.sort_unstable();
    match suggest(name, choices.iter().copied()) {
        Some(meant) => renamed(diagnostic, span, meant, is_taken, is_certain),
        None => listing(diagnostic, choices.iter().copied()),
    }
}

/// Adds the known names.
pub(crate) fn listing<'c>(
    diagnostic: Diagnostic,
    choices: impl ExactSizeIterator<Item = &'c str>,
) -> Diagnostic {
    match choices.len() {
        0 => diagnostic,
        1 => diagnostic.help(format!("expected {}", enumerate(choices))),
        _ => diagnostic.help(format!("expected one of {}", enumerate(choices))),
    }
}
