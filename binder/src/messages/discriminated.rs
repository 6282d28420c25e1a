//! Members of unions that a property selects.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, enumerate};
use pcl_syntax::quoted;

/// A part of an object that must be a string.
pub(crate) enum StringPart<'p> {
    /// The name of a property.
    Name,
    /// The value of this property, which selects a member of a union.
    Discriminator(&'p str),
}

/// The description of an object that selects a member, for diagnostics about it.
pub(crate) fn part(property: &str, written: &str) -> String {
    format!("the object with `{property} = \"{written}\"`")
}

/// A number or bool, described by `found`, in place of a string.
pub(crate) fn not_a_string(span: Span, part: &StringPart<'_>, found: &str) -> Diagnostic {
    let message = match part {
        StringPart::Name => format!("the name of a property must be a string, found {found}"),
        StringPart::Discriminator(property) => {
            format!("the discriminator `{property}` must be a string, found {found}")
        }
    };
    Diagnostic::error(Code::TypeNotAssignable, span, message).help("put it in quotes")
}

/// A text that selects no member. `known` are the texts that do, `meant` the most similar of them.
pub(crate) fn unmapped<'k>(
    span: Span,
    written: &str,
    property: &str,
    known: impl ExactSizeIterator<Item = &'k str>,
    meant: Option<&str>,
) -> Diagnostic {
    let message = format!("\"{written}\" is not a known value of `{property}`");
    let diagnostic = Diagnostic::warning(Code::ValueNotListed, span, message).ours();
    match meant {
        Some(meant) => diagnostic
            .help(format!("did you mean \"{meant}\"?"))
            .fix(Fix::unsafe_(
                format!("write \"{meant}\""),
                vec![TextEdit::replace(span, quoted(meant))],
            )),
        None => diagnostic.help(format!("expected one of {}", enumerate(known))),
    }
}
