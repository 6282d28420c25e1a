//! `pcl version`: the version of the tool, or the oldest Pulumi that a program needs.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use super::inputs::{self, Inputs, SchemaArgs, StrictnessArgs};
use super::output::{AnswerFormat, complain, print, print_json};
use super::status::{Failure, Outcome, Status};
use pcl::binder::edition::{Effect, OldestPulumi, Use, requirements};
use pcl::document::{self, Range};
use pcl::language::Release;
use pcl::render::FORMAT_VERSION;
use pcl::{Checked, Workspace};

#[derive(Args)]
pub(crate) struct Version {
    /// Print the oldest Pulumi that a program and its components need, and the constructs that need
    /// it
    #[arg(long)]
    required: bool,
    /// A program directory or a single .pp file; `-` reads a file from standard input
    #[arg(value_name = "PATH", default_value = ".", requires = "required")]
    path: PathBuf,
    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
    #[command(flatten)]
    schemas: SchemaArgs,
}

impl Version {
    pub(crate) fn run(&self) -> Outcome {
        match (self.required, self.output_format) {
            (true, _) => self.required(),
            (false, AnswerFormat::Text) => print(format!("pcl {}\n", env!("CARGO_PKG_VERSION"))),
            (false, AnswerFormat::Json) => print_json(&about()),
        }
    }

    fn required(&self) -> Outcome {
        let target = inputs::target(&self.path, None)?;
        let strictness = StrictnessArgs::default();
        let (mut settings, _) = Inputs::new(&self.schemas, &strictness, None)?.of(&target)?;
        // The answer does not depend on what the project says that it supports.
        let newest = OldestPulumi::release(Release::REFERENCE, "");
        settings.options.oldest = Some(newest);
        let mut checked = Workspace::new(settings).check(&target);
        if !checked.readable && checked.program.nodes().is_empty() {
            let message = checked.diagnostics.first().map(|first| &*first.message);
            return Err(Failure::usage(message.unwrap_or("the program cannot be read")));
        }
        let found = requirements(&mut checked.program);
        let needed = found.iter().filter(|used| used.effect == Effect::Refused);
        let required = needed.map(Use::needs).max().unwrap_or(Release::FIRST);
        let grouped = by_construct(found);
        match self.output_format {
            AnswerFormat::Text => print(text(&checked, required, &grouped))?,
            AnswerFormat::Json => print_json(&document(&checked, required, &grouped))?,
        };
        if checked.is_valid() {
            return Ok(Status::Clean);
        }
        complain("the program has errors, so it may need a newer Pulumi; `pcl check` shows them");
        Ok(Status::Found)
    }
}

/// The first use of each construct in each effect with the number of its uses, the newest first.
fn by_construct(found: Vec<Use>) -> Vec<(Use, usize)> {
    let mut grouped: Vec<(Use, usize)> = Vec::new();
    for used in found {
        // The table has fewer than 300 rows.
        let known = grouped.iter_mut().find(|(known, _)| known.construct == used.construct);
        match known {
            Some((_, count)) => *count += 1,
            None => grouped.push((used, 1)),
        }
    }
    grouped.sort_by_key(|(used, _)| std::cmp::Reverse(used.needs()));
    grouped
}

fn text(checked: &Checked, required: Release, uses: &[(Use, usize)]) -> String {
    let mut text = format!("{required}\n");
    for (used, count) in uses {
        let sources = &checked.sources;
        let file = sources.path(used.span.file);
        let at = Range::of(used.span, sources).start;
        let (headline, request) = (used.headline(), used.construct.attribution());
        let more = match count - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        text.push_str(&format!("{file}:{}:{}: {headline}{request}{more}\n", at.line, at.column));
    }
    text
}

fn document(checked: &Checked, required: Release, uses: &[(Use, usize)]) -> Value {
    let record = |(used, count): &(Use, usize)| {
        json!({
            "construct": used.construct.name,
            "message": used.headline(),
            "effect": match used.effect {
                Effect::Refused => "refused",
                Effect::Changed => "changed",
            },
            "release": used.needs().to_string(),
            "since": used.construct.since.to_string(),
            "pull_request": used.construct.pull_request,
            "file": checked.sources.path(used.span.file),
            "range": Range::of(used.span, &checked.sources),
            "uses": count,
        })
    };
    json!({
        "format_version": FORMAT_VERSION,
        "program": checked.path,
        "valid": checked.is_valid(),
        "required": required.to_string(),
        "constructs": uses.iter().map(record).collect::<Vec<_>>(),
    })
}

/// The tool itself: its version, that of Pulumi whose rules it has, its formats and features.
fn about() -> Value {
    let features = [("cli", true), ("remote", cfg!(feature = "remote"))];
    // The names of the schemas in `docs/formats`.
    let names = [
        "bound",
        "check",
        "check-lines",
        "document",
        "graph",
        "packages",
        "query",
        "schema",
        "syntax",
        "version",
    ];
    let version = |name| match name {
        "document" => document::FORMAT_VERSION,
        _ => FORMAT_VERSION,
    };
    let formats = names.map(|name| (name.to_owned(), Value::from(version(name))));
    let formats: Map<String, Value> = formats.into_iter().collect();
    let enabled = features.iter().filter(|(_, on)| *on);
    json!({
        "format_version": FORMAT_VERSION,
        "name": "pcl",
        "version": env!("CARGO_PKG_VERSION"),
        "reference": { "name": "pulumi", "version": Release::REFERENCE.to_string() },
        "formats": formats,
        "features": enabled.map(|(name, _)| name).collect::<Vec<_>>(),
    })
}
