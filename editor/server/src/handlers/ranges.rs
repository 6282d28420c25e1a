//! Parts of a document: those to fold, and those to select.

use lsp_types::{
    FoldingRange, FoldingRangeKind, FoldingRangeParams, SelectionRange, SelectionRangeParams,
};
use pcl_ide::{folds, selections};

use crate::convert;
use crate::message::Answer;
use crate::server::Server;

/// The parts of a document that can be folded.
pub fn folding(
    server: &mut Server,
    params: FoldingRangeParams,
) -> Answer<Option<Vec<FoldingRange>>> {
    let (encoding, lines_only) = (server.features.encoding, server.features.folds_lines_only);
    let Some((analysis, file)) = server.file(&params.text_document.uri.0) else {
        return Ok(None);
    };
    let sources = &analysis.checked.sources;
    let (lines, text) = (sources.line_index(file), sources.text(file));
    let mut ranges: Vec<FoldingRange> = Vec::new();
    for fold in folds(analysis, file) {
        let range = convert::range(lines, text, fold.range, encoding);
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
    Ok(Some(ranges))
}

/// The parts of a document around each of some places.
pub fn selection(
    server: &mut Server,
    params: SelectionRangeParams,
) -> Answer<Option<Vec<SelectionRange>>> {
    let encoding = server.features.encoding;
    let Some((analysis, file)) = server.file(&params.text_document.uri.0) else {
        return Ok(None);
    };
    let sources = &analysis.checked.sources;
    let (lines, text) = (sources.line_index(file), sources.text(file));
    let around = |position| {
        let offset = convert::to_offset(lines, text, position, encoding);
        let ranges = selections(analysis, file, offset).into_iter().rev();
        let nested = ranges.fold(None, |parent, range| {
            Some(SelectionRange {
                range: convert::range(lines, text, range, encoding),
                parent: parent.map(Box::new),
            })
        });
        nested.unwrap_or_default()
    };
    Ok(Some(params.positions.into_iter().map(around).collect()))
}
