//! `preview`: the resources that a program would register, and its outputs.

use std::path::Path;
use std::sync::Arc;

use pcl::eval::notation::Secrets;
use pcl::preview::{OfflineProgram, RunOptions, StackConfig, stray_key};
use pcl::render::preview_json;
use pcl::{Checked, Settings, project_of};
use serde::Deserialize;
use serde_json::{Value, json};

use super::check::add;
use super::directories::{Confined, Context};
use super::page::Page;
use super::program::{Source, arguments};
use super::tool::{Content, Outcome, Tool, published};

/// The size of the values of the largest preview of which parts are shown, in bytes.
const MAX_PREVIEW: usize = 16 << 20;

/// The tool `preview`.
pub(super) const PREVIEW: Tool = Tool {
    name: "preview",
    title: "Preview a PCL program",
    description: "Evaluates a PCL program without an engine: the resources that it would register, \
        with their inputs, and the outputs of the stack. What only a provider knows is \
        `{\"$unknown\": true}`, and a secret is `{\"$secret\": true}`. A program with errors has \
        diagnostics only. Writes nothing, and deploys nothing.",
    input,
    output: Some(output),
    call: |context, arguments| Ok(call(context, serde_json::from_value(arguments)?)),
};

#[derive(Deserialize)]
struct Arguments {
    #[serde(flatten)]
    source: Source,
    /// The facts of the run, of which clients give those that the schema of the arguments lists.
    #[serde(flatten)]
    options: RunOptions,
    #[serde(default)]
    unknown_config: bool,
    #[serde(default)]
    from: usize,
    limit: Option<usize>,
}

fn input() -> Value {
    let properties = arguments(run_arguments());
    json!({ "type": "object", "properties": properties })
}

/// The arguments of a run, and of the page of its result.
pub(super) fn run_arguments() -> Value {
    let texts = |description: &str| {
        json!({
            "type": "object",
            "additionalProperties": { "type": "string" },
            "description": description,
        })
    };
    json!({
        "stack": {
            "type": "string",
            "default": "dev",
            "description": "The stack, whose configuration is in Pulumi.STACK.yaml. Values that \
                the file encrypts are not decrypted.",
        },
        "config": texts("Values of the configuration by key, such as {\"size\": \"3\"}; they count \
            instead of those of the stack."),
        "secrets": texts("The same for values that are secret."),
        "unknown_config": {
            "type": "boolean",
            "default": false,
            "description": "Take configuration that has no value as unknown, instead of as an \
                error.",
        },
        "mock": {
            "type": "object",
            "description": "The answers of providers: `resources` by name or type token, such as \
                {\"web\": {\"id\": \"i-1\", \"outputs\": {\"ip\": \"10.0.0.1\"}}}, and `invokes` \
                by token, such as {\"aws:index/getRegion:getRegion\": {\"result\": {\"name\": \
                \"eu-west-1\"}}}.",
        },
        "from": {
            "type": "integer",
            "minimum": 0,
            "default": 0,
            "description": "The entry to begin at, which is `next` of the result before. Entries \
                are the diagnostics, the outputs, and then the resources or steps.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "description": "The largest number of entries in the result, whose values are whole \
                then; by default as many as fit in 8 kB, and long values are cut.",
        },
    })
}

fn output() -> Value {
    more(published(include_str!("../../formats/preview.schema.json")))
}

/// The schema of a document of which a page is shown.
pub(super) fn more(mut schema: Value) -> Value {
    if let Some(properties) = schema.pointer_mut("/$defs/document/properties") {
        let more = json!({
            "more": {
                "description": "The number of entries that are left out behind these.",
                "type": "integer",
                "minimum": 0,
            },
            "next": {
                "description": "The `from` that gets them; null if there are none.",
                "type": ["integer", "null"],
            },
        });
        add(properties, more);
    }
    schema
}

fn call(context: &Context<'_>, arguments: Arguments) -> Outcome {
    let Arguments { source, mut options, unknown_config, from, limit } = arguments;
    if limit == Some(0) {
        return Err("`limit` must be at least 1".to_owned());
    }
    // The run itself tells what a trial would foretell.
    let adjust = |settings| Settings { untried: true, ..settings };
    let program = source.program_with(context, adjust)?;
    let checked = program.check(context)?;
    let directory = program.target.place().unwrap_or(Path::new("."));
    options.unknown_config = unknown_config;
    let program = offline(context, checked, options, directory)?;
    let preview = program.preview();
    if !preview.fits(MAX_PREVIEW) {
        return Err(format!(
            "the values of the preview have more than {MAX_PREVIEW} bytes; run `pcl preview`"
        ));
    }
    let bytes = preview_json(&preview, Secrets::Hide);
    // Clients read as deep as `serde_json` does, or less.
    let document = serde_json::from_slice(&bytes);
    let mut document: Value = document
        .map_err(|_| "a value of the preview is nested too deeply to be shown".to_owned())?;
    let mut page = Page::new(from, limit);
    page.cut(&mut document, &LISTS)?;
    let next = (page.more > 0).then_some(from + page.shown);
    add(&mut document, json!({ "more": page.more, "next": next }));
    Ok(Content::Structured(document))
}

/// A checked program in a directory with all that its evaluation needs, which is read in the
/// directories of the server.
pub(super) fn offline(
    context: &Context<'_>,
    checked: Checked,
    mut options: RunOptions,
    directory: &Path,
) -> Result<OfflineProgram, String> {
    let root = project_of(directory).unwrap_or_else(|| directory.to_path_buf());
    if options.stack.contains(['/', '\\']) {
        return Err(format!("`{}` is not the name of a stack", options.stack));
    }
    context.directories.admit(&root)?;
    for file in StackConfig::files(&root, &options.stack) {
        context.directories.admit(&file)?;
    }
    let keys = options.config.keys().chain(options.secrets.keys());
    if let Some(message) = stray_key(&checked, keys.map(String::as_str)) {
        return Err(message);
    }
    options.limits = context.configuration(directory)?.limits();
    // A program may turn what it knows into text that is not secret.
    options.without_passphrase = true;
    let files = Confined::new(&context.directories, directory, &root);
    let program = options.on_disk(checked, directory, &root)?;
    Ok(program.with_contents(Arc::new(files)))
}

/// The lists of a document, in the order in which their entries count.
const LISTS: [&str; 5] = ["diagnostics", "outputs", "resources", "unknown_ranges", "calls"];
