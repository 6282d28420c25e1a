//! Comments that suppress diagnostics.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};

/// A comment `ignore` that names nothing.
pub(crate) fn no_names(span: Span) -> Diagnostic {
    let message = "this comment does not say which diagnostic to ignore";
    Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help("name it in brackets, as in `# pcl: ignore[unused-local] kept for the tests`")
        .ours()
}

/// A comment with a word that is probably meant as another one.
pub(crate) fn other_word(span: Span, word: &str, meant: &str) -> Diagnostic {
    let message = format!("`pcl: {word}` has no meaning");
    Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help(format!("did you mean `{meant}`?"))
        .fix(Fix::respelled(
            word,
            meant,
            format!("rename to `{meant}`"),
            vec![TextEdit::replace(span, meant)],
        ))
        .ours()
}

/// A name that is not that of a diagnostic.
pub(crate) fn unknown_code(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("unknown diagnostic `{name}`");
    let diagnostic = Diagnostic::warning(Code::InvalidIgnore, span, message).ours();
    match meant {
        Some(meant) => diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::respelled(
                name,
                meant,
                format!("rename to `{meant}`"),
                vec![TextEdit::replace(span, meant)],
            )),
        None => diagnostic.help("`pcl explain --all` lists the diagnostics"),
    }
}

/// A group of lints in the place of a diagnostic.
pub(crate) fn group(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` is a group of lints, and a comment names single diagnostics");
    Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help("name the diagnostic, or ignore the group in `pcl.toml`")
        .ours()
}

/// Something like `pcl: ignore` with names in brackets. The fix is safe if what it means is clear.
pub(crate) fn inexact(span: Span, written: &str, meant: &str, is_clear: bool) -> Diagnostic {
    let message = format!("`{written}` has no meaning");
    let edits = vec![TextEdit::replace(span, format!("pcl: {meant}"))];
    let title = format!("write `pcl: {meant}`");
    Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help(format!("did you mean `pcl: {meant}`?"))
        .fix(if is_clear {
            Fix::safe(title, edits)
        } else {
            Fix::unsafe_(title, edits)
        })
        .ours()
}

/// A comment that suppresses diagnostics behind other text of the same comment. `first` is the
/// comment with that text at its end.
pub(crate) fn behind(
    span: Span,
    written: &str,
    comment: Span,
    first: Option<String>,
) -> Diagnostic {
    let message = format!("`{written}` has no meaning behind other text of a comment");
    let diagnostic = Diagnostic::warning(Code::InvalidIgnore, span, message)
        .help("put it at the beginning of the comment")
        .ours();
    match first {
        Some(text) => diagnostic.fix(Fix::safe(
            "put it at the beginning",
            vec![TextEdit::replace(comment, text)],
        )),
        None => diagnostic,
    }
}

/// A name of a diagnostic that the comment names already, as `first`. `removal` is the name with
/// the comma before it.
pub(crate) fn repeated(span: Span, name: &str, first: Option<&str>, removal: Span) -> Diagnostic {
    let message = match first {
        Some(first) if first != name => format!("`{name}` and `{first}` are the same diagnostic"),
        _ => format!("`{name}` is named twice"),
    };
    Diagnostic::warning(Code::UnusedIgnore, span, message)
        .help("remove one of them")
        .fix(Fix::safe(
            "remove the second name",
            vec![TextEdit::delete(removal)],
        ))
        .ours()
}

/// Names in a comment of which nothing is reported. `removals` are those names with their commas,
/// or the whole comment.
pub(crate) fn unused(
    span: Span,
    names: &[&str],
    removals: Vec<Span>,
    is_whole: bool,
) -> Diagnostic {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let listed = quoted.join(", ");
    let verb = if names.len() == 1 { "is" } else { "are" };
    let message = format!("{listed} {verb} not reported here");
    let title = if is_whole {
        "remove the comment"
    } else {
        "remove the unused names"
    };
    let edits = removals.into_iter().map(TextEdit::delete).collect();
    Diagnostic::warning(Code::UnusedIgnore, span, message)
        .help("remove it, so that it does not hide a diagnostic later")
        .fix(Fix::safe(title, edits))
        .ours()
}
