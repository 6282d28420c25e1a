//! Hooks, and the option `hooks`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, suggest};

/// A hook without a command.
pub(crate) fn missing_command(span: Span, name: &str) -> Diagnostic {
    let message = format!("hook `{name}` has no command");
    Diagnostic::error(Code::MissingHookCommand, span, message)
        .help("add `command = [\"program\", \"argument\"]` to its body")
}

/// Adds the list of words that a command written as one string means.
pub(crate) fn split_command(mut diagnostic: Diagnostic, command: &str) -> Diagnostic {
    if command.contains(['\'', '"', '\\', '$', '|', '>', '<', '&', ';', '\n']) {
        return diagnostic.help("write the program and each argument as an element of a list");
    }
    let words = command.split_whitespace().map(|word| format!("\"{word}\""));
    let list = format!("[{}]", words.collect::<Vec<_>>().join(", "));
    let edit = TextEdit::replace(diagnostic.primary, &*list);
    diagnostic.fixes.clear();
    diagnostic
        .help(format!("write the program and each argument: `{list}`"))
        .fix(Fix::unsafe_("split it into words", vec![edit]))
}

/// An unknown kind of hook; `content` is the label without its quotes.
pub(crate) fn unknown_kind(
    span: Span,
    kind: &str,
    content: Span,
    known: &'static [&'static str],
) -> Diagnostic {
    let message = format!("there is no kind of hook called `{kind}`");
    let diagnostic = Diagnostic::error(Code::UnknownHookKind, span, message)
        .help("a hook is of the kind `resource` (around changes) or `error` (after a failure)");
    match suggest(kind, known.iter().copied()) {
        Some(meant) => diagnostic.fix(Fix::respelled(
            kind,
            meant,
            format!("write `{meant}`"),
            vec![TextEdit::replace(content, meant)],
        )),
        None => diagnostic,
    }
}

/// An unknown moment of the option `hooks`.
pub(crate) fn unknown_moment(span: Span, name: &str) -> Diagnostic {
    let message = format!("`hooks` has no moment `{name}`");
    Diagnostic::error(Code::UnknownHookName, span, message)
}

/// An option `hooks` that is not an object.
pub(crate) fn not_an_object(span: Span) -> Diagnostic {
    malformed(span, "`hooks` must be an object literal")
}

/// A moment of the option `hooks` that is not a list.
pub(crate) fn not_a_list(span: Span) -> Diagnostic {
    malformed(span, "each moment of `hooks` must be a list literal")
}

fn malformed(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(Code::MalformedHooksOption, span, message)
        .help("write it as `hooks = { beforeCreate = [name] }`")
}

/// A hook of one kind at a moment for the other kind. `declared` is the hook's name.
pub(crate) fn wrong_kind(
    span: Span,
    name: &str,
    is_error: bool,
    moment: &str,
    declared: Span,
) -> Diagnostic {
    let (has, wants) = if is_error {
        ("error", "resource")
    } else {
        ("resource", "error")
    };
    Diagnostic::error(
        Code::WrongHookKind,
        span,
        format!("`{name}` is a hook of the kind `{has}`, and `{moment}` runs hooks of the kind `{wants}`"),
    )
    .label(declared, "declared here")
    .help(format!("use a hook declared as `hook \"{wants}\" ..`"))
}
