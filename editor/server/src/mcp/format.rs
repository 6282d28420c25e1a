//! `format`: the canonical layout of a text.

use pcl::binder::OpenFiles;
use pcl::diagnostics::{Diagnostic, SourceMap};
use pcl::render::{Look, Report};
use pcl::{Target, format};
use serde::Deserialize;
use serde_json::{Value, json};

use super::directories::Context;
use super::tool::{Content, MAX_TEXT, Outcome, Tool, published};

/// The number of syntax errors in a result.
const MAX_ERRORS: usize = 50;

/// The tool `format`.
pub(super) const FORMAT: Tool = Tool {
    name: "format",
    title: "Format PCL",
    description: "Lays out the text of a PCL file in the canonical way. Returns the new text. A \
        text with syntax errors stays as it is, and the errors are returned.",
    input,
    output: Some(output),
    call: |context, arguments| Ok(call(context, serde_json::from_value(arguments)?)),
};

#[derive(Deserialize)]
pub struct Arguments {
    text: String,
}

fn input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "description": "The text of a `.pp` file." },
        },
        "required": ["text"],
    })
}

fn output() -> Value {
    let check = published(include_str!("../../formats/check.schema.json"));
    json!({
        "type": "object",
        "required": ["text", "changed", "diagnostics"],
        "properties": {
            "text": { "type": "string", "description": "The text in the canonical layout." },
            "changed": {
                "type": "boolean",
                "description": "True if it differs from the old text.",
            },
            "diagnostics": {
                "description": "The first syntax errors. If there are any, the text is the \
                    old one.",
                "type": "array",
                "items": { "$ref": "#/$defs/diagnostic" },
            },
        },
        "$defs": check.get("$defs"),
    })
}

fn call(_: &Context<'_>, Arguments { text }: Arguments) -> Outcome {
    if text.len() > MAX_TEXT {
        return Err(format!("the text has more than {MAX_TEXT} bytes"));
    }
    let mut map = SourceMap::new();
    let target = Target::text("main.pp", text.as_str());
    let (sources, _) = target.read(&OpenFiles::default(), &mut map);
    let source = sources.files.first().ok_or("there is no text")?;
    let (new, errors) = match format::format(&source.tree) {
        Some(new) => (new, Vec::new()),
        None => {
            let errors = source.tree.errors().iter().take(MAX_ERRORS);
            let errors = errors.map(|error| error.to_diagnostic(source.file, &source.tree));
            (text.clone(), errors.collect())
        }
    };
    Ok(Content::Structured(json!({
        "changed": new != text,
        "text": new,
        "diagnostics": records(map, errors),
    })))
}

/// Diagnostics in the form of `check`.
fn records(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> Value {
    let report = Report::new("main.pp", sources, diagnostics);
    let bytes = pcl::render::Format::Json.render(&report, Look::default());
    let mut document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let records = document.pointer_mut("/programs/0/diagnostics");
    records.map(Value::take).unwrap_or_else(|| json!([]))
}
