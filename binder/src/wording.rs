//! The words that several rules share: the name or value that was probably meant, the choices, and
//! what a block ignores.

use pcl_diagnostics::{
    Code, Comparisons, Diagnostic, Fix, Setting, Span, TextEdit, enumerate, is_too_long, suggest,
};

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
    diagnostic.fix(Fix::safe_if(is_certain, title, edits))
}

/// Adds the name that was probably meant, and is set already.
pub(crate) fn with_set_name(diagnostic: Diagnostic, meant: &str) -> Diagnostic {
    diagnostic.help(format!("did you mean `{meant}`? it is set already: remove one of the two"))
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
        None => {
            let choices = Comparisons::default().nearest_first(name, choices);
            listing(diagnostic, choices.iter().copied())
        }
    }
}

/// Adds the known names.
pub(crate) fn listing<'c>(
    diagnostic: Diagnostic,
    choices: impl ExactSizeIterator<Item = &'c str>,
) -> Diagnostic {
    match choices.len() {
        0 => diagnostic.help("nothing can be set here: remove it"),
        1 => diagnostic.help(format!("expected {}", enumerate(choices))),
        _ => diagnostic.help(format!("expected one of {}", enumerate(choices))),
    }
}

/// Adds the place that lists all of `count` names to a help that lists the first of them. The
/// setting tells how that place is shown.
pub(crate) fn with_full_list(
    mut diagnostic: Diagnostic,
    count: usize,
    place: &str,
    setting: Setting,
) -> Diagnostic {
    if is_too_long(count)
        && let Some(help) = &mut diagnostic.help
    {
        help.push_str(&format!("; {place} lists all {count}"));
        diagnostic.setting = Some(setting);
    }
    diagnostic
}

/// A value that was probably meant to be `meant`, which `text` writes.
pub(crate) fn with_meant_value(
    diagnostic: Diagnostic,
    span: Span,
    meant: &str,
    text: String,
    is_certain: bool,
) -> Diagnostic {
    let title = format!("write {meant}");
    let edits = vec![TextEdit::replace(span, text)];
    let diagnostic = diagnostic.help(format!("did you mean {meant}?"));
    diagnostic.fix(Fix::safe_if(is_certain, title, edits))
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

/// An attribute that means nothing in a block of this type: Pulumi would pass over it without a
/// word.
pub(crate) fn ignored_attribute(span: Span, name: &str, block: &str) -> Diagnostic {
    let message = format!("`{name}` is not an attribute of `{block}` blocks");
    Diagnostic::warning(Code::IgnoredAttribute, span, message).note("Pulumi ignores it").ours()
}

/// A block that means nothing inside a block of this type.
pub(crate) fn ignored_block(span: Span, name: &str, block: &str) -> Diagnostic {
    let message = format!("`{block}` blocks have no `{name}` block");
    Diagnostic::error(Code::IgnoredBlock, span, message)
        .note("Pulumi ignores it, so it has no effect")
        .ours()
}

/// A value that is not a plain string. `note` says why it has to be one.
pub(crate) fn not_a_string(span: Span, name: &str, note: &'static str) -> Diagnostic {
    let message = format!("`{name}` takes a plain quoted string");
    Diagnostic::error(Code::NotAStringLiteral, span, message)
        .note(note)
        .help(format!("write it out, as in `{name} = \"..\"`"))
}
