//! A tool: what it tells clients about itself, and what it does.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::context::Context;

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
pub trait Tool {
    /// The name.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// The description for models.
    const DESCRIPTION: &'static str;
    /// The arguments.
    type Arguments: DeserializeOwned;

    /// The JSON schema of the arguments.
    fn input() -> Value;

    /// The JSON schema of a structured result; `None` if the result is a text.
    fn output() -> Option<Value> {
        None
    }

    /// Does the work.
    fn call(context: &Context<'_>, arguments: Self::Arguments) -> Outcome;
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
