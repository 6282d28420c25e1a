//! Places as the protocol has them.

use lsp_types::{Location, Position, Range, Uri};
use pcl::diagnostics::{Encoding, LineIndex, SourceMap, Span, TextRange};

use crate::documents::Documents;

/// The place of an offset.
pub fn position(lines: &LineIndex, text: &str, offset: u32, encoding: Encoding) -> Position {
    let (line, character) = lines.encoded(text, offset, encoding);
    Position { line, character }
}

/// The offset of a place.
pub fn to_offset(lines: &LineIndex, text: &str, position: Position, encoding: Encoding) -> u32 {
    lines.offset(text, position.line, position.character, encoding)
}

/// The bytes between two places, in whichever order they come.
pub fn to_text_range(lines: &LineIndex, text: &str, range: Range, encoding: Encoding) -> TextRange {
    let [start, end] =
        [range.start, range.end].map(|position| to_offset(lines, text, position, encoding));
    TextRange::new(start.min(end), end.max(start))
}

/// The places of the ends of a range.
pub fn range(lines: &LineIndex, text: &str, range: TextRange, encoding: Encoding) -> Range {
    let place = |offset| position(lines, text, offset, encoding);
    Range { start: place(range.start()), end: place(range.end()) }
}

/// Converts places of the files of one program.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The files.
    pub sources: &'a SourceMap,
    /// The documents, whose addresses are those of the editor.
    pub documents: &'a Documents,
    /// The unit of columns.
    pub encoding: Encoding,
}

impl Places<'_> {
    /// The range of a span in its file.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        let lines = self.sources.line_index(span.file);
        let text = self.sources.text(span.file);
        range(lines, text, span.range, self.encoding)
    }

    /// The address of the file of a span.
    #[must_use]
    pub fn uri(&self, span: Span) -> Uri {
        Uri(self.documents.uri_of(self.sources.path(span.file)))
    }

    /// The file and range of a span.
    #[must_use]
    pub fn location(&self, span: Span) -> Location {
        Location { uri: self.uri(span), range: self.range(span) }
    }
}
