//! A tool: what it tells clients about itself, and what it does.

use serde_json::{Value, json};

use super::directories::Context;
use crate::message::Failure;

/// The size of the largest text that a tool takes or returns, in bytes: far more than a model
/// reads.
pub const MAX_TEXT: usize = 1 << 20;

/// The size of what a tool returns unless the client asks for more, in bytes: what a model reads at
/// once without forgetting what it was about.
pub const USUAL_TEXT: usize = 8 << 10;

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

/// The schema of the argument `from` of tools that return a part of a text.
pub fn from() -> Value {
    json!({
        "type": "integer",
        "minimum": 0,
        "default": 0,
        "description": "The byte to begin at, which the end of a text that was cut names.",
    })
}

/// The part of a text that begins at a byte, up to the end of the last line that fits. A part that
/// is not the last one tells where the next one begins.
///
/// # Errors
/// Returns a message if the text ends before that byte.
pub fn part(text: &str, from: usize) -> Result<String, String> {
    let too_far = || format!("the text has {} bytes, so `from` is too large", text.len());
    let from = (0..=from).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    let rest = text.get(from..).filter(|rest| from == 0 || !rest.is_empty()).ok_or_else(too_far)?;
    if rest.len() <= USUAL_TEXT {
        return Ok(rest.to_owned());
    }
    let fits = (0..=USUAL_TEXT).rev().find(|&at| rest.is_char_boundary(at)).unwrap_or_default();
    let lines = rest.get(..fits).and_then(|start| start.rfind('\n')).map(|end| end + 1);
    let end = lines.unwrap_or(fits);
    let (shown, more) = (rest.get(..end).unwrap_or_default(), rest.len() - end);
    Ok(format!("{shown}\n... {more} more bytes: call it again with `from` = {}\n", from + end))
}
