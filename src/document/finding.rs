//! Findings and places as plain data: what every JSON output says of them.

use pcl_diagnostics::{SourceMap, Span};
use serde::{Deserialize, Serialize};

use super::index::FileIndex;

/// A finding of the check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// The stable number, such as `PCL0301`.
    pub code: String,
    /// The stable name, such as `type-not-assignable`.
    pub name: String,
    /// `warning`, `error`, or `bug` for a fault of the front end itself.
    pub severity: String,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The path of the file, as the program was named.
    pub file: String,
    /// Where it is.
    pub range: Range,
    /// Second places that explain the first.
    pub labels: Vec<Label>,
    /// Rules and facts that explain it.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// Edits that mend it.
    pub fixes: Vec<Fix>,
    /// Names the finding across runs and across edits elsewhere in the file.
    pub fingerprint: String,
}

/// A second place of a [`Finding`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Label {
    /// The path of the file.
    pub file: String,
    /// Where.
    pub range: Range,
    /// What is there.
    pub message: String,
}

/// Edits that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fix {
    /// What the edits do.
    pub title: String,
    /// How far they can be trusted: `safe`, `unsafe`, or `display-only`.
    pub applicability: String,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// Replaces a range by a text; an empty range inserts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Edit {
    /// The path of the file.
    pub file: String,
    /// What is replaced.
    pub range: Range,
    /// What stands there afterwards.
    pub text: String,
}

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
