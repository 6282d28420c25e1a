//! The questions of editors about a place, with answers as JSON.

use pcl::diagnostics::{FileId, Span};
use pcl::document::Range;
use pcl_ide::{Analysis, completions, hover as hover_at, names};
use serde_json::{Value, json};

/// A question about a place in a program.
pub type Ask = fn(&mut Analysis, FileId, u32) -> Option<Value>;

/// The explanation of the thing at a place.
pub fn hover(analysis: &mut Analysis, file: FileId, offset: u32) -> Option<Value> {
    let found = hover_at(analysis, file, offset)?;
    Some(json!({ "range": range(analysis, found.span), "markdown": found.markdown }))
}

/// The completions at a place, the best first.
pub fn complete(analysis: &mut Analysis, file: FileId, offset: u32) -> Option<Value> {
    let found = completions(analysis, file, offset)?;
    let items = found.items.iter().map(|item| {
        json!({
            "label": item.label,
            "kind": item.kind.name(),
            "detail": item.detail,
            "text": item.text,
            "snippet": item.snippet,
            "deprecated": item.is_deprecated,
            "documentation": item.documentation,
        })
    });
    Some(json!({
        "range": range(analysis, found.replaced),
        "incomplete": found.is_incomplete,
        "items": items.collect::<Vec<_>>(),
    }))
}

/// The declaration of the name at a place.
pub fn definition(analysis: &mut Analysis, file: FileId, offset: u32) -> Option<Value> {
    let (_, span) = names::definition(analysis, file, offset)?;
    let path = analysis.checked.sources.path(span.file);
    Some(json!({ "file": path, "range": range(analysis, span) }))
}

fn range(analysis: &Analysis, span: Span) -> Range {
    Range::of(span, &analysis.checked.sources)
}
