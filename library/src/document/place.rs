//! Places as plain data, in the form that every JSON output shares.

use pcl_diagnostics::{SourceMap, Span};
use serde::{Deserialize, Serialize};

use super::index::FileIndex;

/// A half-open range of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Range {
    /// The first byte.
    pub start: Position,
    /// After the last byte.
    pub end: Position,
}

/// A position in a file, counted both ways.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Position {
    /// Offset in bytes, from 0.
    pub byte: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in Unicode scalar values, from 1.
    pub column: u32,
}

/// A range of one of the files of a document.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: FileIndex,
    /// The first byte.
    pub start: Position,
    /// After the last byte.
    pub end: Position,
}

impl Range {
    /// A span with both ways of counting.
    #[must_use]
    pub fn of(span: Span, sources: &SourceMap) -> Self {
        let position = |offset| {
            let place = sources.position(span.file, offset);
            Position {
                byte: offset,
                line: place.line,
                column: place.column,
            }
        };
        Self {
            start: position(span.range.start()),
            end: position(span.range.end()),
        }
    }
}
