//! Edits that move parts of a body to another place of it.

use pcl_diagnostics::{FileId, Span, TextEdit, TextRange};
use pcl_syntax::ast;

use crate::insert_lines::{align, insert_lines};

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
