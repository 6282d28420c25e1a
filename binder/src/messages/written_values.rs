//! Keys and constants written out in a place of known type.

use pcl_diagnostics::{Code, Diagnostic, Fix, Severity, Span, TextEdit, enumerate, is_same_word};
use pcl_model::value::Constant;

use super::names::with_set_name;

/// A key that is ignored, of the object with the role `role`. `is_closed` says that a schema lists
/// the properties of the object.
pub(crate) fn ignored_key(span: Span, name: &str, role: &str, is_closed: bool) -> Diagnostic {
    let message = format!("there is no property `{name}` in {role}");
    let severity = if is_closed {
        Severity::Error
    } else {
        Severity::Warning
    };
    Diagnostic::warning(Code::IgnoredKey, span, message)
        .with_severity(severity)
        .ours()
}

/// An ignored key that was probably meant to be `meant`, with the text that writes that key.
pub(crate) fn with_meant_key(
    diagnostic: Diagnostic,
    span: Span,
    meant: &str,
    text: Option<String>,
    is_certain: bool,
) -> Diagnostic {
    match text {
        Some(text) => {
            let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
            let title = format!("rename to `{meant}`");
            let edits = vec![TextEdit::replace(span, text)];
            diagnostic.fix(if is_certain {
                Fix::safe(title, edits)
            } else {
                Fix::unsafe_(title, edits)
            })
        }
        None => with_set_name(diagnostic, meant),
    }
}

/// An ignored key that an object around has, so many levels up.
pub(crate) fn with_outer_key(diagnostic: Diagnostic, name: &str, levels: usize) -> Diagnostic {
    let levels = match levels {
        1 => "one level up, outside of this object".to_owned(),
        _ => format!("{levels} levels up"),
    };
    diagnostic.help(format!("`{name}` belongs {levels}"))
}

/// An ignored key beside known ones, of which some are `related` to it.
pub(crate) fn with_known_keys<'k>(
    diagnostic: Diagnostic,
    related: &[&str],
    known: impl ExactSizeIterator<Item = &'k str>,
) -> Diagnostic {
    match known.len() {
        _ if !related.is_empty() => {
            let related: Vec<String> = related.iter().map(|name| format!("`{name}`")).collect();
            diagnostic.help(format!("did you mean {}?", related.join(" or ")))
        }
        0 => diagnostic.help("the object has no properties: remove it"),
        1 => diagnostic.help(format!("its only property is {}", enumerate(known))),
        _ => diagnostic.help(format!("its properties are {}", enumerate(known))),
    }
}

/// A value with the role `role` that is not among the `count` values that the schema lists.
pub(crate) fn not_listed<'c>(
    span: Span,
    written: &str,
    role: &str,
    values: impl Iterator<Item = &'c Constant>,
    count: usize,
) -> Diagnostic {
    let values = list(values, count);
    let message = match count {
        1 => format!("{role} must be {values}, found {written}"),
        _ => format!("{written} is not a value of {role}"),
    };
    let diagnostic = Diagnostic::warning(Code::ValueNotListed, span, message).ours();
    match count {
        1 => diagnostic,
        _ => diagnostic.note(format!("the schema lists {values}")),
    }
}

/// A string near to the listed value `meant`, which `text` writes, where others are taken too.
pub(crate) fn near_value(
    span: Span,
    written: &str,
    role: &str,
    meant: &str,
    text: String,
) -> Diagnostic {
    let message = format!("\"{written}\" is not a listed value of {role}");
    let diagnostic = Diagnostic::warning(Code::NearValue, span, message).ours();
    let is_certain = is_same_word(written, meant);
    with_meant_value(diagnostic, span, &format!("\"{meant}\""), text, is_certain)
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
    diagnostic.fix(if is_certain {
        Fix::safe(title, edits)
    } else {
        Fix::unsafe_(title, edits)
    })
}

/// A value unlike the listed ones.
pub(crate) fn with_listed_values(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("use a value that the schema lists; the provider may refuse any other")
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
