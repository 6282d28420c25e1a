//! The editor: what it can do, what it shows, and the messages to it.

use std::collections::HashMap;
use std::sync::mpsc::Sender;

use lsp_types::{Notification, Request};
use pcl::diagnostics::Encoding;
use pcl_ide::InlayHints;
use serde_json::{Value, json};

use crate::message::{Id, Message};

/// The features of an editor that change what the server sends.
#[derive(Clone, Debug)]
pub struct Features {
    /// The unit of columns.
    pub encoding: Encoding,
    /// It asks for diagnostics, so that none are pushed.
    pub pulls_diagnostics: bool,
    /// It asks again for diagnostics when it is told to.
    pub refreshes_diagnostics: bool,
    /// It asks again for inlay hints when it is told to.
    pub refreshes_inlay_hints: bool,
    /// It asks again for semantic tokens when it is told to.
    pub refreshes_tokens: bool,
    /// It asks again for code lenses when it is told to.
    pub refreshes_lenses: bool,
    /// It takes semantic tokens that are longer than a line.
    pub multiline_tokens: bool,
    /// It shows the progress of the server's own work.
    pub shows_progress: bool,
    /// It answers `workspace/configuration`.
    pub has_configuration: bool,
    /// It watches files on request.
    pub watches_files: bool,
    /// It sends further documents on request.
    pub sends_documents: bool,
    /// It understands snippets in completions.
    pub snippets: bool,
    /// It has nested document symbols.
    pub nested_symbols: bool,
    /// It shows links with the range that was clicked.
    pub definition_links: bool,
    /// It applies edits to several versions of documents, in order.
    pub document_changes: bool,
    /// It asks for the details of completions and actions when it shows them.
    pub resolves_edits: bool,
    /// It folds whole lines only.
    pub folds_lines_only: bool,
}

impl Features {
    /// Reads the capabilities of an editor. One that it does not name, it does not have.
    #[must_use]
    pub fn new(capabilities: &Value) -> Self {
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
        let item = "/textDocument/completion/completionItem";
        Self {
            encoding,
            pulls_diagnostics: exists("/textDocument/diagnostic"),
            refreshes_diagnostics: has("/workspace/diagnostics/refreshSupport"),
            refreshes_inlay_hints: has("/workspace/inlayHint/refreshSupport"),
            refreshes_tokens: has("/workspace/semanticTokens/refreshSupport"),
            refreshes_lenses: has("/workspace/codeLens/refreshSupport"),
            multiline_tokens: has("/textDocument/semanticTokens/multilineTokenSupport"),
            shows_progress: has("/window/workDoneProgress"),
            has_configuration: has("/workspace/configuration"),
            watches_files: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            sends_documents: has("/textDocument/synchronization/dynamicRegistration"),
            snippets: has(&format!("{item}/snippetSupport")),
            nested_symbols: has("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            definition_links: has("/textDocument/definition/linkSupport"),
            document_changes: has("/workspace/workspaceEdit/documentChanges"),
            resolves_edits: exists("/textDocument/codeAction/resolveSupport"),
            folds_lines_only: has("/textDocument/foldingRange/lineFoldingOnly"),
        }
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::new(&Value::Null)
    }
}

/// A request of the server whose answer changes something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// The settings of the editor.
    Configuration,
}

/// The editor, as the server sends to it.
pub struct Client {
    sender: Sender<Option<Message>>,
    next: i64,
    asked: HashMap<Id, Asked>,
}

impl Client {
    /// An editor that takes messages from a channel; `None` is the end.
    #[must_use]
    pub fn new(sender: Sender<Option<Message>>) -> Self {
        Self { sender, next: 0, asked: HashMap::new() }
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

    /// Sends a request. Its answer counts if it is `asked` for.
    pub fn request<R: Request>(&mut self, params: R::Params, asked: Option<Asked>) {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.next += 1;
        let id = Id::Text(format!("pcl-{}", self.next));
        if let Some(asked) = asked {
            self.asked.insert(id.clone(), asked);
        }
        self.send(Message::request(id, R::METHOD.as_str(), params));
    }

    /// The question that a response answers.
    pub fn answered(&mut self, id: &Id) -> Option<Asked> {
        self.asked.remove(id)
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
    #[must_use]
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
