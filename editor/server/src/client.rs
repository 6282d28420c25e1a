//! The editor: what it can do, what it shows, and the messages to it.

use std::collections::HashSet;
use std::sync::mpsc::Sender;

use lsp_types::Notification;
use pcl::diagnostics::Encoding;
use pcl_ide::InlayHints;
use serde::Serialize;
use serde_json::{Value, json};

use crate::message::{Id, Message};

/// The names of what an editor may ask for again, and the requests that tell it to do so.
const REFRESHES: [(&str, &str); 4] = [
    ("diagnostics", "workspace/diagnostic/refresh"),
    ("inlayHint", "workspace/inlayHint/refresh"),
    ("codeLens", "workspace/codeLens/refresh"),
    ("semanticTokens", "workspace/semanticTokens/refresh"),
];

/// The features of an editor that change what the server sends.
#[derive(Clone, Debug)]
pub struct Features {
    /// The unit of columns.
    pub encoding: Encoding,
    /// It asks for diagnostics, so that none are pushed.
    pub pulls_diagnostics: bool,
    /// The requests that let it ask again for what it shows.
    pub refreshes: Vec<&'static str>,
    /// It takes semantic tokens that are longer than a line.
    pub multiline_tokens: bool,
    /// It shows the progress of the server's own work.
    pub shows_progress: bool,
    /// It answers `workspace/configuration`.
    pub has_configuration: bool,
    /// It watches files on request.
    pub watches_files: bool,
    /// It watches files outside of the opened folders, too.
    pub watches_relative: bool,
    /// It sends further documents on request.
    pub sends_documents: bool,
    /// It asks for completions in further documents on request.
    pub completes_documents: bool,
    /// It asks for explanations in further documents on request.
    pub explains_documents: bool,
    /// It understands snippets in completions.
    pub snippets: bool,
    /// It has nested document symbols.
    pub nested_symbols: bool,
    /// It shows links with the range that was clicked.
    pub definition_links: bool,
    /// It applies edits to several versions of documents, in order.
    pub document_changes: bool,
    /// It makes files for edits.
    pub creates_files: bool,
    /// It shows what edits are for, and lets its user choose.
    pub annotates_edits: bool,
    /// It asks for the details of completions and actions when it shows them.
    pub resolves_edits: bool,
    /// It folds whole lines only.
    pub folds_lines_only: bool,
    /// It shows documents that the server writes, such as members of schemas.
    pub shows_schemas: bool,
}

impl Features {
    /// Reads the capabilities of an editor, and the options of its extension, which may know our
    /// requests. What they do not name, it does not have.
    pub fn new(capabilities: &Value, options: &Value) -> Self {
        let has = |path: &str| capabilities.pointer(path) == Some(&Value::Bool(true));
        let exists = |path: &str| capabilities.pointer(path).is_some_and(Value::is_object);
        let encodings = capabilities.pointer("/general/positionEncodings");
        let encodings = encodings.and_then(Value::as_array).into_iter().flatten();
        let encodings: Vec<&str> = encodings.filter_map(Value::as_str).collect();
        // Bytes need no conversion.
        let encoding = if encodings.contains(&"utf-8") {
            Encoding::Utf8
        } else if encodings.contains(&"utf-32") && !encodings.contains(&"utf-16") {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        };
        let refreshes = REFRESHES.into_iter().filter_map(|(name, method)| {
            has(&format!("/workspace/{name}/refreshSupport")).then_some(method)
        });
        let item = "/textDocument/completion/completionItem";
        Self {
            encoding,
            pulls_diagnostics: exists("/textDocument/diagnostic"),
            refreshes: refreshes.collect(),
            multiline_tokens: has("/textDocument/semanticTokens/multilineTokenSupport"),
            shows_progress: has("/window/workDoneProgress"),
            has_configuration: has("/workspace/configuration"),
            watches_files: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            watches_relative: has("/workspace/didChangeWatchedFiles/relativePatternSupport"),
            sends_documents: has("/textDocument/synchronization/dynamicRegistration"),
            completes_documents: has("/textDocument/completion/dynamicRegistration"),
            explains_documents: has("/textDocument/hover/dynamicRegistration"),
            snippets: has(&format!("{item}/snippetSupport")),
            nested_symbols: has("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            definition_links: has("/textDocument/definition/linkSupport"),
            document_changes: has("/workspace/workspaceEdit/documentChanges"),
            creates_files: capabilities
                .pointer("/workspace/workspaceEdit/resourceOperations")
                .and_then(Value::as_array)
                .is_some_and(|all| all.iter().any(|it| it == "create")),
            annotates_edits: capabilities
                .pointer("/workspace/workspaceEdit/changeAnnotationSupport")
                .is_some_and(Value::is_object),
            resolves_edits: exists("/textDocument/codeAction/resolveSupport"),
            folds_lines_only: has("/textDocument/foldingRange/lineFoldingOnly"),
            shows_schemas: exists("/workspace/textDocumentContent")
                || options.get("schemaDocument") == Some(&Value::Bool(true)),
        }
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::new(&Value::Null, &Value::Null)
    }
}

/// The editor, as the server sends to it.
#[derive(Clone)]
pub struct Client {
    sender: Sender<Option<Message>>,
    next: i64,
    /// The requests for the settings of the editor.
    pub asked: HashSet<Id>,
}

impl Client {
    /// An editor that takes messages from a channel; `None` is the end.
    pub fn new(sender: Sender<Option<Message>>) -> Self {
        Self { sender, next: 0, asked: HashSet::new() }
    }

    /// Sends a message. One to an editor that is gone is lost.
    pub fn send(&self, message: Message) {
        let _ = self.sender.send(Some(message));
    }

    /// Sends a notification.
    pub fn notify<N: Notification>(&self, params: N::Params) {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(Message::notification(N::METHOD.as_str(), params));
    }

    /// Sends a request and returns its identity.
    pub fn request(&mut self, method: &str, params: impl Serialize) -> Id {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.next += 1;
        let id = Id::Text(format!("pcl-{}", self.next));
        self.send(Message::request(id.clone(), method, params));
        id
    }

    /// Writes to the editor's log. `kind` is 1 for errors, 2 for warnings, 3 for information and 4
    /// for the rest.
    pub fn log(&self, kind: u8, message: &str) {
        let params = json!({ "type": kind, "message": message });
        self.send(Message::notification("window/logMessage", params));
    }

    /// Shows a message to the user. `kind` is as for [`Client::log`].
    pub fn show(&self, kind: u8, message: &str) {
        let params = json!({ "type": kind, "message": message });
        self.send(Message::notification("window/showMessage", params));
    }
}

/// The settings of the editor about what it shows; those about programs are the configuration's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// `pcl.inlayHints.types` and `pcl.inlayHints.parameterNames`.
    pub hints: InlayHints,
    /// `pcl.codeLens`.
    pub lenses: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { hints: InlayHints { types: true, parameter_names: true }, lenses: false }
    }
}

impl Look {
    /// Reads the settings of the section `pcl`. One that is absent has its default.
    pub fn new(settings: &Value) -> Self {
        let switch = |path: &str, default: bool| {
            let value = settings.pointer(path).and_then(Value::as_bool);
            value.unwrap_or(default)
        };
        let Self { hints, lenses } = Self::default();
        Self {
            hints: InlayHints {
                types: switch("/inlayHints/types", hints.types),
                parameter_names: switch("/inlayHints/parameterNames", hints.parameter_names),
            },
            lenses: switch("/codeLens", lenses),
        }
    }
}
