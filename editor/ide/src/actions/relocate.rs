//! Moves declarations to another file of their program, which does not change what they mean.

use std::collections::HashMap;
use std::path::Path;

use pcl::binder::NodeKind;
use pcl::diagnostics::{FileId, Span, TextEdit};
use pcl::syntax::ast;

use super::items::{appended, deletions, has_error, selected, with_comments};
use super::refactoring::{NewFile, Refactoring, RefactoringKind};
use super::text::{has_heredoc, newline};
use crate::{Analysis, FilePosition};

/// The number of files that are offered.
const MOST: usize = 8;

/// The moves of the selected declarations to each other file of the program, and to a new one.
pub(super) fn moves(analysis: &Analysis, selection: Span) -> Vec<Refactoring> {
    let file = selection.file;
    let Some(tree) = analysis.tree(file) else { return Vec::new() };
    let Some(module) = analysis.module_of(file) else { return Vec::new() };
    let items = selected(tree, selection.range);
    let mut declared: HashMap<&str, usize> = HashMap::new();
    for node in &analysis.module(module).nodes {
        *declared.entry(&*node.name).or_default() += 1;
    }
    // Several files may declare the same package, which one file may not.
    let is_declaration = |item: &ast::Item<'_>| {
        let node = analysis.node_at(FilePosition::new(file, item.syntax().range().start()));
        let bound = node.map(|node| analysis.node(node));
        !item.syntax().contains_error()
            && !has_error(analysis, Span::new(file, with_comments(*item)))
            && bound.is_some_and(|it| {
                // A name that is declared twice is reported once in each file.
                it.kind != NodeKind::Pulumi
                    && it.range == item.syntax().range()
                    && declared.get(&*it.name) == Some(&1)
            })
    };
    if items.is_empty() || !items.iter().all(is_declaration) {
        return Vec::new();
    }
    let deletions = deletions(tree, file, &items);
    let written = |newline: &str| {
        let texts = items.iter().map(|item| {
            let text = analysis.text(Span::new(file, with_comments(*item)));
            // The line endings of a heredoc are part of its value.
            if has_heredoc(item.syntax()) {
                text.to_owned()
            } else {
                text.replace("\r\n", "\n").replace('\n', newline)
            }
        });
        texts.collect::<Vec<_>>().join(&newline.repeat(2)) + newline
    };
    // What is behind an error may be part of it.
    let is_sound = |other| analysis.tree(other).is_some_and(|tree| !tree.is_refused());
    let others = analysis.module(module).files.iter().copied();
    let others = others.filter(|&other| other != file && is_sound(other));
    let mut found: Vec<Refactoring> = Vec::new();
    for other in others.take(MOST) {
        let newline = newline(analysis, other);
        let mut edits = deletions.clone();
        edits.push(appended(analysis, other, &written(newline), newline));
        let title = format!("move to `{}`", name_of(analysis, other));
        found.push(Refactoring::new(title, RefactoringKind::Move, edits));
    }
    found.extend(to_new_file(analysis, file, &written(newline(analysis, file)), deletions));
    found
}

/// The move to a file that is not there yet.
fn to_new_file(
    analysis: &Analysis,
    file: FileId,
    text: &str,
    edits: Vec<TextEdit>,
) -> Option<Refactoring> {
    let path = Path::new(analysis.checked.sources.path(file));
    let directory = path.parent().filter(|_| path.is_absolute() && path.is_file())?;
    let taken = |name: &String| {
        let path = directory.join(name);
        path.exists() || analysis.file(&path.to_string_lossy()).is_some()
    };
    let mut names = (1..).map(|number| match number {
        1 => "moved.pp".to_owned(),
        _ => format!("moved{number}.pp"),
    });
    let name = names.find(|name| !taken(name))?;
    let title = format!("move to the new file `{name}`");
    let path = directory.join(&name).to_string_lossy().into_owned();
    let created = vec![NewFile { path, text: text.to_owned() }];
    Some(Refactoring { created, ..Refactoring::new(title, RefactoringKind::Move, edits) })
}

/// The name of a file without its directory.
fn name_of(analysis: &Analysis, file: FileId) -> &str {
    let path = analysis.checked.sources.path(file);
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
