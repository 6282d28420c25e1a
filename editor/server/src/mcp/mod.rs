//! The Model Context Protocol: what `pcl` knows, as tools and resources for agents.
//!
//! The way of a message: the inbox keeps a line until its turn; the session answers it and calls a
//! tool of the table, or reads one of the `resources`; a tool reads a `program` inside the
//! [`Directories`] of the server.
//!
//! Laws, beside those of the crate:
//! - No tool writes or executes anything, or uses the network unless the caller's settings say so.
//! - The paths in arguments, the files of the programs that are checked, and those that a program
//!   reads in a preview, lie inside the directories of the server, links followed.
//! - No secret is decrypted or shown.
//! - Every input and output has a limit; what is left out is counted.

mod check;
mod convert;
mod directories;
mod fix;
mod format;
mod page;
mod places;
mod plan;
mod preview;
mod program;
mod reference;
mod resources;
mod tool;

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::inbox::Inbox;
use crate::message::{Failure, Id, Json, Message};
use crate::server::Environment;
use crate::transport::{read_line, write_line};

use directories::Context;
pub use directories::Directories;
use tool::{Content, Outcome, Tool};

/// Serves one client until it closes the stream. Tools read programs in these directories.
///
/// # Errors
/// Returns the error of the stream if it cannot be read on.
pub fn serve(
    mut reader: impl BufRead + Send + 'static,
    writer: impl Write + Send,
    environment: Environment<'_>,
    directories: Directories,
) -> io::Result<()> {
    let inbox = Arc::new(Inbox::default());
    let read = inbox.listen(move || read_line(&mut reader), |_| {});
    let context = Context { environment, directories };
    let session = Session { inbox, writer, context, is_initialized: false };
    let is_heard = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(pcl::STACK_SIZE);
        let work = thread.spawn_scoped(scope, move || session.run())?;
        io::Result::Ok(work.join().unwrap_or(false))
    })?;
    if is_heard {
        read.join().unwrap_or(Ok(()))
    } else {
        // Nobody reads the answers, so nobody may close the stream either.
        Ok(())
    }
}

/// The tools, in the order in which they are listed.
static TOOLS: [Tool; 11] = [
    check::CHECK,
    fix::FIX,
    format::FORMAT,
    reference::EXPLAIN,
    reference::SEARCH,
    reference::SHOW,
    places::HOVER,
    places::COMPLETE,
    convert::CONVERT,
    preview::PREVIEW,
    plan::PLAN,
];

/// The versions of the protocol, the newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// The advice that clients give to their models.
const INSTRUCTIONS: &str = "Tools for programs in PCL, the Pulumi Configuration Language. After \
    each change of a program, call `check`, and repair what it reports; `fix` applies the safe \
    fixes. `explain` has a page about every diagnostic code, function, block, option and type. \
    `schema_search` and `schema_show` tell which resources a package has and which inputs they \
    take; do so before you write a resource. `preview` shows what a program without errors would \
    register, and `plan` what its deployment would do to a stack. The resource `pcl://tour` introduces the language, and `pcl://explain` lists what has \
    a page. The tools read files and never write them.";

/// The state of a session.
struct Session<'e, W> {
    inbox: Arc<Inbox>,
    writer: W,
    context: Context<'e>,
    is_initialized: bool,
}

