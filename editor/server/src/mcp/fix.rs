//! `fix`: a program after its fixes.

use pcl::render::unified_diff;
use pcl::{FixedFile, Fixes};
use serde::Deserialize;
use serde_json::{Value, json};

use super::check::{add, additions, document, limit};
use super::directories::Context;
use super::program::{Source, arguments};
use super::tool::{Content, MAX_TEXT, Outcome, Tool, published};

/// The tool `fix`.
pub(super) const FIX: Tool = Tool {
    name: "fix",
    title: "Fix a PCL program",
    description: "Applies the fixes of the diagnostics of a PCL program until none is left. \
        Returns the new texts of the files that change, or a diff, and the diagnostics that \
        remain. Writes nothing: write the texts yourself if you want them.",
    input,
    output: Some(output),
    call: |context, arguments| Ok(call(context, serde_json::from_value(arguments)?)),
};

#[derive(Deserialize)]
pub struct Arguments {
    #[serde(flatten)]
    source: Source,
    #[serde(default, rename = "unsafe")]
    is_unsafe: bool,
    #[serde(default)]
    diff: bool,
    limit: Option<usize>,
}

fn input() -> Value {
    let properties = arguments(json!({
        "unsafe": {
            "type": "boolean",
            "default": false,
            "description": "Apply fixes that may change the meaning of the program, too, such \
                as the correction of a misspelled name.",
        },
        "diff": {
            "type": "boolean",
            "default": false,
            "description": "Return a unified diff of each file instead of its text.",
        },
        "limit": limit(),
    }));
    json!({ "type": "object", "properties": properties })
}

fn output() -> Value {
    let mut schema = published(include_str!("../../formats/check.schema.json"));
    let Some(document) = schema.pointer_mut("/$defs/document") else { return schema };
    add(
        document,
        json!({
            "description": "The program after its fixes, as `check` reports it.",
            "required": ["format_version", "programs", "files", "fixed"],
        }),
    );
    if let Some(properties) = document.get_mut("properties") {
        let text = |description: &str| json!({ "type": "string", "description": description });
        add(properties, additions());
        add(
            properties,
            json!({
                "files": {
                    "description": "The files that change.",
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["file"],
                        "properties": {
                            "file": text("The path."),
                            "text": text("The new text."),
                            "diff": text("A unified diff."),
                        },
                    },
                },
                "fixed": {
                    "description": "The names of the diagnostics that were fixed, one for each \
                        fix.",
                    "type": "array",
                    "items": { "type": "string" },
                },
            }),
        );
    }
    schema
}

fn call(context: &Context<'_>, arguments: Arguments) -> Outcome {
    let program = arguments.source.program(context)?;
    let fixes = if arguments.is_unsafe { Fixes::Unsafe } else { Fixes::Safe };
    let fixed = program.workspace.fix(&program.target, fixes, |_, _| true);
    program.admit(&fixed.checked, context)?;
    if fixed.is_endless {
        let message = "the fixes lead to each other without an end, so none is applied";
        return Err(message.to_owned());
    }
    let file = |file: &FixedFile| {
        if arguments.diff {
            json!({
                "file": file.path,
                "diff": unified_diff(&file.path, &file.old, &file.new),
            })
        } else {
            json!({ "file": file.path, "text": file.new })
        }
    };
    let files: Vec<Value> = fixed.files.iter().map(file).collect();
    let size: usize = files.iter().map(|file| file.to_string().len()).sum();
    if size > MAX_TEXT {
        return Err(format!(
            "the files that change have {size} bytes, and at most {MAX_TEXT} are returned; \
             ask for a `diff`, or run `pcl check --fix`"
        ));
    }
    let names: Vec<&str> = fixed.fixed.iter().map(|code| code.name()).collect();
    let mut document = document(&fixed.checked, arguments.limit);
    add(&mut document, json!({ "files": files, "fixed": names }));
    Ok(Content::Structured(document))
}
