//! The layout of a document: formatting, of the whole, of some lines and of what was just typed,
//! and the parts to fold and to select.

use std::ops::RangeInclusive;
use std::sync::Arc;

use lsp_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams,
    FoldingRange, FoldingRangeKind, FoldingRangeParams, SelectionRange, SelectionRangeParams,
    TextEdit,
};
use pcl::diagnostics::Span;
use pcl::syntax::{SyntaxKind, SyntaxTree};
use pcl_ide::{FilePosition, folds, selections};

use crate::convert;
use crate::edits;
use crate::server::Server;

/// The edits of a document; none of a text that is not open or does not parse.
type Edits = Option<Vec<TextEdit>>;

/// The edits that put a document in canonical layout.
pub fn format(server: &mut Server, params: DocumentFormattingParams) -> Edits {
    let tree = server.tree_of(&params.text_document.uri.0)?;
    server.edits_to(&tree, pcl::format::format(&tree)?)
}

/// The edits that put some lines in canonical layout.
pub fn format_range(server: &mut Server, params: DocumentRangeFormattingParams) -> Edits {
    let tree = server.tree_of(&params.text_document.uri.0)?;
    let (start, end) = (params.range.start, params.range.end);
    // A selection of whole lines ends before the first character of the next one.
    let is_before = end.character == 0 && end.line > start.line;
    let last = end.line - u32::from(is_before);
    server.edits_of_lines(&tree, start.line as usize..=last as usize)
}

/// The edits behind a `}`, about the lines of its brackets, and behind a new line, about the line
/// before.
pub fn format_on_type(server: &mut Server, params: DocumentOnTypeFormattingParams) -> Edits {
    let tree = server.tree_of(&params.text_document.uri.0)?;
    let line = params.position.line as usize;
    let lines = if params.ch == "\n" {
        let before = line.checked_sub(1)?;
        before..=before
    } else {
        let (index, encoding) = (tree.line_index(), server.features.encoding);
        let offset = convert::to_offset(index, tree.text(), params.position, encoding);
        let brace = tree.token_at(offset.checked_sub(1)?);
        if !matches!(brace.kind(), SyntaxKind::RBrace | SyntaxKind::SequenceClose) {
            return None;
        }
        index.line_of(brace.parent().range().start())..=line
    };
    let mut edits = server.edits_of_lines(&tree, lines)?;
    // Whoever types goes on at the cursor: nothing appears behind it, such as the last line ending.
    let at = (params.position.line, params.position.character);
    edits.retain(|edit| (edit.range.start.line, edit.range.start.character) < at);
    Some(edits)
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

/// The parts of a document that can be folded.
pub fn folding(server: &mut Server, params: FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let lines_only = server.features.folds_lines_only;
    let (snapshot, file) = server.file(&params.text_document.uri.0)?;
    let places = snapshot.places();
    let mut ranges: Vec<FoldingRange> = Vec::new();
    for fold in folds(snapshot.analysis, file) {
        let range = places.range(Span::new(file, fold.range));
        let (start, mut end) = (range.start, range.end);
        if lines_only && fold.keeps_last_line {
            end.line = end.line.saturating_sub(1);
        }
        // Of those that begin on one line, an editor can fold one.
        let is_known = ranges.last().is_some_and(|last| last.start_line == start.line);
        if end.line <= start.line || lines_only && is_known {
            continue;
        }
        ranges.push(FoldingRange {
            start_line: start.line,
            start_character: (!lines_only).then_some(start.character),
            end_line: end.line,
            end_character: (!lines_only).then_some(end.character),
            kind: fold.is_comment.then_some(FoldingRangeKind::Comment),
            collapsed_text: None,
        });
    }
    Some(ranges)
}

/// The parts of a document around each of some places.
pub fn selection(server: &mut Server, params: SelectionRangeParams) -> Option<Vec<SelectionRange>> {
    let (snapshot, file) = server.file(&params.text_document.uri.0)?;
    let places = snapshot.places();
    let around = |position| {
        let at = FilePosition::new(file, places.offset(file, position));
        let ranges = selections(snapshot.analysis, at).into_iter().rev();
        let nested = ranges.fold(None, |parent, range| {
            let range = places.range(Span::new(file, range));
            Some(SelectionRange { range, parent: parent.map(Box::new) })
        });
        nested.unwrap_or_default()
    };
    Some(params.positions.into_iter().map(around).collect())
}
