//! The wording of the diagnostics that no layer below reports.

pub(crate) mod config;
pub(crate) mod generated;
#[cfg(feature = "run")]
pub(crate) mod preview;
#[cfg(feature = "run")]
pub(crate) mod trial;

use std::collections::HashSet;
use std::fmt::Display;

use std::path::Path;

use pcl_binder::edition::RangeError;
use pcl_diagnostics::{Code, Diagnostic, Setting, Span};

/// A schema file that cannot be read.
pub(crate) fn unreadable_schema(span: Span, path: &str, error: &dyn Display) -> Diagnostic {
    let message = format!("cannot read `{path}`: {error}");
    Diagnostic::error(Code::UnreadableSource, span, message)
}

/// The file of a state that cannot be read.
#[cfg(feature = "state")]
pub(crate) fn unreadable_state(span: Span, path: &str, error: &dyn Display) -> Diagnostic {
    let message = format!("cannot read `{path}`: {error}");
    Diagnostic::error(Code::UnreadableSource, span, message)
        .help("export the state with `pulumi stack export --file state.json`")
}

/// The names at these places, which other files of the program in `directory` declare. Each has its
/// text and the name of the file. `first` is the first place; of the others each name has a label.
pub(crate) fn declared_elsewhere(
    first: Span,
    names: &[(Span, String, String)],
    directory: &Path,
) -> Diagnostic {
    let mut distinct: Vec<&str> = names.iter().map(|(_, name, _)| name.as_str()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let message = match (names, distinct.len()) {
        ([(_, name, file), ..], 1) => {
            format!("`{name}` is declared in `{file}`, another file of this program")
        }
        (_, count) => format!("{count} names are declared in other files of this program"),
    };
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, first, message);
    let mut seen: HashSet<&str> = HashSet::new();
    let once = names.iter().filter(|(_, name, _)| seen.insert(name));
    let others = once.filter(|(span, ..)| *span != first);
    let diagnostic = others.fold(diagnostic, |diagnostic, (span, _, file)| {
        diagnostic.label(*span, format!("declared in `{file}`"))
    });
    diagnostic
        .note("a file that is named by its path is checked by itself")
        .help(format!(
            "check the program in `{}`",
            pcl_system::shown(directory)
        ))
        .setting(Setting::WholeProgram)
}

/// A `requiredPulumiVersion` of a project that Pulumi does not understand.
pub(crate) fn malformed_pulumi_range(span: Span, text: &str, error: &RangeError) -> Diagnostic {
    let message = error.message(text);
    let help = match &error.meant {
        Some(meant) => format!("write `{meant}`"),
        None => "write full versions, as in `>=3.220.0 <4.0.0`".to_owned(),
    };
    Diagnostic::error(Code::InvalidVersionRange, span, message)
        .help(help)
        .ours()
}
