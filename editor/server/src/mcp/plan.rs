//! `plan`: what a deployment of a program would do to a stack.

use std::path::Path;

use pcl::Settings;
use pcl::eval::notation::Secrets;
use pcl::plan::{Options, Targets, plan_json};
use pcl::preview::RunOptions;
use pcl::render::Format;
use pcl::state::{CheckedState, Keys};
use serde::Deserialize;
use serde_json::{Value, json};

use super::check::add;
use super::directories::Context;
use super::page::Page;
use super::preview::{more, offline, run_arguments};
use super::program::{Source, arguments};
use super::tool::{Content, Outcome, Tool, published};

/// The tool `plan`.
pub(super) const PLAN: Tool = Tool {
    name: "plan",
    title: "Plan a deployment of a PCL program",
    description: "Foretells what a deployment of a PCL program would do to the resources of a \
        stack, whose state `pulumi stack export` has written: the steps with their reasons, the \
        changes of inputs, and what people need to hear, such as that a new name deletes a \
        database. Asks no provider: `decided_by` tells where one has the last word. Secrets that \
        are encrypted are not compared. Writes nothing, and deploys nothing.",
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
    state: String,
    #[serde(default)]
    target: Vec<String>,
    #[serde(default)]
    unknown_config: bool,
    #[serde(default)]
    from: usize,
    limit: Option<usize>,
}

fn input() -> Value {
    let mut properties = Value::Object(arguments(run_arguments()));
    add(
        &mut properties,
        json!({
            "state": {
                "type": "string",
                "description": "The path of the file that `pulumi stack export --file` has written.",
            },
            "target": {
                "type": "array",
                "items": { "type": "string" },
                "description": "The URNs that the deployment is about; all by default. `*` stands \
                    for any text without `:`, and `**` for any text, as in `**::web`.",
            },
        }),
    );
    json!({ "type": "object", "properties": properties, "required": ["state"] })
}

fn output() -> Value {
    more(published(include_str!("../../formats/plan.schema.json")))
}

fn call(context: &Context<'_>, arguments: Arguments) -> Outcome {
    let Arguments { source, mut options, state, target, unknown_config, from, limit } = arguments;
    if limit == Some(0) {
        return Err("`limit` must be at least 1".to_owned());
    }
    let state = CheckedState::of_file(&context.directories.resolve(&state)?);
    if !state.is_valid() {
        let text = Format::Concise.render(&state.report, false);
        return Err(String::from_utf8_lossy(&text).trim_end().to_owned());
    }
    // The run itself tells what a trial would foretell.
    let adjust = |settings| Settings { untried: true, ..settings };
    let program = source.program_with(context, adjust)?;
    let checked = program.check(context)?;
    let directory = program.target.place().unwrap_or(Path::new("."));
    options.unknown_config = unknown_config;
    let program = offline(context, checked, options, directory)?;
    let options = Options { targets: Targets::new(target), ..Options::default() };
    let planned = program.plan(&state, &Keys::default(), options);
    // Clients read as deep as `serde_json` does, or less.
    let document = serde_json::from_slice(&plan_json(&planned, Secrets::Hide));
    let mut document: Value =
        document.map_err(|_| "a value of the plan is nested too deeply to be shown".to_owned())?;
    let mut page = Page::new(from, limit);
    page.cut(&mut document, &["diagnostics", "outputs", "steps"])?;
    let next = (page.more > 0).then_some(from + page.shown);
    add(&mut document, json!({ "more": page.more, "next": next }));
    Ok(Content::Structured(document))
}
