//! `complete`: what can be written at a place in a program.

use serde_json::Value;

use super::hover::{Arguments, ask, input};
use crate::mcp::context::Context;
use crate::mcp::tool::{Outcome, Tool, published};
use crate::query;

/// The tool.
pub struct Complete;

impl Tool for Complete {
    const NAME: &'static str = "complete";
    const TITLE: &'static str = "Completions at a place";
    const DESCRIPTION: &'static str = "Lists what can be written at a place in a PCL program, the \
        best first: inputs, options, tokens of resources, members, names and functions that fit. \
        `answer` is null where nothing can be completed.";
    type Arguments = Arguments;

    fn input() -> Value {
        input()
    }

    fn output() -> Option<Value> {
        Some(published(include_str!("../../../formats/query.schema.json")))
    }

    fn call(context: &Context<'_>, arguments: Arguments) -> Outcome {
        ask(context, &arguments, "complete", query::complete)
    }
}
