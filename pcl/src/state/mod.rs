//! States of stacks: what `pulumi stack export` prints and backends keep, checked and shown.
//!
//! The format itself is in [`pcl_state`], which is re-exported here.
//!
//! ```
//! use pcl::render::Format;
//! use pcl::state::{CheckedState, tree_text};
//!
//! let text = r#"{ "version": 3, "deployment": { "resources": [
//!     { "urn": "urn:pulumi:dev::shop::zoo:index:Cage::lions", "custom": true, "id": "c-1",
//!       "type": "zoo:index:Cage" } ] } }"#;
//! let checked = CheckedState::of_text("state.json", text.as_bytes().to_vec());
//! assert!(checked.is_valid());
//! let state = checked.state.as_ref().unwrap();
//! assert_eq!(tree_text(state), "zoo:index:Cage  lions  c-1\n");
//! ```

mod documents;
mod graph;
mod show;
mod text;
mod tree;
mod values;

use std::path::Path;

use pcl_diagnostics::{FileId, SourceMap, SourceText};
pub use pcl_state::*;

use crate::render::Report;
pub use documents::{resource_json, resources_json};
pub use show::{Found, find, resource_text};
pub use tree::tree_text;

/// A state that was read and checked.
pub struct CheckedState {
    /// The diagnostics, in the order of the text, in which whatever may be secret is hidden.
    pub report: Report,
    /// The state; `None` if the file is not that of one.
    pub state: Option<State>,
}

crate::render::reported!(CheckedState);

impl CheckedState {
    /// Reads and checks a file.
    #[must_use]
    pub fn of_file(path: &Path) -> Self {
        let display = pcl_system::shown(path);
        let mut checked = match pcl_system::read(path, MAX_FILE_BYTES) {
            Ok(bytes) => Self::of_text(&display, bytes),
            Err(error) => Self::unreadable(&display, &error),
        };
        checked.on_disk = true;
        checked
    }

    /// Checks a text in memory: the bytes of a file, in UTF-8 or UTF-16, packed with gzip or not.
    /// Bytes that are not text are read as U+FFFD, as Pulumi reads them. Positions are those of the
    /// text in UTF-8, without a byte order mark.
    #[must_use]
    pub fn of_text(path: &str, bytes: Vec<u8>) -> Self {
        let text = match text::decoded(bytes) {
            Ok(text) => SourceText::from(text),
            Err(error) => return Self::unreadable(path, &error),
        };
        let mut sources = SourceMap::new();
        let file: FileId = sources.add(path, text.clone());
        let Read { state, diagnostics } = State::read(text.clone(), file);
        if !diagnostics.is_empty() {
            sources.replace(file, masked(&text, state.as_ref()));
        }
        Self { report: Report::new(path, sources, diagnostics), state }
    }

    fn unreadable(path: &str, error: &std::io::Error) -> Self {
        let help = "export the state with `pulumi stack export --file state.json`";
        Self { report: Report::unreadable(path, error, Some(help)), state: None }
    }

    /// Returns true if there is a state without errors.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.state.is_some() && self.report.is_valid()
    }
}
