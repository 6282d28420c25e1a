//! Diagnostics about the values of a schema.

use pcl_diagnostics::{Diagnostic, FileId, Span, TextRange};

use crate::scan::{Bytes, Scanner};

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
