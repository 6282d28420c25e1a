//! Several names of one body that are all taken for misspellings of the same name: at most one of
//! them is, so none of the fixes is applied.
//!
//! The rules, with examples: `tests/spec/habits/renames.md`.

use std::collections::HashMap;

use pcl_binder::Program;
use pcl_diagnostics::{Applicability, Diagnostic, FileId, TextEdit};
use pcl_syntax::{NodeId, SyntaxKind, SyntaxTree};

/// The most names that are compared. Fixes beyond are not applied: each costs a search in the tree.
const MOST: usize = 1_000;

/// A name that a fix writes, with the body or object that it becomes a name of.
type Rename<'d> = (FileId, Option<NodeId>, &'d str);

/// Keeps the fixes from being applied that give several attributes or keys of one body the same
/// name.
pub(crate) fn keep_names_apart(diagnostics: &mut [Diagnostic], program: &Program) {
    let module = &program.module;
    let trees: HashMap<FileId, &SyntaxTree> =
        module.files.iter().copied().zip(module.trees.iter().map(|tree| &**tree)).collect();
    let mut texts: HashMap<(FileId, &str), usize> = HashMap::new();
    for edit in diagnostics.iter().flat_map(edits) {
        *texts.entry((edit.span.file, &edit.text)).or_default() += 1;
    }
    let mut searches = 0;
    let mut renames: HashMap<Rename<'_>, Vec<Place>> = HashMap::new();
    for (at, diagnostic) in diagnostics.iter().enumerate() {
        for (fix, edit) in applied(diagnostic) {
            let file = edit.span.file;
            let is_alone = texts.get(&(file, &*edit.text)) == Some(&1);
            let Some(tree) = trees.get(&file).filter(|_| !is_alone) else { continue };
            searches += 1;
            let owner = if searches > MOST {
                None
            } else {
                match owner(tree, edit) {
                    Some(owner) => Some(owner),
                    None => continue,
                }
            };
            let rename = (file, owner, &*edit.text);
            renames.entry(rename).or_default().push((at, fix));
        }
    }
    let mut several: Vec<Place> = Vec::new();
    for places in renames.into_values().filter(|places| places.len() > 1) {
        several.extend(places);
    }
    for (at, fix) in several {
        let fix = diagnostics.get_mut(at).and_then(|it| it.fixes.get_mut(fix));
        if let Some(fix) = fix {
            fix.applicability = Applicability::DisplayOnly;
        }
    }
}

/// The positions of a diagnostic and of a fix in it.
type Place = (usize, usize);

/// The fixes of a diagnostic that are one edit and may be applied, with their positions.
fn applied(diagnostic: &Diagnostic) -> impl Iterator<Item = (usize, &TextEdit)> {
    let fixes = diagnostic.fixes.iter().enumerate();
    fixes.filter_map(|(at, fix)| match &fix.edits[..] {
        // An insertion renames nothing.
        [edit]
            if fix.applicability != Applicability::DisplayOnly && !edit.span.range.is_empty() =>
        {
            Some((at, edit))
        }
        _ => None,
    })
}

fn edits(diagnostic: &Diagnostic) -> impl Iterator<Item = &TextEdit> {
    applied(diagnostic).map(|(_, edit)| edit)
}

/// The body or object whose attribute or key an edit renames.
fn owner(tree: &SyntaxTree, edit: &TextEdit) -> Option<NodeId> {
    let is_item = |kind| matches!(kind, SyntaxKind::Attribute | SyntaxKind::ObjectItem);
    let node = tree.covering(edit.span.range);
    let item = node.ancestors().find(|node| is_item(node.kind()))?;
    let is_name = item.range().start() == edit.span.range.start();
    is_name.then(|| item.parent()).flatten().map(|it| it.id())
}
