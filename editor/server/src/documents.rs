//! The documents that are open in the editor: files of programs, schemas and configuration files.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent as Change, TextDocumentItem};
use pcl::binder::OpenFiles;
use pcl::diagnostics::{Encoding, FileId, LineIndex, Span, TextEdit};
use pcl::syntax::{self, SyntaxTree};

use crate::convert;

/// A document that is open in the editor.
pub struct Document {
    /// The path of its file; its address if it is not one of a file.
    pub path: String,
    /// Set if it has the address of a file, saved or not.
    pub is_file: bool,
    /// The version that the editor counts.
    pub version: i32,
    /// The tree of its text.
    pub tree: Arc<SyntaxTree>,
}

impl Document {
    /// Returns true if the document is one of the files of the program of its directory.
    pub fn is_program_file(&self) -> bool {
        self.is_file && self.path.ends_with(".pp")
    }
}

/// The open documents.
#[derive(Default)]
pub struct Documents {
    by_uri: HashMap<String, Document>,
    /// The addresses of the documents with a path: an address may be encoded in several ways.
    by_path: HashMap<String, BTreeSet<String>>,
    files: Arc<OpenFiles>,
}

impl Documents {
    /// Adds a document.
    pub fn open(&mut self, item: TextDocumentItem) {
        let uri = item.uri.0;
        let path = convert::to_path(&uri);
        let document = Document {
            is_file: path.is_some(),
            path: path.unwrap_or_else(|| uri.clone()),
            version: item.version,
            tree: Arc::new(syntax::parse(item.text)),
        };
        let files = Arc::make_mut(&mut self.files);
        files.insert(&*document.path, Arc::clone(&document.tree));
        let uris = self.by_path.entry(document.path.clone()).or_default();
        uris.insert(uri.clone());
        self.by_uri.insert(uri, document);
    }

    /// Applies changes to a document, each to the text after the one before. Returns false if it is
    /// not open.
    pub fn change(
        &mut self,
        uri: &str,
        version: i32,
        changes: Vec<Change>,
        encoding: Encoding,
    ) -> bool {
        let Some(document) = self.by_uri.get_mut(uri) else { return false };
        document.version = version;
        for change in changes {
            document.tree = Arc::new(changed(&document.tree, change, encoding));
        }
        let files = Arc::make_mut(&mut self.files);
        files.insert(&*document.path, Arc::clone(&document.tree));
        true
    }

    /// Removes a document: the text of another one with its path counts, or the one on disk.
    pub fn close(&mut self, uri: &str) -> Option<Document> {
        let document = self.by_uri.remove(uri)?;
        let uris = self.by_path.get_mut(&document.path);
        let other = uris.and_then(|uris| {
            uris.remove(uri);
            uris.first()
        });
        let files = Arc::make_mut(&mut self.files);
        match other.and_then(|uri| self.by_uri.get(uri)) {
            Some(other) => files.insert(&*other.path, Arc::clone(&other.tree)),
            None => {
                self.by_path.remove(&document.path);
                files.remove(&document.path);
            }
        }
        Some(document)
    }

    /// A document by its address.
    pub fn get(&self, uri: &str) -> Option<&Document> {
        self.by_uri.get(uri)
    }

    /// The document of a path.
    pub fn of_path(&self, path: &str) -> Option<&Document> {
        self.by_uri.get(self.by_path.get(path)?.first()?)
    }

    /// The documents with their addresses, unordered.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Document)> {
        self.by_uri.iter().map(|(uri, document)| (&**uri, document))
    }

    /// The address that the editor has for a path; the one of an open document if there is one.
    pub fn uri_of(&self, path: &str) -> String {
        let open = self.by_path.get(path).and_then(BTreeSet::first);
        open.map_or_else(|| convert::of_path(path), String::clone)
    }

    /// The texts that count instead of those on disk.
    pub fn files(&self) -> &Arc<OpenFiles> {
        &self.files
    }
}

