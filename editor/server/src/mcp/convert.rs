//! `convert`: a program as a project in another language.

use std::path::Path;

use pcl_convert::{Language, Options, adjusted, project_name};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::check::{add, additions, document, limit};
use super::directories::Context;
use super::program::{Source, arguments};
use super::tool::{Content, MAX_TEXT, Outcome, Tool, published};

/// The tool `convert`.
pub(super) const CONVERT: Tool = Tool {
    name: "convert",
    title: "Convert a PCL program",
    description: "Translates a PCL program to a Pulumi project in TypeScript, Python, Go, Java or \
        Pulumi YAML. Returns the texts of the files, and the diagnostics, with one for each \
        construct that the language cannot express. A program with errors gives no files. Writes nothing.",
    input,
    output: Some(output),
    call: |context, arguments| Ok(call(context, serde_json::from_value(arguments)?)),
};

#[derive(Deserialize)]
pub struct Arguments {
    #[serde(flatten)]
    source: Source,
    language: String,
    name: Option<String>,
    limit: Option<usize>,
}

fn input() -> Value {
    let name = "The name of the project; without it, that of the project of the program, or of its \
        directory.";
    let properties = arguments(json!({
        "language": {
            "type": "string",
            "enum": Language::ALL.map(Language::name),
            "description": "The language of the project.",
        },
        "name": { "type": "string", "description": name },
        "limit": limit(),
    }));
    json!({ "type": "object", "properties": properties, "required": ["language"] })
}

fn output() -> Value {
    let mut schema = published(include_str!("../../formats/check.schema.json"));
    let Some(document) = schema.pointer_mut("/$defs/document") else { return schema };
    add(
        document,
        json!({
            "description": "The program as `check` reports it, with what the language lacks.",
            "required": ["format_version", "programs", "files"],
        }),
    );
    if let Some(properties) = document.get_mut("properties") {
        add(properties, additions());
        let files = json!({
            "files": {
                "description": "The texts of the files of the project, by path.",
                "type": "object",
                "additionalProperties": { "type": "string" },
            },
        });
        add(properties, files);
    }
    schema
}

fn call(context: &Context<'_>, arguments: Arguments) -> Outcome {
    let language = Language::parse(&arguments.language)?;
    let adjust = |settings| adjusted(settings, language);
    let program = arguments.source.program_with(context, adjust)?;
    let checked = program.check(context)?;
    let name = match arguments.name {
        Some(name) => name,
        None if !checked.is_valid() => String::new(),
        None => project_name(program.target.place().unwrap_or(Path::new(".")))?,
    };
    let (checked, project) = pcl_convert::convert(checked, language, &name, &Options::default());
    let files = project.map(|project| project.files).unwrap_or_default();
    let size: usize = files.iter().map(|file| file.text.len()).sum();
    if size > MAX_TEXT {
        return Err(format!(
            "the files have {size} bytes, and at most {MAX_TEXT} are returned; run `pcl convert`"
        ));
    }
    let files: Map<String, Value> =
        files.into_iter().map(|file| (file.path, Value::String(file.text))).collect();
    let mut document = document(&checked, arguments.limit);
    add(&mut document, json!({ "files": files }));
    Ok(Content::Structured(document))
}
