//! Documents as JSON, and back.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;

use super::{Document, FORMAT, FORMAT_VERSION};

/// The reason why JSON is not a document.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DocumentError {
    /// The text is not JSON, or is truncated, or a field is missing or of another type.
    Malformed {
        /// The line of the text, from 1.
        line: usize,
        /// The column in the line, from 1.
        column: usize,
        /// A description of the error.
        message: String,
    },
    /// The JSON is something else: perhaps `pcl dump bound` without `--full`.
    OtherFormat,
    /// The document is of a version that this reader does not know.
    OtherVersion {
        /// The version of the document.
        found: String,
    },
    /// A position leads nowhere, or an order is none.
    Inconsistent {
        /// The rule that does not hold.
        message: String,
    },
}

impl fmt::Display for DocumentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { line, column, message } => {
                write!(out, "line {line}, column {column}: {message}")
            }
            Self::OtherFormat => {
                out.write_str("this is no document as `pcl dump bound --full` writes it")
            }
            Self::OtherVersion { found } => write!(
                out,
                "the document has format version {found}; this reader knows {FORMAT_VERSION}: \
                 write it again, with `pcl dump bound --full` of the same version of `pcl`"
            ),
            Self::Inconsistent { message } => out.write_str(message),
        }
    }
}

impl std::error::Error for DocumentError {}

/// The fields that tell a document that this reader knows from other JSON.
#[derive(Deserialize)]
struct Header<'a> {
    format: Option<Cow<'a, str>>,
    format_version: Option<Cow<'a, str>>,
}

impl Header<'_> {
    fn check(&self) -> Result<(), DocumentError> {
        if self.format.as_deref() != Some(FORMAT) {
            return Err(DocumentError::OtherFormat);
        }
        let found = self.format_version.as_deref().unwrap_or_default();
        if major(found) == major(FORMAT_VERSION) {
            Ok(())
        } else {
            Err(DocumentError::OtherVersion { found: found.to_owned() })
        }
    }
}

impl Document {
    /// The document as JSON, on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        // No key is anything but a string, so that it can always be written.
        let mut out = serde_json::to_string(self).unwrap_or_default();
        out.push('\n');
        out
    }

    /// Reads the output of [`to_json`](Self::to_json) or `pcl dump bound --full --output-format
    /// json`.
    ///
    /// # Errors
    /// Returns an error if the JSON is anything else, of another version or truncated, or if a
    /// position in it leads nowhere.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// use pcl::document::{Document, DocumentError};
    ///
    /// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", "a = 1\n")).document();
    /// let json = document.to_json();
    /// assert_eq!(Document::from_json(&json).as_ref(), Ok(&document));
    /// let cut_off = Document::from_json(&json[..json.len() / 2]);
    /// assert!(matches!(cut_off, Err(DocumentError::Malformed { .. })));
    /// ```
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Self, DocumentError> {
        let json = json.as_ref();
        let document: Self = match serde_json::from_slice(json) {
            Ok(document) => document,
            Err(error) => {
                // Perhaps it is something else.
                let header = serde_json::from_slice::<Header<'_>>(json);
                header.map_err(malformed)?.check()?;
                return Err(malformed(error));
            }
        };
        let header = Header {
            format: Some((&document.format).into()),
            format_version: Some((&document.format_version).into()),
        };
        header.check()?;
        document.check()?;
        Ok(document)
    }
}

fn malformed(error: serde_json::Error) -> DocumentError {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    DocumentError::Malformed {
        line,
        column,
        message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
    }
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}