/// The tree after a change.
fn changed(tree: &SyntaxTree, change: Change, encoding: Encoding) -> SyntaxTree {
    let change = match change {
        Change::TextDocumentContentChangePartial(change) => change,
        Change::TextDocumentContentChangeWholeDocument(whole) => return syntax::parse(whole.text),
    };
    let range = convert::to_text_range(tree.line_index(), tree.text(), change.range, encoding);
    let edit = TextEdit::replace(Span::new(FileId(0), range), change.text);
    // One edit whose range fits the text is always applied.
    let edited = tree.edit(std::slice::from_ref(&edit));
    edited.unwrap_or_else(|| syntax::parse(tree.text().to_string()))
}

/// The pattern of schemas, for editors that send them on request.
pub const SCHEMAS: &str = "**/schemas/*.{json,yaml,yml}";

/// The patterns of configuration files, for such editors.
pub const CONFIGURATIONS: [&str; 2] = ["**/{,*.}pcl.toml", "**/Pulumi.{yaml,yml}"];

/// Returns true if a path is one of a file that may configure programs.
pub fn is_configuration(path: &str) -> bool {
    Path::new(path).file_name().is_some_and(pcl::config::is_configuration)
}

/// Returns true if a path is one of a file that can be a schema.
pub fn is_schema(path: &str) -> bool {
    let extension = Path::new(path).extension();
    extension.is_some_and(|it| ["json", "yaml", "yml"].iter().any(|known| it == *known))
}

/// The text of a schema or configuration file after a change.
pub fn changed_text(text: &str, change: Change, encoding: Encoding) -> Arc<str> {
    let change = match change {
        Change::TextDocumentContentChangePartial(change) => change,
        Change::TextDocumentContentChangeWholeDocument(whole) => return whole.text.into(),
    };
    let range = convert::to_text_range(&LineIndex::new(text), text, change.range, encoding);
    let before = text.get(..range.start() as usize).unwrap_or_default();
    let after = text.get(range.end() as usize..).unwrap_or_default();
    [before, &change.text, after].concat().into()
}

#[cfg(test)]
mod tests {
    use lsp_types::{Position, Range, TextDocumentContentChangePartial, Uri};

    use super::*;

    fn opened(text: &str) -> Documents {
        let mut documents = Documents::default();
        documents.open(TextDocumentItem {
            uri: Uri("file:///p/main.pp".to_owned()),
            language_id: "pcl".to_owned().into(),
            version: 1,
            text: text.to_owned(),
        });
        documents
    }

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> Change {
        let position = |(line, character)| Position { line, character };
        #[expect(deprecated, reason = "the structure has the member")]
        let partial = TextDocumentContentChangePartial {
            range: Range { start: position(from), end: position(to) },
            range_length: None,
            text: text.to_owned(),
        };
        partial.into()
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let mut documents = opened("a = 1\nb = \"é𐍈\"\n");
        let changes = vec![
            change((0, 4), (0, 5), "22"),
            change((1, 6), (1, 8), "x"),
            change((2, 0), (2, 0), "c = 3\n"),
        ];
        let uri = "file:///p/main.pp";
        assert!(documents.change(uri, 2, changes, Encoding::Utf16));
        let document = documents.get(uri).expect("it is open");
        assert_eq!(&**document.tree.text(), "a = 22\nb = \"éx\"\nc = 3\n");
        assert_eq!(document.version, 2);
        assert!(documents.files().get("/p/main.pp").is_some());
        documents.close(uri);
        assert!(documents.files().get("/p/main.pp").is_none());
        assert!(!documents.change(uri, 3, Vec::new(), Encoding::Utf16));
    }

    #[test]
    fn a_path_has_an_address_while_a_document_has_it() {
        let mut documents = opened("a = 1\n");
        let other = "file:///p/m%61in.pp";
        documents.open(TextDocumentItem {
            uri: Uri(other.to_owned()),
            language_id: "pcl".to_owned().into(),
            version: 1,
            text: "b = 2\n".to_owned(),
        });
        documents.close("file:///p/main.pp");
        assert_eq!(documents.uri_of("/p/main.pp"), other);
        let text = |documents: &Documents| {
            let tree = documents.files().get("/p/main.pp")?;
            Some(tree.text().to_string())
        };
        assert_eq!(text(&documents).as_deref(), Some("b = 2\n"));
        documents.close(other);
        assert_eq!(documents.uri_of("/p/main.pp"), "file:///p/main.pp");
        assert!(documents.of_path("/p/main.pp").is_none() && text(&documents).is_none());
    }
}
