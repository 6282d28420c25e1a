//! Keys and constants written out in a place of known type.

use std::fmt::Display;

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, enumerate};
use pcl_model::value::Constant;

/// A key that nobody reads; `owner` says whose properties it is not among.
pub(crate) fn ignored_key(span: Span, name: &str, owner: &dyn Display) -> Diagnostic {
    let message = format!("`{name}` is not among {owner} and would be ignored");
    Diagnostic::warning(Code::IgnoredKey, span, message).ours()
}

/// An ignored key that was probably meant to be `meant`, with the text that writes that key.
pub(crate) fn with_meant_key(
    diagnostic: Diagnostic,
    span: Span,
    meant: &str,
    text: Option<String>,
) -> Diagnostic {
    let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
    match text {
        Some(text) => diagnostic.fix(Fix::unsafe_(
            format!("rename to `{meant}`"),
            vec![TextEdit::replace(span, text)],
        )),
        None => diagnostic,
    }
}

/// An ignored key that the object around has.
pub(crate) fn with_outer_key(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    diagnostic.help(format!(
        "`{name}` belongs one level up, outside of this object"
    ))
}

/// An ignored key beside known ones.
pub(crate) fn with_known_keys<'k>(
    diagnostic: Diagnostic,
    known: impl ExactSizeIterator<Item = &'k str>,
) -> Diagnostic {
    match known.len() {
        0 => diagnostic.help("it takes no keys at all; leave it out"),
        _ => diagnostic.help(format!("known here are {}", enumerate(known))),
    }
}

/// A value that is not among the `count` values that the schema lists.
pub(crate) fn not_listed<'c>(
    span: Span,
    written: &str,
    values: impl Iterator<Item = &'c Constant>,
    count: usize,
) -> Diagnostic {
    let values = list(values, count);
    let message = match count {
        1 => format!("the schema allows only {values} here, not {written}"),
        _ => format!("{written} is none of {values}"),
    };
    Diagnostic::warning(Code::ValueNotListed, span, message).ours()
}

/// A value that was probably meant to be `meant`, which `text` writes.
pub(crate) fn with_meant_value(
    diagnostic: Diagnostic,
    span: Span,
    meant: &str,
    text: String,
) -> Diagnostic {
    diagnostic
        .help(format!("did you mean {meant}?"))
        .fix(Fix::unsafe_(
            format!("write {meant}"),
            vec![TextEdit::replace(span, text)],
        ))
}

/// A value unlike the listed ones.
pub(crate) fn with_listed_values(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("take a value that the schema lists; others are up to the provider")
}

/// At most a dozen of `count` values, for a message.
fn list<'c>(values: impl Iterator<Item = &'c Constant>, count: usize) -> String {
    const MOST: usize = 12;
    let shown: Vec<String> = values.take(MOST).map(ToString::to_string).collect();
    let mut text = shown.join(", ");
    if count > MOST {
        text.push_str(&format!(" and {} more", count - MOST));
    }
    text
}
