//! Edits that add lines to bodies.

use pcl_diagnostics::{FileId, Span, TextEdit, TextRange};
use pcl_syntax::ast;

/// The edit that puts attributes at the start of a block's body, each as `name = value`. A block on
/// one line is broken up, and is then laid out as `pcl fmt` does.
pub(crate) fn insert_lines(
    file: FileId,
    block: ast::Block<'_>,
    lines: impl IntoIterator<Item = String>,
) -> Option<TextEdit> {
    let (open, close) = (block.open_brace()?, block.close_brace());
    let outer = indentation(block, block.syntax().range().start());
    let body = block.body()?;
    let inside = TextRange::new(
        open.range().end(),
        close.map_or(open.range().end(), |close| close.range().start()),
    );
    let text = block.syntax().tree().text();
    let written = text.get(inside.to_usize()).unwrap_or_default();
    if close.is_none() || written.contains('\n') {
        let mut items = body.items().map(|item| item.syntax().range().start());
        let first = items.find(|&start| {
            text.get(open.range().end() as usize..start as usize)
                .is_some_and(|gap| gap.contains('\n'))
        });
        let indent = match first {
            Some(start) => indentation(block, start).to_owned(),
            None => format!("{outer}  "),
        };
        let mut lines: Vec<String> = lines.into_iter().collect();
        align(&mut lines);
        let lines = lines.iter().map(|line| format!("\n{indent}{line}"));
        return Some(TextEdit::insert(file, inside.start(), lines.collect::<String>()));
    }
    let own = Some(written.trim()).filter(|own| !own.is_empty());
    let mut lines: Vec<String> = lines.into_iter().chain(own.map(str::to_owned)).collect();
    align(&mut lines);
    let lines = lines.iter().map(|line| format!("\n{outer}  {line}"));
    let text = format!("{}\n{outer}", lines.collect::<String>());
    Some(TextEdit::replace(Span::new(file, inside), text))
}

/// The spaces and tabs before the first word of the line that `offset` is in.
fn indentation(block: ast::Block<'_>, offset: u32) -> &str {
    let text = block.syntax().tree().text();
    let before = text.get(..offset as usize).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.get(start..).unwrap_or_default();
    let end = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..end).unwrap_or_default()
}

/// Aligns the `=` of lines that follow each other. One over several lines ends a run.
pub(crate) fn align(lines: &mut [String]) {
    let name = |line: &str| {
        let name = line.split_once('=')?.0.trim_end();
        pcl_syntax::is_identifier(name).then(|| name.to_owned())
    };
    let goes_on =
        |last: &String, line: &String| !last.contains('\n') && name(last).and(name(line)).is_some();
    for run in lines.chunk_by_mut(goes_on) {
        let names: Vec<Option<String>> = run.iter().map(|line| name(line)).collect();
        let widths = names.iter().flatten().map(|name| name.chars().count());
        let widest = widths.max().unwrap_or_default();
        for (line, name) in run.iter_mut().zip(names) {
            if let (Some(name), Some((_, value))) = (name, line.split_once('=')) {
                *line = format!("{name:widest$} = {}", value.trim_start());
            }
        }
    }
}
