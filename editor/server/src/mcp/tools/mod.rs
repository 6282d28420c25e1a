//! The table of tools.

mod check;
mod explain;
mod fix;
mod format;
mod hover;
mod schema;

use std::path::Path;
use std::sync::Arc;

use pcl::schema::ChainLoader;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::directories::Directories;
use crate::message::Failure;
use crate::server::Environment;

/// The size of the largest text that a tool takes or returns, in bytes: far more than a model
/// reads.
pub const MAX_TEXT: usize = 1 << 20;

/// The things that tools work with.
pub struct Context<'e> {
    /// The settings of the command.
    pub environment: Environment<'e>,
    /// The directories that may be read.
    pub directories: Directories,
}

impl<'e> Context<'e> {
    /// A context of these parts.
    pub const fn new(environment: Environment<'e>, directories: Directories) -> Self {
        Self {
            environment,
            directories,
        }
    }

    /// The loader of schemas for programs in a directory, which a client names; for those in the
    /// first directory if it names none.
    ///
    /// # Errors
    /// Returns a message if the directory must not be read, or if its configuration is not valid.
    fn loader(&self, path: Option<&str>) -> Result<Arc<ChainLoader>, String> {
        let directory = match path {
            Some(path) => self.directories.resolve(path)?,
            None => self.directories.first().to_path_buf(),
        };
        let directory = match directory.is_dir() {
            true => &directory,
            false => directory.parent().unwrap_or(Path::new(".")),
        };
        let settings = self.settings(directory)?;
        Ok(settings.schemas.loader(Some(directory)))
    }
}

/// The result of a tool.
pub enum Content {
    /// A text, in Markdown where it has a structure.
    Text(String),
    /// An object of the form that the tool declares.
    Structured(Value),
}

/// A tool.
trait Tool {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// The description for models.
    const DESCRIPTION: &'static str;
    type Arguments: DeserializeOwned;

    /// The JSON schema of the arguments.
    fn input() -> Value;

    /// The JSON schema of a structured result; `None` if the result is a text.
    fn output() -> Option<Value> {
        None
    }

    /// Does the work. The error is a message for the model.
    fn call(context: &Context<'_>, arguments: Self::Arguments) -> Result<Content, String>;
}

/// The tools, in the order in which they are listed.
const TOOLS: [Entry; 7] = [
    Entry::of::<check::Check>(),
    Entry::of::<fix::Fix>(),
    Entry::of::<format::Format>(),
    Entry::of::<explain::Explain>(),
    Entry::of::<schema::Search>(),
    Entry::of::<schema::Show>(),
    Entry::of::<hover::Hover>(),
];

/// A row of the table.
pub struct Entry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input: fn() -> Value,
    output: fn() -> Option<Value>,
    call: fn(&Context<'_>, Value) -> Result<Result<Content, String>, serde_json::Error>,
}

impl Entry {
    const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            input: T::input,
            output: T::output,
            call: |context, arguments| {
                let arguments = serde_json::from_value(arguments)?;
                Ok(T::call(context, arguments))
            },
        }
    }

    /// Calls the tool. The inner error is a message for the model.
    ///
    /// # Errors
    /// Returns an error if the tool does not take these arguments.
    pub fn call(
        &self,
        context: &Context<'_>,
        arguments: Value,
    ) -> Result<Result<Content, String>, Failure> {
        let name = self.name;
        let invalid = |message: String| {
            let message = format!("the arguments of `{name}`: {message}");
            Failure::new(Failure::INVALID_PARAMS, message)
        };
        let input = (self.input)();
        let known = input.get("properties").and_then(Value::as_object);
        let given = arguments.as_object();
        let given = given.ok_or_else(|| invalid("they are no object".to_owned()))?;
        for (argument, _) in given {
            if known.is_some_and(|known| !known.contains_key(argument)) {
                let known: Vec<&str> = known.into_iter().flatten().map(|(it, _)| &**it).collect();
                return Err(invalid(format!(
                    "there is no `{argument}`, but {}",
                    known.join(", ")
                )));
            }
        }
        (self.call)(context, arguments).map_err(|error| invalid(error.to_string()))
    }

    fn describe(&self) -> Value {
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
        if let (Some(output), Some(tool)) = ((self.output)(), tool.as_object_mut()) {
            tool.insert("outputSchema".to_owned(), output);
        }
        tool
    }
}

/// The tool of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    const { &TOOLS }.iter().find(|tool| tool.name == name)
}

/// The answer to `tools/list`.
pub fn list() -> Value {
    let tools = TOOLS.iter().map(Entry::describe);
    json!({ "tools": tools.collect::<Vec<_>>() })
}

/// A published schema as that of a tool's result: an object, without the name of its dialect,
/// which not all clients know.
fn published(text: &str) -> Value {
    let mut schema: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
        schema.insert("type".to_owned(), "object".into());
    }
    schema
}

/// A text that is cut where it gets longer than a tool may return.
fn cut(mut text: String) -> String {
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
