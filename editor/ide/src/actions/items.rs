//! The declarations of a file as texts: with the comments that belong to them.

use pcl::binder::NodeKind;
use pcl::diagnostics::{Diagnostic, FileId, Span, TextEdit, TextRange};
use pcl::syntax::SyntaxTree;
use pcl::syntax::ast;

use crate::{Analysis, ModuleId};

/// The most declarations that become one. Each is compared with the names of the others.
pub(super) const MOST_JOINED: usize = 100;

/// The items that are selected as a whole; the one whose first line, without its values, has the
/// cursor if nothing is selected.
pub(super) fn selected(tree: &SyntaxTree, selection: TextRange) -> Vec<ast::Item<'_>> {
    let items = tree.file().body().items();
    if selection.is_empty() {
        let at = selection.start();
        let mut items = items.filter(|item| match item {
            ast::Item::Block(block) => {
                let head =
                    block.open_brace().map_or(item.syntax().range().end(), |it| it.range().start());
                item.syntax().range().start() <= at && at <= head
            }
            ast::Item::Attribute(attribute) => {
                attribute.name().is_some_and(|name| name.range().touches(selection))
            }
            ast::Item::Bogus(_) => false,
        });
        return items.next().into_iter().collect();
    }
    // The end of a selection of lines is the start of the item below.
    let touched = items.filter(|item| {
        let range = item.syntax().range();
        range.start() < selection.end() && selection.start() < range.end()
    });
    let touched: Vec<ast::Item<'_>> = touched.collect();
    let is_whole = touched.iter().all(|item| selection.contains_range(item.syntax().range()));
    if is_whole { touched } else { Vec::new() }
}

/// An item with the comments directly above, and to the end of its line if nothing else is there.
pub(super) fn with_comments(item: ast::Item<'_>) -> TextRange {
    let syntax = item.syntax();
    let comments = syntax.comments();
    let first = comments.leading.first().map(|comment| comment.range().start());
    let last = comments.trailing.last().map(|comment| comment.range().end());
    TextRange::new(first.unwrap_or(syntax.range().start()), last.unwrap_or(syntax.range().end()))
}

/// Returns true if a comment behind an item is about the only line that it has. An item that gets
/// more lines leaves it on the last one.
pub(super) fn has_comment_for_line(item: ast::Item<'_>) -> bool {
    let syntax = item.syntax();
    !syntax.comments().trailing.is_empty() && !syntax.text().contains('\n')
}

/// Returns true if an error is reported in a part of a file.
pub(super) fn has_error(analysis: &Analysis, part: Span) -> bool {
    // They are in the order of the text, and a file may have thousands of items and errors.
    let all = &analysis.checked.diagnostics;
    let place = |it: &Diagnostic| (it.primary.file, it.primary.range.start());
    let first = all.partition_point(|it| place(it) < (part.file, part.range.start()));
    let mut inside =
        all.iter().skip(first).take_while(|it| place(it) < (part.file, part.range.end()));
    inside.any(|it| it.is_error() && part.range.contains_range(it.primary.range))
}

/// Returns true if the program says which versions of Pulumi it works with: aliases that keep
/// resources may be too new for these.
pub(super) fn has_version_range(analysis: &Analysis) -> bool {
    let nodes = &analysis.module(ModuleId::Program).nodes;
    nodes.iter().any(|node| node.kind == NodeKind::Pulumi)
}

/// The edits that delete items, which follow each other in the text: each with its comments and the
/// empty lines before it; those behind it if nothing is left before it.
pub(super) fn deletions(tree: &SyntaxTree, file: FileId, items: &[ast::Item<'_>]) -> Vec<TextEdit> {
    let text = tree.text();
    let part = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default();
    let (mut at, mut is_start) = (0, true);
    let edits = items.iter().map(|item| {
        let range = with_comments(*item);
        let kept = part(at, range.start()).trim_end();
        let behind = part(range.end(), text.len() as u32);
        is_start &= kept.trim_start_matches('\u{feff}').is_empty();
        let length = if is_start {
            // The indentation of what follows stays.
            let blank = behind.len() - behind.trim_start().len();
            let lines = behind.get(..blank).and_then(|blank| blank.rfind('\n'));
            lines.map_or(blank, |end| end + 1)
        } else {
            behind.len() - behind.trim_start_matches([' ', '\t']).len()
        };
        let start = at + kept.len() as u32;
        at = range.end() + length as u32;
        TextEdit::delete(Span::new(file, TextRange::new(start, at)))
    });
    edits.collect()
}

/// The text of a part of a file after edits inside it, which do not overlap.
pub(super) fn edited(analysis: &Analysis, part: Span, edits: &[TextEdit]) -> String {
    let is_inside = |edit: &&TextEdit| {
        edit.span.file == part.file && part.range.contains_range(edit.span.range)
    };
    let mut edits: Vec<&TextEdit> = edits.iter().filter(is_inside).collect();
    edits.sort_by_key(|edit| (edit.span.range.start(), edit.span.range.end()));
    let mut text = String::new();
    let mut at = part.range.start();
    let between = |from, to| analysis.text(Span::new(part.file, TextRange::new(from, to)));
    for edit in edits {
        text += between(at, edit.span.range.start());
        text += &edit.text;
        at = edit.span.range.end();
    }
    text += between(at, part.range.end());
    text
}

/// The edit that adds declarations at the end of a file, behind an empty line.
pub(super) fn appended(analysis: &Analysis, file: FileId, text: &str, newline: &str) -> TextEdit {
    let before = analysis.checked.sources.text(file);
    let gap = match before.trim_end() {
        "" => String::new(),
        _ if before.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    TextEdit::insert(file, before.len() as u32, gap + text)
}
