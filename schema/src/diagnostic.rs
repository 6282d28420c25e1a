//! Diagnostics about the values of a schema: the words that several rules share, and the ranges of
//! values in a text, by paths of keys and indexes.

use pcl_diagnostics::{Code, Diagnostic, FileId, Severity, Span, TextRange};
use rustc_hash::FxHashMap;

use crate::scan::{Bytes, ScanError, Scanner, unescape};

/// The file of all spans in a schema: the document alone makes up the source map.
const DOCUMENT: FileId = FileId(0);

/// A diagnostic about a value of a schema.
///
/// Its spans are ranges of the document, as JSON; [`Package::position`](crate::Package::position)
/// gives line and column. The file is the first one of a source map.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {}", .diagnostic.message)]
pub struct SchemaDiagnostic {
    /// The path of keys to the value: `#/resources/pkg:mod:Name/inputProperties/size/type`.
    pub path: Box<str>,
    /// The diagnostic.
    pub diagnostic: Diagnostic,
}

/// The span of a range of the document.
pub(crate) fn span(range: Bytes) -> Span {
    let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    let range = TextRange::new(narrow(range.start), narrow(range.end));
    Span::new(DOCUMENT, range)
}

/// The part of the value at `at` that a diagnostic shows: the first bracket of an object or a list,
/// the first line of another value.
pub(crate) fn shown(text: &[u8], at: usize) -> Bytes {
    let rest = text.get(at..).unwrap_or_default();
    let length = match rest.first() {
        None => 0,
        Some(b'{' | b'[') => 1,
        Some(_) => Scanner::new(rest).value().map_or(1, |value| value.end),
    };
    // A value that is not JSON may be long.
    let value = rest.get(..length).unwrap_or(rest);
    let length = memchr::memchr(b'\n', value).unwrap_or(length);
    let start = at.min(text.len());
    start..start + length
}

pub(crate) fn bad_constant(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaConstant, at, message)
        .help("write a value of this type, or remove it")
}

pub(crate) fn bad_header(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaHeader, at, message)
        .help("the package cannot be used until this is fixed")
}

pub(crate) fn bad_method(at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaMethod, at, message).help(
        "a method is a function `RESOURCE/NAME` of this package whose first input is `__self__`",
    )
}

/// The end of a message about an unknown name, with the name that is probably meant.
pub(crate) fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"))
}

pub(crate) fn bad_name(severity: Severity, at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::SchemaPropertyName, at, message)
        .with_severity(severity)
        .help("give the property another name")
}

/// `plain` or `plainInputs` is a list.
pub(crate) fn plain_list(at: Span, key: &str) -> Diagnostic {
    let message = format!("the list `{key}` is ignored; set `plain` on each property");
    Diagnostic::error(Code::SchemaRemovedKey, at, message)
        .help("set `plain` in the type of each property in the list")
}

pub(crate) fn dangling(at: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(Code::SchemaDanglingReference, at, message).help(help)
}

pub(crate) const DANGLING_TYPE: &str = "declare the type in `types`, or correct the reference";

/// The help for a malformed type.
pub(crate) const FORMS: &str =
    "a type is boolean, integer, number, string, array, object, a `$ref` or a `oneOf`";

pub(crate) fn bad_type(at: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::error(Code::SchemaType, at, message).help(help)
}

/// The values in a text, as far as paths led to them: each object and list is read once, however
/// many paths go through it.
#[derive(Default)]
pub(crate) struct ValueRanges {
    /// The parts of objects and lists, by the offsets of these.
    parts: FxHashMap<usize, FxHashMap<Box<str>, Bytes>>,
}

impl ValueRanges {
    /// Returns the range of the value that a path leads to, or of the last one on the way there.
    /// The text must be the same each time.
    pub fn locate<'k>(&mut self, text: &[u8], path: impl IntoIterator<Item = &'k str>) -> Bytes {
        let mut here = 0..text.len();
        for step in path {
            let parts = self.parts.entry(here.start);
            let parts = parts.or_insert_with(|| parts_of(text, here.clone()));
            match parts.get(step) {
                Some(next) => here = next.clone(),
                None => break,
            }
        }
        here
    }
}

/// The parts of an object or a list. Of several with one key, the last counts; an object that
/// cannot be read to its end has none.
fn parts_of(text: &[u8], value: Bytes) -> FxHashMap<Box<str>, Bytes> {
    let mut parts = FxHashMap::default();
    let moved = |part: Bytes| value.start + part.start..value.start + part.end;
    let mut scanner = Scanner::new(text.get(value.clone()).unwrap_or_default());
    match scanner.peek() {
        Ok(Some(b'{')) => {
            let walked: Result<(), ScanError> = scanner.object(|scanner, key| {
                let part = scanner.value()?;
                if let Some(key) = unescape(key) {
                    parts.insert(key.into(), moved(part));
                }
                Ok(())
            });
            if walked.is_err() {
                parts.clear();
            }
        }
        Ok(Some(b'[')) => {
            let elements = scanner.elements().into_iter().enumerate();
            parts.extend(elements.map(|(index, part)| (index.to_string().into(), moved(part))));
        }
        _ => {}
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_followed_as_far_as_it_goes() {
        let text = r#"{"a": [1, {"b\u0063": "here"}], "x": 0}"#;
        let mut places = ValueRanges::default();
        let mut at = |path: &[&str]| &text[places.locate(text.as_bytes(), path.iter().copied())];
        assert_eq!(at(&["a", "1", "bc"]), "\"here\"");
        assert_eq!(at(&["a", "1", "d"]), r#"{"b\u0063": "here"}"#);
        assert_eq!(at(&["a", "7"]), r#"[1, {"b\u0063": "here"}]"#);
    }
}
