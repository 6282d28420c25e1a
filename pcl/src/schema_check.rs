//! Checking a package schema by itself, apart from any program.

use std::path::Path;

use pcl_diagnostics::{SourceMap, SourceText, Span, TextRange};
use pcl_schema::{Loader, Syntax, read_source, validate, validate_among};

use crate::render::Report;

/// Checks a schema file against all that schemas have to be. `.json.gz`, `.yaml` and `.yml` are
/// read, too. What it refers to in other packages is checked when there is a loader of these.
#[must_use]
pub fn check_schema(path: &Path, others: Option<&dyn Loader>) -> Report {
    let display = pcl_system::shown(path);
    match read_source(path) {
        Ok((bytes, syntax)) => {
            Report { on_disk: true, ..check_schema_text(&display, bytes, syntax, others) }
        }
        Err(error) => Report { on_disk: true, ..Report::unreadable(&display, &error, None) },
    }
}

/// Checks a schema in memory like [`check_schema`].
///
/// ```
/// use pcl::schema::Syntax;
/// let checked = pcl::check_schema_text("zoo.yaml", "name: zoo\nversion: one\n", Syntax::Yaml, None);
/// assert_eq!(checked.diagnostics[0].code, pcl::diagnostics::Code::SchemaHeader);
/// assert_eq!(checked.sources.slice(checked.diagnostics[0].primary), "one");
/// ```
#[must_use]
pub fn check_schema_text(
    path: &str,
    bytes: impl Into<Vec<u8>>,
    syntax: Syntax,
    others: Option<&dyn Loader>,
) -> Report {
    let bytes = bytes.into();
    let mut diagnostics = match others {
        Some(others) => validate_among(&bytes, syntax, others),
        None => validate(&bytes, syntax),
    };
    let mut sources = SourceMap::new();
    let text = text(bytes);
    let file = sources.add(path, text.clone());
    for diagnostic in &mut diagnostics {
        diagnostic.primary = Span::new(file, whole_characters(diagnostic.primary.range, &text));
        for label in &mut diagnostic.labels {
            label.span = Span::new(file, whole_characters(label.span.range, &text));
        }
    }
    Report::new(path, sources, diagnostics)
}

/// The text of a file. Bytes that are not UTF-8 become question marks, so that every offset stays
/// what it is.
fn text(bytes: Vec<u8>) -> SourceText {
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => {
            let mut text = String::with_capacity(error.as_bytes().len());
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| '?'));
            }
            text.into()
        }
    }
}

/// The characters that a range of bytes is part of.
fn whole_characters(range: TextRange, text: &str) -> TextRange {
    let last = text.len() as u32;
    let (mut start, mut end) = (range.start().min(last), range.end().min(last));
    while !text.is_char_boundary(start as usize) {
        start -= 1;
    }
    while !text.is_char_boundary(end as usize) {
        end += 1;
    }
    TextRange::new(start, end)
}
