//! Edits that add lines to a body, or move parts of it to another place.

use pcl_diagnostics::{FileId, Span, TextEdit, TextRange};
use pcl_syntax::ast;

/// The text of a file with the edits that move its parts.
#[derive(Clone, Copy)]
pub(crate) struct Mover<'t> {
    pub file: FileId,
    pub text: &'t str,
}

impl<'t> Mover<'t> {
    /// The edits that take out an item of a body and put lines into its `options` block, which is
    /// made where there is none.
    ///
    /// Every block is made at the end of its body, and every line is added at the start of the
    /// block. So the edits of two items overlap, and one of them is applied: the other one then
    /// finds the block of the first.
    pub fn into_options(
        self,
        body: ast::Body<'t>,
        item: TextRange,
        options: Option<ast::Block<'t>>,
        lines: &[String],
    ) -> Option<Vec<TextEdit>> {
        if let Some(options) = options {
            let removed = self.removal(item);
            if lines.is_empty() {
                return Some(vec![removed]);
            }
            let inserted = insert_lines(self.file, options, lines.iter().cloned())?;
            return Some(vec![inserted, removed]);
        }
        let mut lines = lines.to_vec();
        align(&mut lines);
        let mut block = "  options {\n".to_owned();
        for line in &lines {
            block.push_str(&format!("    {line}\n"));
        }
        block.push_str("  }\n");
        if body.is_one_line() {
            let content = Span::new(self.file, body.content_range());
            let inside = self.text.get(content.range.to_usize()).unwrap_or_default();
            let only = self.text.get(item.to_usize()) == Some(inside.trim());
            let edit = TextEdit::replace(content, format!("\n{block}"));
            return only.then(|| vec![edit]);
        }
        let close = body.syntax().last_token()?.range().start();
        let removed = self.removal(item);
        if lines.is_empty() {
            return Some(vec![removed]);
        }
        let line = self.line_start(close);
        if line < item.end() {
            // The item ends on the line of the brace.
            let place = Span::new(self.file, item);
            return Some(vec![TextEdit::replace(place, block.trim_start())]);
        }
        Some(vec![removed, TextEdit::insert(self.file, line, block)])
    }

    /// The edit that takes out an item, with its line where nothing else is on it.
    pub fn removal(self, item: TextRange) -> TextEdit {
        let start = self.line_start(item.start());
        let rest = self.text.get(item.end() as usize..).unwrap_or_default();
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        let before = self.text.get(start as usize..item.start() as usize);
        let is_alone = line.trim().is_empty() && before.unwrap_or_default().trim().is_empty();
        let comment = line.len() - line.trim_start().len();
        let range = if is_alone {
            TextRange::new(start, item.end() + line.len() as u32)
        } else if line.trim_start().starts_with(['#', '/']) {
            // A comment behind it takes its place.
            TextRange::new(item.start(), item.end() + comment as u32)
        } else {
            item
        };
        TextEdit::delete(Span::new(self.file, range))
    }

    /// The text of a value, for a place that is indented deeper.
    pub fn deeper(self, value: TextRange) -> String {
        let text = self.text.get(value.to_usize()).unwrap_or_default();
        if text.contains("<<") { text.to_owned() } else { text.replace('\n', "\n  ") }
    }

    /// The start of the line that an offset is in.
    pub fn line_start(self, offset: u32) -> u32 {
        let before = self.text.get(..offset as usize).unwrap_or_default();
        before.rfind('\n').map_or(0, |at| at as u32 + 1)
    }
}

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
    let before = block.syntax().tree().text().get(..offset as usize).unwrap_or_default();
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
