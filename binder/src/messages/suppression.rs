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

/// Diagnostics that a comment suppresses and that are not reported. `removal` is the comment;
/// `shorter` the list of the codes to keep, if there are any.
pub(crate) fn unused(
    span: Span,
    codes: &[&str],
    removal: Span,
    shorter: Option<(Span, String)>,
) -> Diagnostic {
    let quoted: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
    let listed = quoted.join(", ");
    let verb = if codes.len() == 1 { "is" } else { "are" };
    let message = format!("{listed} {verb} not reported here");
    let fix = match shorter {
        Some((list, kept)) => Fix::safe(
            "remove the unused names",
            vec![TextEdit::replace(list, kept)],
        ),
        None => Fix::safe("remove the comment", vec![TextEdit::delete(removal)]),
    };
    Diagnostic::warning(Code::UnusedIgnore, span, message)
        .help("remove it, so that it does not hide a diagnostic later")
        .fix(fix)
        .ours()
}
