//! Formatting: of a document, of some of its lines, and of what was just typed.

use std::ops::RangeInclusive;
use std::sync::Arc;

use lsp_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams,
    TextEdit,
};
use pcl::syntax::{SyntaxKind, SyntaxTree};

use crate::convert;
use crate::edits;
use crate::message::Answer;
use crate::server::Server;

/// The answer: no edits for a text that is not open or does not parse.
type Edits = Answer<Option<Vec<TextEdit>>>;

/// The edits that put a document in canonical layout.
pub fn document(server: &mut Server, params: DocumentFormattingParams) -> Edits {
    let tree = server.tree_of(&params.text_document.uri.0);
    Ok(tree.and_then(|tree| server.edits_to(&tree, pcl::format::format(&tree)?)))
}

/// The edits that put some lines in canonical layout.
pub fn range(server: &mut Server, params: DocumentRangeFormattingParams) -> Edits {
    let tree = server.tree_of(&params.text_document.uri.0);
    let (start, end) = (params.range.start, params.range.end);
    // A selection of whole lines ends before the first character of the next one.
    let is_before = end.character == 0 && end.line > start.line;
    let last = end.line - u32::from(is_before);
    Ok(tree.and_then(|tree| server.edits_of_lines(&tree, start.line as usize..=last as usize)))
}

/// The edits behind a `}`, about the lines of its brackets, and behind a new line, about the line
/// before.
pub fn on_type(server: &mut Server, params: DocumentOnTypeFormattingParams) -> Edits {
    let Some(tree) = server.tree_of(&params.text_document.uri.0) else {
        return Ok(None);
    };
    let line = params.position.line as usize;
    let lines = match &*params.ch {
        "\n" => line.checked_sub(1).map(|line| line..=line),
        _ => {
            let encoding = server.features.encoding;
            let (index, text) = (tree.line_index(), tree.text());
            let offset = convert::to_offset(index, text, params.position, encoding);
            let typed = offset.checked_sub(1).map(|at| tree.token_at(at));
            let closing = [SyntaxKind::RBrace, SyntaxKind::SequenceClose];
            let brace = typed.filter(|token| closing.contains(&token.kind()));
            brace.map(|brace| {
                let start = brace.parent().range().start();
                index.line_of(start)..=line
            })
        }
    };
    Ok(lines.and_then(|lines| server.edits_of_lines(&tree, lines)))
}

impl Server<'_> {
    fn tree_of(&self, uri: &str) -> Option<Arc<SyntaxTree>> {
        let document = self.documents.get(uri)?;
        Some(Arc::clone(&document.tree))
    }

    /// The edits of some lines, counted from 0.
    fn edits_of_lines(
        &self,
        tree: &SyntaxTree,
        lines: RangeInclusive<usize>,
    ) -> Option<Vec<TextEdit>> {
        let lines = lines.start() + 1..=lines.end() + 1;
        self.edits_to(tree, pcl::format::format_range(tree, lines)?)
    }

    fn edits_to(&self, tree: &SyntaxTree, new: String) -> Option<Vec<TextEdit>> {
        // Placeholders for bytes that are not UTF-8 are not in the text of the editor.
        let is_text = tree.bytes() == tree.text().as_bytes();
        is_text.then(|| edits::between(tree.text(), &new, self.features.encoding))
    }
}
