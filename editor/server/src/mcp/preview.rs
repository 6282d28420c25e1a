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
use super::program::{Source, arguments};
use super::tool::{Content, MAX_TEXT, Outcome, Tool, USUAL_TEXT, published};

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
    let texts = |description: &str| {
        json!({
            "type": "object",
            "additionalProperties": { "type": "string" },
            "description": description,
        })
    };
    let properties = arguments(json!({
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
                are the diagnostics, outputs, resources, unknown ranges and calls, in this order.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "description": "The largest number of entries in the result, whose values are whole \
                then; by default as many as fit in 8 kB, and long values are cut.",
        },
    }));
    json!({ "type": "object", "properties": properties })
}

fn output() -> Value {
    let mut schema = published(include_str!("../../formats/preview.schema.json"));
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
    page.cut(&mut document)?;
    let next = (page.more > 0).then_some(from + page.shown);
    add(&mut document, json!({ "more": page.more, "next": next }));
    Ok(Content::Structured(document))
}

/// A checked program in a directory with all that its evaluation needs, which is read in the
/// directories of the server.
fn offline(
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

/// The members of entries that may be long without being needed in whole.
const LONG: [&str; 4] = ["arguments", "dependencies", "inputs", "outputs"];

/// The entries of a document that are part of a result.
struct Page {
    /// The entries before it.
    skipped: usize,
    /// The entries in it.
    shown: usize,
    /// The entries behind it.
    more: usize,
    from: usize,
    limit: usize,
    /// The bytes that are left.
    room: usize,
    /// The bytes of a value that is not cut.
    value: usize,
}

impl Page {
    fn new(from: usize, limit: Option<usize>) -> Self {
        let room = if limit.is_some() { MAX_TEXT } else { USUAL_TEXT };
        let limit = limit.unwrap_or(usize::MAX);
        Self { skipped: 0, shown: 0, more: 0, from, limit, room, value: room / 4 }
    }

    /// Leaves the entries of the page in a document.
    ///
    /// # Errors
    /// Returns a message if there are not so many entries.
    fn cut(&mut self, document: &mut Value) -> Result<(), String> {
        for name in LISTS {
            match document.get_mut(name) {
                Some(Value::Array(entries)) => entries.retain_mut(|entry| self.takes(name, entry)),
                Some(Value::Object(entries)) => entries.retain(|_, entry| self.takes(name, entry)),
                _ => {}
            }
        }
        if self.from > 0 && self.shown == 0 && self.more == 0 {
            let count = self.skipped;
            return Err(format!("the preview has {count} entries, so `from` is too large"));
        }
        Ok(())
    }

    /// Returns true if the next entry is part of the page, which cuts its long values.
    fn takes(&mut self, list: &str, entry: &mut Value) -> bool {
        if self.skipped < self.from {
            self.skipped += 1;
            return false;
        }
        if self.more == 0 && self.shown < self.limit {
            if list == "outputs" {
                shorten(entry, self.value);
            } else if let Some(members) = entry.as_object_mut() {
                let long = members.iter_mut().filter(|(name, _)| LONG.contains(&name.as_str()));
                long.for_each(|(_, value)| shorten(value, self.value));
            }
            let size = entry.to_string().len();
            // One that is larger than the room is shown by itself.
            if size <= self.room || self.shown == 0 {
                self.room = self.room.saturating_sub(size);
                self.shown += 1;
                return true;
            }
        }
        self.more += 1;
        false
    }
}

/// The size below which a part of a value is not cut but left out, in bytes.
const SMALL: usize = 64;

/// The bytes around a part of a list or object.
const PUNCTUATION: usize = 4;

/// Cuts a value that is longer than `most` bytes, and tells in it how much is left out.
fn shorten(value: &mut Value, most: usize) {
    let size = value.to_string().len();
    if size <= most {
        return;
    }
    match value {
        Value::String(text) if most >= SMALL => {
            let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
            let more = text.len() - end;
            // A short text can be long as JSON, where some characters take several.
            if more > 0 {
                text.truncate(end);
                text.push_str(&format!("... {more} more bytes"));
            }
        }
        Value::Array(items) if most >= SMALL => {
            let kept = fitting(items.iter_mut().map(|item| (0, item)), most);
            let more = items.len() - kept;
            items.truncate(kept);
            if more > 0 {
                items.push(json!(format!("... {more} more")));
            }
        }
        Value::Object(members) if most >= SMALL => {
            let kept = fitting(members.iter_mut().map(|(name, value)| (name.len(), value)), most);
            let more = members.len() - kept;
            let mut at = 0;
            members.retain(|_, _| {
                at += 1;
                at <= kept
            });
            if more > 0 {
                members.insert("...".to_owned(), json!(format!("{more} more")));
            }
        }
        _ => *value = json!(format!("... {size} more bytes")),
    }
}

/// The number of the first parts that fit, of which each has the length of its name; they are cut
/// to half of the room.
fn fitting<'v>(parts: impl Iterator<Item = (usize, &'v mut Value)>, most: usize) -> usize {
    let (mut kept, mut size) = (0, 0);
    for (name, part) in parts {
        shorten(part, most / 2);
        size += name + part.to_string().len() + PUNCTUATION;
        if size > most {
            break;
        }
        kept += 1;
    }
    kept
}
