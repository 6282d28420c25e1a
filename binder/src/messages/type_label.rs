//! Type labels.

use pcl_diagnostics::{Applicability, Code, Diagnostic, Fix, Span, TextEdit, suggest};
use pcl_model::expression::ExprKind;

/// The types of other languages, and their names in PCL.
const FOREIGN: &[(&str, &str)] = &[
    ("array", "list(..)"),
    ("boolean", "bool"),
    ("dict", "map(..)"),
    ("double", "number"),
    ("float", "number"),
    ("integer", "int"),
    ("record", "object({ .. })"),
    ("str", "string"),
    ("struct", "object({ .. })"),
    ("text", "string"),
];

/// The PCL type for the name of a type of another language, misspelled or not.
fn foreign_name(name: &str) -> Option<&'static str> {
    let exact = |name: &str| FOREIGN.iter().find(|(foreign, _)| *foreign == name);
    let near = || exact(suggest(name, FOREIGN.iter().map(|(foreign, _)| *foreign))?);
    exact(name).or_else(near).map(|(_, meant)| *meant)
}

/// The PCL type that takes no further types for exactly the name of one of another language.
pub(crate) fn foreign_type(name: &str) -> Option<&'static str> {
    let mut known = FOREIGN.iter().filter(|(_, meant)| !meant.contains('('));
    let lower = name.trim().to_ascii_lowercase();
    let mut own = ["any", "bool", "int", "number", "string"].into_iter();
    let own = own.find(|own| *own == lower && lower != name);
    let found = known.find(|(foreign, _)| *foreign == lower);
    found.map(|(_, meant)| *meant).or(own)
}

/// A label that is the name of a type in another language.
pub(crate) fn foreign(span: Span, written: &str, meant: &str) -> Diagnostic {
    let message = format!("the type `{written}` is called `{meant}` in PCL");
    let edit = TextEdit::replace(span, meant);
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .fix(Fix::safe(format!("write `{meant}`"), vec![edit]))
}

/// A label that is a value.
pub(crate) fn not_a_type(span: Span, label: &str, kind: &ExprKind) -> Diagnostic {
    let message = format!("`{label}` is a value, not a type");
    Diagnostic::warning(Code::InvalidTypeExpression, span, message)
        .note("Pulumi takes the type of the value for the declared type")
        .help(match kind {
            ExprKind::Tuple(_) => "write a type, such as `tuple([string, int])`",
            ExprKind::Object(_) => "write a type, such as `object({ size = int })`",
            _ => "write a type, such as `string` or `list(number)`",
        })
        .ours()
}

/// A value that does not fit the type that the label at `span` declares.
pub(crate) fn with_declaration(diagnostic: Diagnostic, span: Span) -> Diagnostic {
    diagnostic.label(span, "the type is declared here")
}

/// A diagnostic about the text `named` inside a label, which is `broken` when it has syntax errors.
pub(crate) fn in_label(mut diagnostic: Diagnostic, named: &str, broken: bool) -> Diagnostic {
    if broken {
        speak_of_the_label(&mut diagnostic);
    }
    if diagnostic.help.is_some() {
        return diagnostic;
    }
    match foreign_name(named) {
        Some(meant) => {
            let is_exact = foreign_type(named) == Some(meant);
            let span = diagnostic.primary;
            let diagnostic = diagnostic.help(format!("it is called `{meant}` in PCL"));
            if is_exact {
                diagnostic.fix(Fix::unsafe_(
                    format!("write `{meant}`"),
                    vec![TextEdit::replace(span, meant)],
                ))
            } else {
                diagnostic
            }
        }
        None => diagnostic.help("write a type, such as `string` or `list(number)`"),
    }
}

/// To the parser the label is a whole file; to the reader of the diagnostic it is not.
fn speak_of_the_label(diagnostic: &mut Diagnostic) {
    diagnostic.message = diagnostic
        .message
        .replace("the end of the file", "the end of the label");
    for label in &mut diagnostic.labels {
        label.message = label
            .message
            .replace("the file ends here", "the label ends here");
    }
    // The label stands in quotes on one line of the file.
    let fits = |edit: &TextEdit| !edit.text.contains(['"', '\\', '\n']);
    diagnostic.fixes.retain(|fix| fix.edits.iter().all(fits));
    for fix in &mut diagnostic.fixes {
        fix.applicability = Applicability::Unsafe;
    }
    if diagnostic.code == Code::ExprMissing {
        diagnostic.message = "this label says no type".into();
        diagnostic.help = None;
    }
}
