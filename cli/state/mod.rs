//! `pcl state`: look into the state of a stack, and check it.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use pcl::diagnostics::FileId;
use pcl::graph::Graph;
use pcl::state::{
    CheckedState, Found, Keys, MAX_FILE_BYTES, State as StackState, find, resource_json,
    resource_text, resources_json, tree_text,
};

use super::dump::tell;
use super::graph::OutputFormat as GraphFormat;
use super::inputs::standard_input;
use super::output::{AnswerFormat, complain, print};
use super::status::{Failure, Outcome, Status};
use crate::check::OutputArgs;
use crate::file_checks::FileChecks;

#[derive(Args)]
pub(crate) struct State {
    #[command(subcommand)]
    query: Query,
}

#[derive(Subcommand)]
enum Query {
    /// List the resources as a tree, children below their parents
    Ls(ListArgs),
    /// Show one resource: its inputs and outputs, and where they come from
    Show(ShowArgs),
    /// Print the graph of the resources
    Graph(GraphArgs),
    /// Report everything that is wrong with a state
    Check(CheckArgs),
}

#[derive(Args)]
struct ListArgs {
    /// The state that `pulumi stack export` prints, or the file of a stack in a self-managed
    /// backend; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
}

#[derive(Args)]
struct ShowArgs {
    /// The URN of the resource, or its name if no other resource has it
    #[arg(value_name = "URN")]
    urn: String,
    /// The state that `pulumi stack export` prints, or the file of a stack in a self-managed
    /// backend; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
    /// Print secrets as plain text; those that are encrypted need PULUMI_CONFIG_PASSPHRASE
    #[arg(long)]
    show_secrets: bool,
}

#[derive(Args)]
struct GraphArgs {
    /// The state that `pulumi stack export` prints, or the file of a stack in a self-managed
    /// backend; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "dot")]
    output_format: GraphFormat,
}

impl State {
    pub(crate) fn run(&self) -> Outcome {
        match &self.query {
            Query::Ls(list) => list.run(),
            Query::Show(show) => show.run(),
            Query::Graph(graph) => graph.run(),
            Query::Check(check) => check.run(),
        }
    }
}

impl ListArgs {
    fn run(&self) -> Outcome {
        let checked = read(&self.file)?;
        match (self.output_format, &checked.state) {
            (AnswerFormat::Json, state) => print(resources_json(state.as_ref()))?,
            (AnswerFormat::Text, Some(state)) => print(tree_text(state))?,
            (AnswerFormat::Text, None) => Status::Clean,
        };
        Ok(told(&checked))
    }
}

impl ShowArgs {
    fn run(&self) -> Outcome {
        let checked = read(&self.file)?;
        let Some(state) = &checked.state else {
            if self.output_format == AnswerFormat::Json {
                print(resource_json(None, None))?;
            }
            return Ok(told(&checked));
        };
        let resource = match find(state, &self.urn) {
            Found::One(resource) => resource,
            Found::None(meant) => {
                let meant = meant.map(|meant| format!("; did you mean `{meant}`?"));
                let message = format!(
                    "the state has no resource `{}`{}",
                    self.urn,
                    meant.unwrap_or_default()
                );
                return Err(Failure::usage(message));
            }
            Found::Several(urns) => {
                let message = format!(
                    "several resources have the name `{}`; name one by its URN:\n  {}",
                    self.urn,
                    urns.join("\n  ")
                );
                return Err(Failure::usage(message));
            }
        };
        let keys = if self.show_secrets { Some(keys(state)?) } else { None };
        match self.output_format {
            AnswerFormat::Text => print(resource_text(state, resource, keys.as_ref()))?,
            AnswerFormat::Json => print(resource_json(Some((state, resource)), keys.as_ref()))?,
        };
        Ok(told(&checked))
    }
}

impl GraphArgs {
    fn run(&self) -> Outcome {
        let checked = read(&self.file)?;
        let state = checked.state.as_ref();
        let graph = state.map(|state| Graph::of_state(state, FileId(0)));
        if self.output_format == GraphFormat::Json {
            let graph = graph.unwrap_or_else(Graph::empty);
            print(graph.to_json(&checked.report))?;
            return Ok(status(&checked));
        }
        let Some(graph) = graph else { return Ok(told(&checked)) };
        match self.output_format {
            GraphFormat::Mermaid => print(graph.to_mermaid())?,
            _ => print(graph.to_dot())?,
        };
        if !graph.is_complete {
            complain("the graph is not complete: it is too large");
        }
        Ok(told(&checked))
    }
}

/// Reads the state in a file or on standard input.
pub(super) fn read(file: &Path) -> Result<CheckedState, Failure> {
    Ok(if file == Path::new("-") {
        CheckedState::of_text("<stdin>", standard_input(MAX_FILE_BYTES)?)
    } else {
        CheckedState::of_file(file)
    })
}

/// The keys of the secrets of a state: those in plain text can be opened without, the others need
/// the passphrase of the environment.
pub(super) fn keys(state: &StackState) -> Result<Keys, Failure> {
    match pcl::preview::passphrase().map_err(Failure::usage)? {
        Some(passphrase) => Keys::with_passphrase(state, &passphrase)
            .map_err(|error| Failure::usage(error.to_string())),
        None => Ok(Keys::default()),
    }
}

/// Prints the diagnostics of a state on standard error.
pub(super) fn told(checked: &CheckedState) -> Status {
    tell(&checked.report);
    status(checked)
}

fn status(checked: &CheckedState) -> Status {
    Status::of(checked.readable, !checked.is_valid())
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// States that `pulumi stack export` prints; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

impl CheckArgs {
    pub(crate) fn run(&self) -> Outcome {
        let mut checks = FileChecks::open(&self.output, &self.files)?;
        for file in &self.files {
            checks.add(read(file)?.report)?;
        }
        checks.close("state")
    }
}
