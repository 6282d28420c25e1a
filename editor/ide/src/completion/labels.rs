//! Labels of blocks: tokens, sources, types.

use pcl::schema::Section;
use pcl::syntax::quoted_label;

use super::context::Context;
use super::item::{Completion, CompletionKind};
use super::paths::components;
use super::tokens::tokens;
use super::usual::{self, frequency};
use crate::Analysis;

/// The labels that can be written at a place.
pub(super) fn labels(
    analysis: &Analysis,
    context: &Context,
    keyword: &str,
    index: usize,
) -> Vec<Completion> {
    let items = match (keyword, index) {
        ("resource" | "read", 1) => tokens(analysis, context, Section::Resources),
        ("component", 1) => components(analysis, context.at.file),
        ("config" | "output", 1) => {
            let ty = |name: &&str| {
                let item = Completion::new(*name, CompletionKind::Type);
                item.evidence(frequency(&usual::TYPES, name))
            };
            usual::TYPES.iter().map(ty).collect()
        }
        ("hook", 0) => ["resource", "error"]
            .map(|kind| Completion::new(kind, CompletionKind::Keyword))
            .to_vec(),
        _ => Vec::new(),
    };
    items.into_iter().map(quoted).collect()
}

/// A completion that is inserted in quotes.
pub(super) fn quoted(item: Completion) -> Completion {
    let text = quoted_label(&item.text);
    item.inserting(text)
}
