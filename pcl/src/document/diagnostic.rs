//! Diagnostics as plain data, in the form that every JSON output shares.

use serde::{Deserialize, Serialize};

use super::place::Range;

/// A reported diagnostic.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DiagnosticRecord {
    /// The stable number, such as `PCL0301`.
    pub code: String,
    /// The stable name, such as `type-not-assignable`.
    pub name: String,
    /// `warning`, `error`, or `bug` for a bug in the front end itself.
    pub severity: String,
    /// The headline, in one sentence.
    pub message: String,
    /// The path of the file, as the program was named.
    pub file: String,
    /// The range of the place in the text.
    pub range: Range,
    /// Second places that explain the first.
    pub labels: Vec<Label>,
    /// Rules and facts that explain it.
    pub notes: Vec<String>,
    /// Advice on how to solve it.
    pub help: Option<String>,
    /// Edits that fix it.
    pub fixes: Vec<Fix>,
    /// Names the diagnostic across runs and across edits elsewhere in the file.
    pub fingerprint: String,
    /// The address of the page about the code.
    #[serde(default)]
    pub url: String,
}

/// A second place of a [`DiagnosticRecord`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Label {
    /// The path of the file.
    pub file: String,
    /// The range of the place in the text.
    pub range: Range,
    /// A description of the place.
    pub message: String,
}

/// Edits that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fix {
    /// A description of the edits.
    pub title: String,
    /// The reliability of the fix: `safe`, `unsafe`, or `display-only`.
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
    /// The range that is replaced.
    pub range: Range,
    /// The replacement.
    pub text: String,
}
