//! `hover`: what is at a place in a program.

use std::path::Path;

use pcl::diagnostics::FileId;
use pcl_ide::Analysis;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::mcp::context::Context;
use crate::mcp::program::{Program, Source, arguments};
use crate::mcp::tool::{Content, Outcome, Tool, published};
use crate::query::{self, Ask};

/// The tool.
pub struct Hover;

#[derive(Deserialize)]
pub struct Arguments {
    #[serde(flatten)]
    source: Source,
    file: Option<String>,
    line: u32,
    column: u32,
}

impl Tool for Hover {
    const NAME: &'static str = "hover";
    const TITLE: &'static str = "Explanation of a place";
    const DESCRIPTION: &'static str = "Explains what is at a place in a PCL program: the type of \
        the expression, the documentation of the input, resource or function, and where the name \
        is declared. `answer` is null if there is nothing to explain.";
    type Arguments = Arguments;

    fn input() -> Value {
        input()
    }

    fn output() -> Option<Value> {
        Some(published(include_str!("../../../formats/query.schema.json")))
    }

    fn call(context: &Context<'_>, arguments: Arguments) -> Outcome {
        ask(context, &arguments, "hover", query::hover)
    }
}

/// The schema of the arguments of a question about a place.
pub(super) fn input() -> Value {
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

/// Asks a question about a place.
pub(super) fn ask(
    context: &Context<'_>,
    arguments: &Arguments,
    question: &str,
    ask: Ask,
) -> Outcome {
    let program = arguments.source.program(context)?;
    let mut analysis = Analysis::new(program.check(context)?);
    let file = file(&analysis, &program, arguments.file.as_deref())?;
    let sources = &analysis.checked.sources;
    let offset = query::offset_of(sources, file, arguments.line, arguments.column)?;
    let answer = ask(&mut analysis, file, offset);
    let document = query::document(question, &analysis, file, offset, answer.as_ref());
    Ok(Content::Structured(document))
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
