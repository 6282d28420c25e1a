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

use pcl_diagnostics::Code;
use std::fmt::Display;
use std::path::Path;

use pcl_diagnostics::{Diagnostic, FileId, SourceMap, SourceText, Span, TextRange};
pub use pcl_state::*;

use crate::render::{Report, ReportSettings};
pub use documents::{resource_json, resources_json};
pub use show::{Found, find, resource_text};
pub use tree::tree_text;

/// A state that was read and checked.
pub struct CheckedState {
    /// The file as people named it.
    pub path: String,
    /// Its text. Whatever may be secret is hidden in it, so that reports do not show it.
    pub sources: SourceMap,
    /// The state; `None` if the file is not that of one.
    pub state: Option<State>,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Set unless the file could not be read.
    pub readable: bool,
    /// Set if the path is that of a file, unset if it only names a text in memory.
    pub on_disk: bool,
    /// The settings of the reports about it.
    pub settings: ReportSettings,
}

impl CheckedState {
    /// Reads and checks a file.
    #[must_use]
    pub fn of_file(path: &Path) -> Self {
        let display = pcl_system::shown(path);
        match pcl_system::read(path, MAX_FILE_BYTES) {
            Ok(bytes) => Self { on_disk: true, ..Self::of_text(&display, bytes) },
            Err(error) => Self { on_disk: true, ..Self::unreadable(&display, &error) },
        }
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
        Self {
            path: path.to_owned(),
            sources,
            state,
            diagnostics,
            readable: true,
            on_disk: false,
            settings: ReportSettings::default(),
        }
    }

    fn unreadable(path: &str, error: &std::io::Error) -> Self {
        let mut sources = SourceMap::new();
        let place = Span::new(sources.add(path, ""), TextRange::empty(0));
        Self {
            path: path.to_owned(),
            diagnostics: vec![unreadable_state(place, path, error)],
            sources,
            state: None,
            readable: false,
            on_disk: false,
            settings: ReportSettings::default(),
        }
    }

    /// Returns true if there is a state without errors.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.state.is_some() && !self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The diagnostics, for a renderer.
    #[must_use]
    pub fn report(&self) -> Report<'_> {
        Report {
            path: &self.path,
            sources: &self.sources,
            diagnostics: &self.diagnostics,
            on_disk: self.on_disk,
            settings: &self.settings,
        }
    }
}

/// The file of a state that cannot be read.
#[cfg(feature = "state")]
fn unreadable_state(span: Span, path: &str, error: &dyn Display) -> Diagnostic {
    let message = format!("cannot read `{path}`: {error}");
    Diagnostic::error(Code::UnreadableSource, span, message)
        .help("export the state with `pulumi stack export --file state.json`")
}
