//! A tool: what it tells clients about itself, and what it does.

use serde_json::{Value, json};

use super::directories::Context;
use crate::message::Failure;

/// The size of the largest text that a tool takes or returns, in bytes: far more than a model
/// reads.
pub const MAX_TEXT: usize = 1 << 20;

/// The result of a tool.
pub enum Content {
    /// A text, in Markdown where it has a structure.
    Text(String),
    /// An object of the form that the tool declares.
    Structured(Value),
}

/// The result of a tool, or a message for the model.
pub type Outcome = Result<Content, String>;

/// A tool.
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The description for models.
    pub description: &'static str,
    /// The JSON schema of the arguments.
    pub input: fn() -> Value,
    /// The JSON schema of a structured result; `None` if the result is a text.
    pub output: Option<fn() -> Value>,
    /// Does the work. The outer error is about arguments that the tool does not take.
    pub call: fn(&Context<'_>, Value) -> Result<Outcome, serde_json::Error>,
}

impl Tool {
    /// Calls the tool. The inner error is a message for the model.
    ///
    /// # Errors
    /// Returns an error if the tool does not take these arguments.
    pub fn call(&self, context: &Context<'_>, arguments: Value) -> Result<Outcome, Failure> {
        let name = self.name;
        let invalid = |message: String| {
            let message = format!("the arguments of `{name}`: {message}");
            Failure::invalid(message)
        };
        let input = (self.input)();
        let known = input.get("properties").and_then(Value::as_object);
        let given = arguments.as_object();
        let given = given.ok_or_else(|| invalid("they are no object".to_owned()))?;
        for (argument, _) in given {
            if known.is_some_and(|known| !known.contains_key(argument)) {
                let known: Vec<&str> = known.into_iter().flatten().map(|(it, _)| &**it).collect();
                return Err(invalid(format!("there is no `{argument}`, but {}", known.join(", "))));
            }
        }
        (self.call)(context, arguments).map_err(|error| invalid(error.to_string()))
    }

    /// The tool as clients see it.
    pub fn describe(&self) -> Value {
        let mut tool = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": (self.input)(),
            "annotations": {
                "title": self.title,
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false,
            },
        });
        if let (Some(output), Some(tool)) = (self.output, tool.as_object_mut()) {
            tool.insert("outputSchema".to_owned(), output());
        }
        tool
    }
}

/// A published schema as that of a tool's result: an object, without the name of its dialect,
/// which not all clients know.
pub fn published(text: &str) -> Value {
    let mut schema: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
        schema.insert("type".to_owned(), "object".into());
    }
    schema
}

/// A text that is cut where it gets longer than a tool may return.
pub fn cut(mut text: String) -> String {
    if text.len() > MAX_TEXT {
        let mut end = MAX_TEXT;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let more = text.len() - end;
        text.truncate(end);
        text.push_str(&format!("\n... and {more} more bytes"));
    }
    text
}
