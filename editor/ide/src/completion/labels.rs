//! Labels of blocks: tokens, sources, types.

use std::path::Path;

use pcl::schema::Section;

use super::context::Context;
use super::item::{Completion, CompletionKind};
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
        ("component", 1) => directories(analysis, context.at.file),
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
    let text = format!("\"{}\"", item.text);
    item.inserting(text)
}

/// The directories beside the program that hold programs.
fn directories(analysis: &Analysis, file: pcl::diagnostics::FileId) -> Vec<Completion> {
    /// The limit of entries that are read.
    const MAX_ENTRIES: usize = 1_000;
    let path = analysis.checked.sources.path(file);
    let own = Path::new(path).parent().unwrap_or(Path::new("."));
    let mut items = Vec::new();
    for (place, prefix) in [(own.to_path_buf(), "./"), (own.join(".."), "../")] {
        let entries = std::fs::read_dir(&place).into_iter().flatten().flatten();
        for entry in entries.take(MAX_ENTRIES) {
            let directory = entry.path();
            let Ok(name) = entry.file_name().into_string() else { continue };
            let files = std::fs::read_dir(&directory).into_iter().flatten().flatten();
            let mut files = files.take(MAX_ENTRIES);
            let holds =
                files.any(|file| pcl::binder::is_program_file(&directory, &file.file_name()));
            let is_own = own.file_name().is_some_and(|own| *own == *name) && prefix == "../";
            if holds && !is_own {
                items.push(Completion::new(format!("{prefix}{name}"), CompletionKind::Directory));
            }
        }
    }
    items
}
