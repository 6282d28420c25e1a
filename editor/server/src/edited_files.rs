//! The schemas and configuration files that are open in the editor, whose texts count instead of
//! the files on disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem};
use pcl::diagnostics::{Encoding, LineIndex};
use pcl::schema::EditedSchemas as Texts;

use crate::convert;
use crate::uri;

/// The patterns of these documents, for editors that send them on request.
pub const PATTERNS: [&str; 3] =
    ["**/schemas/*.{json,yaml,yml}", "**/pcl.toml", "**/Pulumi.{yaml,yml}"];

/// Returns true if a path is one of a file that may configure programs.
#[must_use]
pub fn is_configuration(path: &str) -> bool {
    let name = Path::new(path).file_name();
    ["pcl.toml", "Pulumi.yaml", "Pulumi.yml"]
        .iter()
        .any(|known| name.is_some_and(|name| name == *known))
}

/// Returns true if a path is one of a file that can be a schema.
#[must_use]
pub fn is_schema(path: &str) -> bool {
    let extension = Path::new(path).extension();
    extension.is_some_and(|it| ["json", "yaml", "yml"].iter().any(|known| it == *known))
}

/// The open files of one kind.
#[derive(Default)]
pub struct EditedFiles {
    paths: HashMap<String, PathBuf>,
    texts: Arc<Texts>,
}

impl EditedFiles {
    /// Adds a document.
    pub fn open(&mut self, item: TextDocumentItem) {
        if let Some(path) = uri::to_path(&item.uri.0).map(PathBuf::from) {
            Arc::make_mut(&mut self.texts).insert(path.clone(), item.text.into());
            self.paths.insert(item.uri.0, path);
        }
    }

    /// Returns true if a document is one of the open files.
    #[must_use]
    pub fn contains(&self, uri: &str) -> bool {
        self.paths.contains_key(uri)
    }

    /// Applies changes to a document, each to the text after the one before.
    pub fn change(
        &mut self,
        uri: &str,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        let texts = Arc::make_mut(&mut self.texts);
        let Some(text) = self.paths.get(uri).and_then(|path| texts.get_mut(path)) else {
            return;
        };
        for change in changes {
            *text = changed(text, change, encoding);
        }
    }

    /// Removes a document: its text on disk counts again. Returns false if it is not one of the
    /// open files.
    pub fn close(&mut self, uri: &str) -> bool {
        let path = self.paths.remove(uri);
        path.is_some_and(|path| Arc::make_mut(&mut self.texts).remove(&path).is_some())
    }

    /// The texts by path.
    #[must_use]
    pub fn texts(&self) -> &Arc<Texts> {
        &self.texts
    }
}

/// The text after a change.
fn changed(text: &str, change: TextDocumentContentChangeEvent, encoding: Encoding) -> Arc<str> {
    let change = match change {
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => change,
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
            return whole.text.into();
        }
    };
    let range = convert::to_text_range(&LineIndex::new(text), text, change.range, encoding);
    let before = text.get(..range.start() as usize).unwrap_or_default();
    let after = text.get(range.end() as usize..).unwrap_or_default();
    [before, &change.text, after].concat().into()
}
