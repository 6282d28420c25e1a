//! Components.

use std::path::Path;

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_syntax::quoted;

/// A `token` beside a source.
pub(crate) fn unexpected_token(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::UnexpectedComponentToken,
        span,
        "a component with a source directory takes no `token`",
    )
    .help("remove `token`, or the source directory")
}

/// A component with neither a source nor a `token`.
pub(crate) fn missing_token(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::MissingComponentToken,
        span,
        "this component has neither a source directory nor a `token`",
    )
    .help("add the directory as the second label, or `token = \"package:module:Type\"`")
}

/// A source in a program that has no directory.
pub(crate) fn in_memory(span: Span) -> Diagnostic {
    let message = "a program in memory has no directory to look for components in";
    Diagnostic::error(Code::ComponentSource, span, message)
        .help("check the program as a directory on disk")
}

/// A source that names a file.
pub(crate) fn not_a_directory(span: Span, display: &str) -> Diagnostic {
    let message = format!("`{display}` is not a directory");
    Diagnostic::error(Code::ComponentSource, span, message)
        .help("name the directory that holds the component's `.pp` files")
}

/// A source that names nothing; `meant` is a source with a similar name.
pub(crate) fn no_directory(span: Span, display: &str, meant: Option<&str>) -> Diagnostic {
    let diagnostic = unusable(span, format!("there is no directory `{display}`"));
    match meant {
        Some(meant) => diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::unsafe_(
                format!("write `{meant}`"),
                vec![TextEdit::replace(span, quoted(meant))],
            )),
        None => diagnostic,
    }
}

/// A source that names a directory which cannot be opened.
pub(crate) fn unusable_directory(span: Span, display: &str, error: &std::io::Error) -> Diagnostic {
    let message = format!("the directory `{display}` cannot be used: {error}");
    unusable(span, message)
}

fn unusable(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::ComponentSource, span, message)
        .help("the source is a directory relative to the one of this program")
}

/// Components nested too deep.
pub(crate) fn too_deep(span: Span, most: usize) -> Diagnostic {
    let message = format!("components are nested more than {most} levels deep");
    Diagnostic::error(Code::ComponentSource, span, message).help("flatten the nesting")
}

/// A source with a leading `/`, which is ignored.
pub(crate) fn absolute_source(
    span: Span,
    source: &str,
    display: &str,
    relative: &Path,
) -> Diagnostic {
    let path = quoted(&format!("./{}", pcl_system::shown(relative)));
    let message = format!("the source `{source}` means `{display}`");
    Diagnostic::warning(Code::AbsoluteComponentSource, span, message)
        .note("sources are always relative to the directory of the program")
        .help("leave out the `/`")
        .ours()
        .fix(Fix::safe(
            "write it as a relative path",
            vec![TextEdit::replace(span, path)],
        ))
}

/// A component whose program has errors.
pub(crate) fn has_errors(span: Span, display: &str, errors: usize) -> Diagnostic {
    let message = format!("the component in `{display}` has errors");
    let count = match errors {
        1 => "one error".to_owned(),
        count => format!("{count} errors"),
    };
    Diagnostic::error(Code::ComponentHasErrors, span, message)
        .note(format!("it has {count}, reported in its own files"))
        .help("fix them first")
}

/// A component that includes itself. `directories` are the programs from the component's own
/// directory to the one that uses it.
pub(crate) fn includes_itself(span: Span, directories: &[String]) -> Diagnostic {
    let is_direct = directories.len() == 1;
    let message = if is_direct {
        "this component is the program that uses it"
    } else {
        "this component includes itself through another one"
    };
    let mut diagnostic = Diagnostic::error(Code::ComponentIncludesItself, span, message);
    if !is_direct {
        let chain = directories.iter().chain(directories.first());
        let chain: Vec<&str> = chain.map(String::as_str).collect();
        let chain = chain.join(" -> ");
        diagnostic = diagnostic.note(format!("the directories include each other: {chain}"));
    }
    diagnostic.help("use another directory, or remove one of the two references")
}

/// A component outside of the project.
pub(crate) fn outside_project(span: Span, display: &str) -> Diagnostic {
    let message = format!("`{display}` is outside the project");
    Diagnostic::warning(Code::ComponentOutsideProject, span, message)
        .note("it is not copied or deployed with the project")
        .help("move the component below the project's directory")
        .ours()
}

/// An attribute that the component has no input for.
pub(crate) fn unknown_input(span: Span, component: &str, name: &str) -> Diagnostic {
    let message = format!("component `{component}` has no input `{name}`");
    Diagnostic::error(Code::UnsupportedAttribute, span, message)
}

/// A value that does not fit the input declared at `declared`.
pub(crate) fn with_input(diagnostic: Diagnostic, declared: Span) -> Diagnostic {
    diagnostic.label(declared, "the input is declared here")
}

/// A missing input that is declared at `declared`.
pub(crate) fn with_required_input(diagnostic: Diagnostic, declared: Span) -> Diagnostic {
    diagnostic.label(declared, "required here")
}
