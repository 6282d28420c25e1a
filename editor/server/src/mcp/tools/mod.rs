//! The table of tools.

mod check;
mod complete;
mod explain;
mod fix;
mod format;
mod hover;
mod schema;

use serde_json::{Value, json};

use super::context::Context;
use super::tool::{Outcome, Tool};
use crate::message::Failure;

/// The tools, in the order in which they are listed.
const TOOLS: [Entry; 8] = [
    Entry::of::<check::Check>(),
    Entry::of::<fix::Fix>(),
    Entry::of::<format::Format>(),
    Entry::of::<explain::Explain>(),
    Entry::of::<schema::Search>(),
    Entry::of::<schema::Show>(),
    Entry::of::<hover::Hover>(),
    Entry::of::<complete::Complete>(),
];

/// A row of the table.
pub struct Entry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input: fn() -> Value,
    output: fn() -> Option<Value>,
    call: fn(&Context<'_>, Value) -> Result<Outcome, serde_json::Error>,
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
    pub fn call(&self, context: &Context<'_>, arguments: Value) -> Result<Outcome, Failure> {
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
                return Err(invalid(format!("there is no `{argument}`, but {}", known.join(", "))));
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
