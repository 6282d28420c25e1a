//! The fixes of diagnostics, and the comments that suppress them.

use std::collections::HashSet;

use pcl::diagnostics::{Applicability, FileId, Fix, TextEdit, TextRange};

use crate::Analysis;

/// An edit that fixes or suppresses a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quickfix {
    /// The effect, in the imperative.
    pub title: String,
    /// The position of the diagnostic among those of the program.
    pub diagnostic: usize,
    /// Set if the fix keeps the meaning of the program, and no other one does.
    pub is_preferred: bool,
    /// The edits, which do not overlap.
    pub edits: Vec<TextEdit>,
}

/// The fixes of the diagnostics that touch a range, and behind them the comments that suppress
/// these. Fixes with placeholders are left out.
#[must_use]
pub fn quick_fixes(analysis: &Analysis, file: FileId, range: TextRange) -> Vec<Quickfix> {
    let checked = &analysis.checked;
    let all = checked.diagnostics.iter().enumerate();
    let touching = all.filter(|(_, diagnostic)| {
        let primary = diagnostic.primary;
        let own = primary.range;
        primary.file == file && own.start() <= range.end() && range.start() <= own.end()
    });
    let touching: Vec<_> = touching.collect();
    let texts = texts(analysis);
    let mut offered = Vec::new();
    for &(at, diagnostic) in &touching {
        let usable = |fix: &&Fix| {
            let mut edits = fix.edits.iter();
            let fits = edits.all(|edit| texts.contains(&edit.span.file));
            fix.applicability >= Applicability::Unsafe && fits && !fix.edits.is_empty()
        };
        for (position, fix) in diagnostic.fixes.iter().filter(usable).enumerate() {
            offered.push(Quickfix {
                title: fix.title.clone(),
                diagnostic: at,
                is_preferred: position == 0 && fix.applicability == Applicability::Safe,
                edits: fix.edits.clone(),
            });
        }
    }
    let Some(tree) = analysis.tree(file) else {
        return offered;
    };
    let suppressed = touching.iter().map(|(_, diagnostic)| *diagnostic);
    let suppressions = pcl::ignore_edits(tree, suppressed);
    for (&(at, diagnostic), edit) in touching.iter().zip(suppressions) {
        offered.extend(edit.map(|edit| Quickfix {
            title: format!("suppress `{}` here", diagnostic.code.name()),
            diagnostic: at,
            is_preferred: false,
            edits: vec![edit],
        }));
    }
    offered
}

/// The files of the program that are text as it is on disk.
fn texts(analysis: &Analysis) -> HashSet<FileId> {
    let is_text = |file: &FileId| {
        let tree = analysis.tree(*file);
        tree.is_some_and(|tree| tree.bytes() == tree.text().as_bytes())
    };
    analysis.files().filter(is_text).collect()
}