impl<W: Write> Session<'_, W> {
    /// Answers requests until no more come. Returns false if the client does not take the answers.
    fn run(mut self) -> bool {
        let inbox = Arc::clone(&self.inbox);
        while let Some(received) = inbox.pop(|| false) {
            let response = match received {
                Err(malformed) => malformed.response(),
                Ok(message) => match (message.method, message.id) {
                    (Some(method), Some(id)) => match self.request(&method, id, message.params) {
                        Some(response) => response,
                        None => continue,
                    },
                    // The server asks for nothing, and a notification needs nothing done:
                    // `notifications/cancelled` has been heard by the inbox.
                    _ => continue,
                },
            };
            if write_line(&mut self.writer, &response).is_err() {
                return false;
            }
        }
        true
    }

    /// The response to a request; `None` if it was cancelled.
    fn request(&mut self, method: &str, id: Id, params: Option<Value>) -> Option<Message> {
        if self.inbox.is_finished(&id) {
            return None;
        }
        let params = params.unwrap_or_default();
        let answer = match (method, self.is_initialized) {
            ("ping", _) => Ok(json!({})),
            ("initialize", false) => self.initialize(&params),
            ("initialize", true) => {
                Err(Failure::new(Failure::INVALID_REQUEST, "the session is initialized already"))
            }
            (_, false) => Err(Failure::new(
                Failure::INVALID_REQUEST,
                "the first request has to be `initialize`",
            )),
            // All tools are on one page, so a cursor is of no use.
            ("tools/list", true) => {
                let tools: Vec<Value> = TOOLS.iter().map(Tool::describe).collect();
                Ok(json!({ "tools": tools }))
            }
            ("tools/call", true) => self.call(&params),
            ("resources/list", true) => resources::list(&params),
            ("resources/templates/list", true) => Ok(resources::templates()),
            ("resources/read", true) => resources::read(&params),
            (_, true) => Err(Failure::new(
                Failure::METHOD_NOT_FOUND,
                format!("there is no method `{method}`"),
            )),
        };
        let is_wanted = self.inbox.finish(&id);
        is_wanted.then(|| Message::response(id, answer.and_then(|answer| Json::of(&answer))))
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, Failure> {
        let wanted = params.get("protocolVersion").and_then(Value::as_str);
        let wanted =
            wanted.ok_or_else(|| Failure::invalid("the string `protocolVersion` is missing"))?;
        // A client that does not know the newest version ends the session.
        let same = VERSIONS.into_iter().find(|version| *version == wanted);
        self.is_initialized = true;
        Ok(json!({
            "protocolVersion": same.unwrap_or(VERSIONS[0]),
            "capabilities": {
                "resources": { "listChanged": false, "subscribe": false },
                "tools": { "listChanged": false },
            },
            "serverInfo": {
                "name": "pcl",
                "title": "PCL, the Pulumi Configuration Language",
                "version": env!("CARGO_PKG_VERSION"),
            },
            "instructions": INSTRUCTIONS,
        }))
    }

    /// Calls a tool. An error of the tool is a result that the model sees.
    fn call(&self, params: &Value) -> Result<Value, Failure> {
        let name = params.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| Failure::invalid("the string `name` is missing"))?;
        let tool = TOOLS.iter().find(|tool| tool.name == name);
        let tool = tool.ok_or_else(|| Failure::invalid(format!("unknown tool: {name}")))?;
        let arguments = match params.get("arguments") {
            None | Some(Value::Null) => json!({}),
            Some(arguments) => arguments.clone(),
        };
        result_of(name, || tool.call(&self.context, arguments))
    }
}

/// The result of the work of a tool. A panic is an error of the tool.
fn result_of(
    name: &str,
    work: impl FnOnce() -> Result<Outcome, Failure>,
) -> Result<Value, Failure> {
    // A tool keeps nothing from call to call that it could leave incomplete.
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Ok(Err(format!("pcl failed in the tool `{name}`, which is a bug in pcl")))
    })?;
    let (text, structured, is_error) = match done {
        Ok(Content::Text(text)) => (text, None, false),
        Ok(Content::Structured(value)) => (value.to_string(), Some(value), false),
        Err(message) => (message, None, true),
    };
    let mut result = json!({
        "content": [{ "type": "text", "text": text }],
        "isError": is_error,
    });
    if let (Some(value), Some(result)) = (structured, result.as_object_mut()) {
        result.insert("structuredContent".to_owned(), value);
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_tool() {
        let result = result_of("check", || panic!("a bug")).expect("a result");
        assert_eq!(result["isError"], true);
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert_eq!(text, "pcl failed in the tool `check`, which is a bug in pcl");
    }
}
