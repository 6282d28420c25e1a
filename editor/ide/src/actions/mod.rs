//! Edits that an editor offers at a place: the fixes of diagnostics, and refactorings.

mod component;
mod declare;
mod extract;
mod fold;
mod inline;
mod inputs;
mod items;
mod refactoring;
mod relocate;
mod rewrite;
mod text;
mod uses;

use std::collections::HashSet;

use pcl::diagnostics::{Applicability, Diagnostic, FileId, Fix, Span, TextEdit};

pub use refactoring::{NewFile, Refactoring, RefactoringKind};

use crate::Analysis;

/// The refactorings of what is selected; of what the cursor is on if nothing is.
pub fn refactorings(analysis: &mut Analysis, selection: Span) -> Vec<Refactoring> {
    let mut all = Vec::new();
    all.extend(extract::local(analysis, selection));
    all.extend(inline::local(analysis, selection));
    all.extend(rewrite::strings(analysis, selection));
    all.extend(rewrite::key(analysis, selection));
    all.extend(rewrite::heredoc(analysis, selection));
    all.extend(rewrite::conditional(analysis, selection));
    all.extend(component::component(analysis, selection));
    all.extend(fold::resources(analysis, selection));
    all.extend(relocate::moves(analysis, selection));
    all.extend(inputs::missing(analysis, selection));
    all.extend(inputs::missing_keys(analysis, selection));
    all
}

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
pub fn quick_fixes(analysis: &mut Analysis, selection: Span) -> Vec<Quickfix> {
    let all = analysis.checked.diagnostics.iter().cloned().enumerate();
    let touching = all.filter(|(_, diagnostic)| {
        let Span { file, range } = diagnostic.primary;
        file == selection.file && range.touches(selection.range)
    });
    let touching: Vec<(usize, Diagnostic)> = touching.collect();
    let texts = texts(analysis);
    let mut offered = Vec::new();
    for (at, diagnostic) in &touching {
        let usable = |fix: &&Fix| {
            let mut edits = fix.edits.iter();
            let fits = edits.all(|edit| texts.contains(&edit.span.file));
            fix.applicability >= Applicability::Unsafe && fits && !fix.edits.is_empty()
        };
        for (position, fix) in diagnostic.fixes.iter().filter(usable).enumerate() {
            offered.push(Quickfix {
                title: fix.title.clone(),
                diagnostic: *at,
                is_preferred: position == 0 && fix.applicability == Applicability::Safe,
                edits: fix.edits.clone(),
            });
        }
        let declared = declare::missing_name(analysis, diagnostic).into_iter();
        for (title, edit) in declared.chain(declare::missing_output(analysis, diagnostic)) {
            let edits = vec![edit];
            offered.push(Quickfix { title, diagnostic: *at, is_preferred: false, edits });
        }
    }
    let Some(tree) = analysis.tree(selection.file) else { return offered };
    let suppressed = touching.iter().map(|(_, diagnostic)| diagnostic);
    let suppressions = pcl::ignore_edits(tree, suppressed);
    for ((at, diagnostic), edit) in touching.iter().zip(suppressions) {
        offered.extend(edit.map(|edit| Quickfix {
            title: format!("suppress `{}` here", diagnostic.code.name()),
            diagnostic: *at,
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
