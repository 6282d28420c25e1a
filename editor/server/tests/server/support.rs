//! An editor in a test: it sends requests and waits for the answers.

use std::collections::VecDeque;
use std::io::{BufReader, PipeWriter, Write as _};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use pcl_server::{Environment, serve};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::environment::{environment, folder, write};

/// The time after which a test gives up, far beyond what any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The place of the cursor in the texts of tests.
pub const CURSOR: char = '▮';

/// An editor with a server of its own.
pub struct Editor {
    writer: Option<PipeWriter>,
    messages: Receiver<Value>,
    /// The messages that came while a response was waited for.
    others: VecDeque<Value>,
    server: Option<JoinHandle<bool>>,
    next: i64,
    /// The opened folder.
    pub folder: TempDir,
}

/// The capabilities of a current editor that asks for diagnostics.
pub fn capabilities() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": {
            "diagnostic": { "relatedDocumentSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "definition": { "linkSupport": true },
            "completion": {
                "completionItem": {
                    "snippetSupport": true,
                    "labelDetailsSupport": true,
                    "documentationFormat": ["markdown", "plaintext"],
                },
            },
            "codeAction": {
                "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } },
                "resolveSupport": { "properties": ["edit"] },
            },
        },
        "workspace": {
            "textDocumentContent": {},
            "workspaceEdit": { "documentChanges": true },
        },
    })
}

impl Editor {
    /// An editor with these capabilities, initialized, with an empty folder open.
    pub fn new(capabilities: Value) -> Self {
        Self::new_in(environment, capabilities)
    }

    /// [`Editor::new`] with a server that is started in this way.
    pub fn new_in(
        environment: impl FnOnce() -> Environment<'static> + Send + 'static,
        capabilities: Value,
    ) -> Self {
        Self::start_in(environment, folder()).initialized(capabilities, Value::Null)
    }

    /// [`Editor::new`] whose extension sends these options.
    pub fn new_with(capabilities: Value, options: Value) -> Self {
        Self::start(folder()).initialized(capabilities, options)
    }

    fn initialized(mut self, capabilities: Value, options: Value) -> Self {
        let root = self.uri("");
        let params = json!({
            "processId": null,
            "rootUri": root,
            "workspaceFolders": [{ "uri": root, "name": "test" }],
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        self.request("initialize", params).expect("it starts");
        self.notify("initialized", json!({}));
        self
    }

    /// An editor whose server is not initialized.
    pub fn start(folder: TempDir) -> Self {
        Self::start_in(environment, folder)
    }

    fn start_in(
        environment: impl FnOnce() -> Environment<'static> + Send + 'static,
        folder: TempDir,
    ) -> Self {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let (answers, sink) = std::io::pipe().expect("a pipe");
        let server = std::thread::spawn(move || {
            serve(BufReader::new(reader), sink, environment()).unwrap_or(false)
        });
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut answers = BufReader::new(answers);
            while let Some(message) = read(&mut answers) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            writer: Some(writer),
            messages,
            others: VecDeque::new(),
            server: Some(server),
            next: 0,
            folder,
        }
    }

    /// An editor with the capabilities of [`capabilities`] and one document, `main.pp`. Returns the
    /// place of the cursor as well, if the text marks one.
    pub fn with(text: &str) -> (Self, Value) {
        let mut editor = Self::new(capabilities());
        let position = editor.open("main.pp", text);
        (editor, position)
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The address of a file in the folder.
    pub fn uri(&self, name: &str) -> String {
        let path = self.path(name);
        format!("file://{}", path.to_string_lossy().trim_end_matches('/'))
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, text: &str) {
        write(&self.folder, name, text);
    }

    /// Opens a document and returns the place of its cursor, which is left out of the text.
    pub fn open(&mut self, name: &str, text: &str) -> Value {
        let (text, position) = without_cursor(text);
        let document = json!({
            "uri": self.uri(name), "languageId": "pcl", "version": 1, "text": text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        position
    }

    /// Replaces the text of a document.
    pub fn replace(&mut self, name: &str, version: i32, text: &str) {
        let params = json!({
            "textDocument": { "uri": self.uri(name), "version": version },
            "contentChanges": [{ "text": text }],
        });
        self.notify("textDocument/didChange", params);
    }

    /// The parameters of a request about a place in `main.pp`.
    pub fn at(&self, position: &Value) -> Value {
        json!({ "textDocument": { "uri": self.uri("main.pp") }, "position": position })
    }

    /// Sends a request and waits for its response.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send_request(method, params);
        self.response(id)
    }

    /// Sends a request and returns its number.
    pub fn send_request(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Waits for the response to a request.
    pub fn response(&mut self, id: i64) -> Result<Value, Value> {
        let message = self.wait(|message| message["id"] == id && message["method"].is_null());
        match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].clone()),
        }
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Waits for a notification or request of the server and returns its parameters.
    pub fn notified(&mut self, method: &str) -> Value {
        self.wait(|message| message["method"] == method)["params"].clone()
    }

    /// Waits for a message and keeps the others.
    pub fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.others.iter().position(&is_wanted) {
            return self.others.remove(at).expect("it is there");
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            if is_wanted(&message) {
                return message;
            }
            self.others.push_back(message);
        }
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.send_bytes(message.to_string().as_bytes());
    }

    /// Sends the bytes of a message.
    pub fn send_bytes(&mut self, body: &[u8]) {
        let writer = self.writer.as_mut().expect("the stream is open");
        write!(writer, "Content-Length: {}\r\n\r\n", body.len()).expect("the server reads");
        writer.write_all(body).expect("the server reads");
    }

    /// Ends the server. Returns whether it ended as the protocol wants it.
    pub fn exit(&mut self) -> bool {
        self.request("shutdown", Value::Null).is_ok() && self.leave()
    }

    /// Says `exit`. Returns whether the server ended as the protocol wants it.
    pub fn leave(&mut self) -> bool {
        self.notify("exit", Value::Null);
        let server = self.server.take().expect("it runs");
        server.join().expect("it does not panic")
    }

    /// Closes the stream without a word. Returns whether the server takes that for a clean end.
    pub fn hang_up(&mut self) -> bool {
        self.writer = None;
        self.join()
    }

    /// Waits for the end of a server that ends by itself. Returns whether that was a clean end.
    pub fn join(&mut self) -> bool {
        let server = self.server.take().expect("it runs");
        server.join().expect("it does not panic")
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if self.server.is_some() && !std::thread::panicking() {
            assert!(self.exit());
        }
    }
}

/// A text without the mark of the cursor, and the place of the mark in UTF-16 columns.
pub fn without_cursor(text: &str) -> (String, Value) {
    let Some((before, after)) = text.split_once(CURSOR) else {
        return (text.to_owned(), Value::Null);
    };
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap_or_default();
    let column = last.encode_utf16().count();
    let position = json!({ "line": line, "character": column });
    (format!("{before}{after}"), position)
}

/// Reads a message; `None` at the end of the stream.
fn read(stream: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
