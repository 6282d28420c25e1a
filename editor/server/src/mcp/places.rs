//! `hover` and `complete`: what is at a place in a program, and what can be written there.

use std::path::Path;

use pcl::diagnostics::FileId;
use pcl_ide::{Analysis, FilePosition};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::check::add;
use super::directories::Context;
use super::program::{Program, Source, arguments};
use super::tool::{Content, MAX_TEXT, Outcome, Tool, USUAL_TEXT, published};
use crate::query::{self, Ask};

/// The tool `hover`.
pub(super) const HOVER: Tool = Tool {
    name: "hover",
    title: "Explanation of a place",
    description: "Explains what is at a place in a PCL program: the type of the expression, the \
        documentation of the input, resource or function, and where the name is declared. `answer` \
        is null if there is nothing to explain.",
    input,
    output: Some(output),
    call: |context, arguments| {
        let arguments = serde_json::from_value(arguments)?;
        Ok(ask(context, &arguments, "hover", query::hover))
    },
};

/// The tool `complete`.
pub(super) const COMPLETE: Tool = Tool {
    name: "complete",
    title: "Completions at a place",
    description: "Lists what can be written at a place in a PCL program, the best first: inputs, \
        options, tokens of resources, members, names and functions that fit. `answer` is null \
        where nothing can be completed, and `incomplete` is true if items are left out: type on, \
        or ask with a `limit`.",
    input: complete_input,
    output: Some(output),
    call: |context, arguments| {
        let arguments = serde_json::from_value(arguments)?;
        Ok(ask(context, &arguments, "complete", query::complete))
    },
};

#[derive(Deserialize)]
struct Arguments {
    #[serde(flatten)]
    source: Source,
    file: Option<String>,
    limit: Option<usize>,
    line: u32,
    column: u32,
}

fn output() -> Value {
    published(include_str!("../../formats/query.schema.json"))
}

/// The schema of the arguments of a question about a place.
fn input() -> Value {
    let properties = arguments(json!({
        "file": {
            "type": "string",
            "description": "The name of the file, if neither `path` names it nor the program has \
                only one.",
        },
        "line": { "type": "integer", "minimum": 1, "description": "The line, from 1." },
        "column": {
            "type": "integer",
            "minimum": 1,
            "description": "The column in Unicode characters, from 1.",
        },
    }));
    json!({ "type": "object", "properties": properties, "required": ["line", "column"] })
}

fn complete_input() -> Value {
    let mut input = input();
    if let Some(properties) = input.get_mut("properties") {
        let limit = json!({
            "type": "integer",
            "minimum": 1,
            "description": "The largest number of items; by default as many as fit in 8 kB.",
        });
        add(properties, json!({ "limit": limit }));
    }
    input
}

/// Asks a question about a place.
fn ask(context: &Context<'_>, arguments: &Arguments, question: &str, ask: Ask) -> Outcome {
    let program = arguments.source.program(context)?;
    let mut analysis = Analysis::new(program.check(context)?);
    let file = file(&analysis, &program, arguments.file.as_deref())?;
    let sources = &analysis.checked.sources;
    let at = FilePosition::of_line(sources, file, arguments.line, arguments.column)?;
    let answer = ask(&mut analysis, at);
    let mut document = query::document(question, &analysis, at, answer.as_ref());
    if let Some(Value::Object(answer)) = document.get_mut("answer") {
        shorten(answer, arguments.limit);
    }
    Ok(Content::Structured(document))
}

/// Leaves out the completions behind those that fit.
fn shorten(answer: &mut Map<String, Value>, limit: Option<usize>) {
    let Some(Value::Array(items)) = answer.get_mut("items") else { return };
    let mut size = 0;
    let most = if limit.is_some() { MAX_TEXT } else { USUAL_TEXT };
    let fitting = items.iter().take(limit.unwrap_or(usize::MAX)).take_while(|item| {
        size += item.to_string().len();
        size <= most
    });
    let kept = fitting.count();
    if kept < items.len() {
        items.truncate(kept);
        answer.insert("incomplete".to_owned(), true.into());
    }
}

/// The file of a program that a client means.
fn file(analysis: &Analysis, program: &Program, named: Option<&str>) -> Result<FileId, String> {
    let files = &analysis.checked.program.module.files[..];
    let path = |file: FileId| Path::new(analysis.checked.sources.path(file));
    let named = named.map(Path::new).or(program.file.as_deref());
    match (named, files) {
        (Some(named), _) => {
            let mut files = files.iter().copied();
            let file = files.find(|&file| path(file).file_name() == named.file_name());
            let missing = || format!("the program has no file `{}`", named.display());
            file.ok_or_else(missing)
        }
        (None, [only]) => Ok(*only),
        (None, []) => Err("the program has no files".to_owned()),
        (None, _) => {
            let paths = files.iter().map(|&file| format!("`{}`", path(file).display()));
            let paths: Vec<String> = paths.collect();
            Err(format!("`file` has to name one of {}", paths.join(", ")))
        }
    }
}
