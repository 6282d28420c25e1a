//! A client in a test: it sends requests and reads the answers.

use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, Read as _, Write as _};
use std::thread::JoinHandle;

use pcl_server::mcp::{Directories, serve};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::environment::{environment, folder, write};

/// The project file, at whose directory the schemas of all programs lie.
const PROJECT: &str = "name: test\nruntime: pcl\n";

/// A client with a server of its own.
pub struct Client {
    writer: Option<PipeWriter>,
    answers: BufReader<PipeReader>,
    server: Option<JoinHandle<bool>>,
    next: i64,
    /// The directory of the server.
    pub folder: TempDir,
}

impl Client {
    /// A client of a server that reads a project without a program, with the schema of `zoo`.
    pub fn start() -> Self {
        let folder = folder();
        write(&folder, "Pulumi.yaml", PROJECT);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let (answers, sink) = std::io::pipe().expect("a pipe");
        let directories = Directories::new(&[folder.path().to_path_buf()]);
        let directories = directories.expect("the directory can be read");
        let server = std::thread::spawn(move || {
            serve(BufReader::new(reader), sink, environment(), directories).is_ok()
        });
        Self {
            writer: Some(writer),
            answers: BufReader::new(answers),
            server: Some(server),
            next: 0,
            folder,
        }
    }

    /// A client that has initialized its server.
    pub fn new() -> Self {
        let mut client = Self::start();
        client.initialize("2025-06-18");
        client
    }

    /// Begins the session and returns what the server says about itself.
    pub fn initialize(&mut self, version: &str) -> Value {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let result = self.request("initialize", params).expect("it starts");
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        result
    }

    /// Writes a file into the directory.
    pub fn write(&self, name: &str, text: &str) {
        write(&self.folder, name, text);
    }

    /// Sends a request and waits for its response.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send_request(method, params);
        let message = self.receive();
        assert_eq!(message["id"], id, "{message}");
        match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].clone()),
        }
    }

    /// Sends a request and returns its number.
    pub fn send_request(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Calls a tool. A structured result is returned as it is, a text as a string; the error is the
    /// message of a result that is one.
    pub fn call(&mut self, name: &str, arguments: Value) -> Result<Value, String> {
        let params = json!({ "name": name, "arguments": arguments });
        let result = self.request("tools/call", params);
        let result = result.unwrap_or_else(|error| panic!("{name}: {error}"));
        let content = result["content"].as_array().expect("a list");
        assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")));
        let text = content[0]["text"].as_str().expect("a text");
        if result["isError"] == true {
            assert_eq!(result.get("structuredContent"), None);
            return Err(text.to_owned());
        }
        Ok(match result.get("structuredContent") {
            None => json!(text),
            Some(value) => {
                let same: Value = serde_json::from_str(text).expect("the text is JSON");
                assert_eq!(&same, value);
                value.clone()
            }
        })
    }

    /// The error of a request that the server refuses to pass to a tool.
    pub fn refused(&mut self, params: Value) -> (i64, String) {
        let error = self.request("tools/call", params).expect_err("an error");
        let message = error["message"].as_str().expect("a message").to_owned();
        (error["code"].as_i64().expect("a code"), message)
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.send_line(message.to_string().as_bytes());
    }

    /// Sends the bytes of a line.
    pub fn send_line(&mut self, line: &[u8]) {
        let writer = self.writer.as_mut().expect("the stream is open");
        writer.write_all(line).expect("the server reads");
        writer.write_all(b"\n").expect("the server reads");
    }

    /// The next message of the server.
    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("a line");
        let message: Value = serde_json::from_str(&line).expect("a line is JSON");
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    /// Closes the stream. Returns the remaining messages of the server, which ends without an
    /// error.
    pub fn close(&mut self) -> Vec<Value> {
        self.writer = None;
        let lines = self.answers.by_ref().lines();
        let lines = lines.map(|line| serde_json::from_str(&line.expect("a line")));
        let rest = lines.collect::<Result<_, _>>().expect("lines are JSON");
        let server = self.server.take().expect("it runs");
        assert!(server.join().expect("it does not panic"));
        rest
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if self.server.is_some() && !std::thread::panicking() {
            assert_eq!(self.close(), Vec::<Value>::new());
        }
    }
}
