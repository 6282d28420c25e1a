//! Inlay hints.

use lsp_types::{InlayHint, InlayHintKind, InlayHintParams};
use pcl_ide::{InlayHintKind as Kind, inlay_hints};

use crate::convert;
use crate::message::Answer;
use crate::server::Server;

/// The hints in a part of a document.
pub fn of_range(server: &mut Server, params: InlayHintParams) -> Answer<Option<Vec<InlayHint>>> {
    let (wanted, encoding) = (server.look.hints, server.features.encoding);
    let part = server.part(&params.text_document.uri.0, params.range);
    let Some((analysis, file, part)) = part else {
        return Ok(None);
    };
    let hints = inlay_hints(analysis, file, part, wanted);
    let sources = &analysis.checked.sources;
    let (lines, text) = (sources.line_index(file), sources.text(file));
    let hints = hints.into_iter().map(|hint| InlayHint {
        position: convert::position(lines, text, hint.offset, encoding),
        label: hint.label.into(),
        kind: Some(match hint.kind {
            Kind::Type => InlayHintKind::Type,
            Kind::Parameter => InlayHintKind::Parameter,
        }),
        text_edits: None,
        tooltip: hint.whole.map(Into::into),
        padding_left: None,
        padding_right: Some(hint.kind == Kind::Parameter),
        data: None,
    });
    Ok(Some(hints.collect()))
}
