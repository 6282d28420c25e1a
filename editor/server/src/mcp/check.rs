//! `check`: the diagnostics of a program.

use std::collections::BTreeMap;

use pcl::Checked;
use pcl::diagnostics::Code;
use pcl::render::Look;
use serde::Deserialize;
use serde_json::{Value, json};

use super::directories::Context;
use super::program::{Source, arguments};
use super::tool::{Content, MAX_TEXT, Outcome, Tool, USUAL_TEXT, published};

/// The number of diagnostics in a result, unless the client wants more or fewer.
const USUAL_LIMIT: usize = 50;

/// The tool `check`.
pub(super) const CHECK: Tool = Tool {
    name: "check",
    title: "Check a PCL program",
    description: "Checks a PCL program: syntax, names, types, and the inputs of its resources \
        against the schemas of their packages. Returns the diagnostics with their places and \
        fixes, and a page about each code. A program without errors has `valid: true`.",
    input,
    output: Some(output),
    call: |context, arguments| Ok(call(context, serde_json::from_value(arguments)?)),
};

#[derive(Deserialize)]
pub struct Arguments {
    #[serde(flatten)]
    source: Source,
    limit: Option<usize>,
    #[serde(default = "yes")]
    explanations: bool,
}

const fn yes() -> bool {
    true
}

/// The schema of the argument `limit`.
pub fn limit() -> Value {
    json!({
        "type": "integer",
        "minimum": 0,
        "default": USUAL_LIMIT,
        "description": "The largest number of diagnostics in the result; by default as many as fit \
            in 8 kB.",
    })
}

fn input() -> Value {
    let properties = arguments(json!({
        "limit": limit(),
        "explanations": {
            "type": "boolean",
            "default": true,
            "description": "Add the page about each code that occurs.",
        },
    }));
    json!({ "type": "object", "properties": properties })
}

fn output() -> Value {
    let mut schema = published(include_str!("../../formats/check.schema.json"));
    if let Some(properties) = schema.pointer_mut("/$defs/document/properties") {
        add(properties, additions());
    }
    schema
}

fn call(context: &Context<'_>, arguments: Arguments) -> Outcome {
    let program = arguments.source.program(context)?;
    let checked = program.check(context)?;
    let mut document = document(&checked, arguments.limit);
    if arguments.explanations {
        let pages = pages(&document);
        add(&mut document, json!({ "explanations": pages }));
    }
    Ok(Content::Structured(document))
}

/// The properties that results have beside those of the published format.
pub fn additions() -> Value {
    json!({
        "more": {
            "description": "The number of diagnostics that are left out.",
            "type": "integer",
            "minimum": 0,
        },
        "explanations": {
            "description": "A page in Markdown about each code in the result, by code, as far as \
                they fit in 8 kB; `explain` has the others.",
            "type": "object",
            "additionalProperties": { "type": "string" },
        },
    })
}

/// The document of `pcl check --output-format json` with `more`, the number of diagnostics that are
/// left out.
pub fn document(checked: &Checked, limit: Option<usize>) -> Value {
    let bytes = pcl::render::Format::Json.render(&checked.report, Look::default());
    let mut document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let mut more = 0;
    if let Some(Value::Array(diagnostics)) = document.pointer_mut("/programs/0/diagnostics") {
        let all = diagnostics.len();
        let mut size = 0;
        // A fix may have a long text, but the first diagnostic is always shown.
        let most = if limit.is_some() { MAX_TEXT } else { USUAL_TEXT };
        let fitting = diagnostics.iter().enumerate().take_while(|(at, diagnostic)| {
            size += diagnostic.to_string().len();
            size <= most || *at == 0 && limit.is_none()
        });
        let kept = fitting.count().min(limit.unwrap_or(USUAL_LIMIT));
        diagnostics.truncate(kept);
        more = all - kept;
    }
    add(&mut document, json!({ "more": more }));
    document
}

/// The pages about the codes in a document, by code, as far as they fit.
fn pages(document: &Value) -> BTreeMap<String, &'static str> {
    let diagnostics = document.pointer("/programs/0/diagnostics");
    let diagnostics = diagnostics.and_then(Value::as_array).into_iter().flatten();
    let codes = diagnostics.filter_map(|it| it.get("code")?.as_str());
    let page = |id: &str| Some((id.to_owned(), Code::parse(id)?.page()));
    let pages: BTreeMap<String, &'static str> = codes.filter_map(page).collect();
    let mut size = 0;
    let fits = |(_, page): &(String, &'static str)| {
        size += page.len();
        size <= USUAL_TEXT
    };
    pages.into_iter().take_while(fits).collect()
}

/// Adds the members of an object to another.
pub fn add(object: &mut Value, members: Value) {
    if let (Value::Object(object), Value::Object(members)) = (object, members) {
        object.extend(members);
    }
}
