//! The `pcl` command: one file per command, and what the commands share.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod adoption;
mod baseline;
#[cfg(feature = "convert")]
mod batch;
mod changed_since;
mod check;
mod component_packages;
mod config;
#[cfg(feature = "convert")]
mod convert;
mod dump;
mod edited;
mod everywhere;
mod examples;
mod explain;
mod file_checks;
mod fix;
mod fmt;
#[cfg(feature = "convert")]
mod from_yaml;
mod graph;
mod hints;
#[cfg(feature = "run")]
mod import;
mod inputs;
mod jobs;
mod levels;
mod man;
mod mistyped;
mod new;
mod new_lines;
mod output;
#[cfg(feature = "run")]
mod plan;
#[cfg(feature = "run")]
mod preview;
#[cfg(feature = "pulumi")]
mod pulumi;
#[cfg(feature = "editor")]
mod query;
mod schema;
mod selection;
#[cfg(feature = "editor")]
mod server;
#[cfg(feature = "run")]
mod state;
mod status;
mod terminal;
mod version;
mod watch;
mod whole_programs;

use std::io;
use std::ops::Deref;
use std::panic::resume_unwind;
use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand};
use status::{Failure, Outcome, Status};

/// Check programs in PCL, the Pulumi Configuration Language.
#[derive(Parser)]
#[command(name = "pcl", version, disable_help_subcommand = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    everywhere: everywhere::Everywhere,
}

#[derive(Subcommand)]
enum Command {
    /// Start a project
    New(Deferred<new::New>),
    /// Check programs
    Check(Deferred<check::Check>),
    /// Format files
    Fmt(Deferred<fmt::Fmt>),
    /// Print tokens, trees, the semantic model or the packages of a program
    Dump(Deferred<dump::Dump>),
    /// Show what a program would register, without an engine
    #[cfg(feature = "run")]
    Preview(Deferred<preview::Preview>),
    /// Show what a deployment would do to a stack, without an engine
    #[cfg(feature = "run")]
    Plan(Deferred<plan::Plan>),
    /// Print the value of an expression in the scope of a program
    #[cfg(feature = "run")]
    Eval(Deferred<preview::Eval>),
    /// Print the dependency graph of a program
    Graph(Deferred<graph::Graph>),
    /// List, show and check the resources of a stack
    #[cfg(feature = "run")]
    State(Deferred<state::State>),
    /// Write a program for the resources of a stack
    #[cfg(feature = "run")]
    Import(Deferred<import::Import>),
    /// Convert a program to another language
    #[cfg(feature = "convert")]
    Convert(Deferred<convert::Convert>),
    /// Let Pulumi's own commands generate programs with `pcl`
    #[cfg(feature = "pulumi")]
    Pulumi(Deferred<pulumi::Pulumi>),
    /// Search, show, check and get package schemas
    Schema(Deferred<schema::Schema>),
    /// Show the configuration
    Config(Deferred<config::Config>),
    /// Explain a diagnostic, function, block, option, type, keyword or resource
    Explain(Deferred<explain::Explain>),
    /// Print the version, or the oldest Pulumi that a program needs
    Version(Deferred<version::Version>),
    /// Tell what is at a place in a program
    #[cfg(feature = "editor")]
    Query(Deferred<query::Query>),
    /// Serve an editor over standard input and output
    #[cfg(feature = "editor")]
    Server(Deferred<server::Server>),
    /// Serve tools for an agent over standard input and output
    #[cfg(feature = "editor")]
    Mcp(Deferred<server::Mcp>),
    /// Print a completion script for a shell
    Completions(Deferred<man::Completions>),
    /// Write the manual pages
    Man(Deferred<man::ManPages>),
}

/// Runs the command that the arguments name, or the language plugin that the name of the program
/// says.
fn main() -> ExitCode {
    #[cfg(feature = "pulumi")]
    {
        let mut arguments = std::env::args_os();
        let program = std::path::PathBuf::from(arguments.next().unwrap_or_default());
        if let Some(plugin) = pcl_host::LanguagePlugin::of(&program) {
            return plugin.run(&program, arguments.collect());
        }
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            let arguments: Vec<String> =
                std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect();
            mistyped::advise(&mut error, &arguments);
            return usage(&error);
        }
    };
    cli.everywhere.choose();
    let run = || match &cli.command {
        Command::New(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Fmt(command) => command.run(),
        Command::Dump(command) => command.run(),
        #[cfg(feature = "run")]
        Command::Preview(command) => command.run(),
        #[cfg(feature = "run")]
        Command::Plan(command) => command.run(),
        #[cfg(feature = "run")]
        Command::Eval(command) => command.run(),
        Command::Graph(command) => command.run(),
        #[cfg(feature = "run")]
        Command::State(command) => command.run(),
        #[cfg(feature = "run")]
        Command::Import(command) => command.run(),
        #[cfg(feature = "convert")]
        Command::Convert(command) => command.run(),
        #[cfg(feature = "pulumi")]
        Command::Pulumi(command) => command.run(),
        Command::Schema(command) => command.run(),
        Command::Config(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Version(command) => command.run(),
        #[cfg(feature = "editor")]
        Command::Query(command) => command.run(),
        #[cfg(feature = "editor")]
        Command::Server(command) => command.run(),
        #[cfg(feature = "editor")]
        Command::Mcp(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    };
    status::install();
    let done = pcl_system::Signals::survive_file_size_limit()
        .map_err(Failure::signals)
        .and_then(|()| on_large_stack(|| status::catch(run)));
    match done {
        Ok(Ok(outcome)) => status(outcome),
        Err(failure) => status(Err(failure)),
        Ok(Err(crash)) => {
            output::complain(&crash.report(None));
            Status::Crashed.into()
        }
    }
}

/// Runs `work` where there is room for the deepest program: on this thread wherever the system
/// gives the first thread what is usual.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    if has_large_stack() {
        return Ok(work());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(pcl::STACK_SIZE);
        let thread = thread.spawn_scoped(scope, work).map_err(no_thread)?;
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

fn no_thread(error: io::Error) -> Failure {
    Failure::usage(format!("cannot start a thread: {error}"))
}

#[cfg(unix)]
fn has_large_stack() -> bool {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Stack);
    limit.current.is_none_or(|bytes| bytes >= pcl::STACK_SIZE as u64)
}

#[cfg(not(unix))]
fn has_large_stack() -> bool {
    false
}

/// Prints what is wrong with the arguments, or the help that was asked for.
fn usage(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() {
        output::complain(text.trim_end());
        Status::Failed.into()
    } else {
        status(output::print(&text))
    }
}

/// The exit status of a command; the reason why it failed is printed.
fn status(outcome: Outcome) -> ExitCode {
    let status = outcome.unwrap_or_else(|failure| {
        output::complain(&failure.to_string());
        Status::Failed
    });
    status.into()
}

/// The arguments of a subcommand, which the parser builds only for the subcommand that runs.
///
/// Building all of them takes 460,000 instructions and 28 page faults, two fifths of the
/// instructions of `pcl version`.
struct Deferred<T>(Box<T>);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.defer(|command| with_own_description(command, T::augment_args))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command.defer(|command| with_own_description(command, T::augment_args_for_update))
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches(matches).map(|arguments| Self(Box::new(arguments)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// Adds arguments to a subcommand, which keeps its description: the derived code replaces it by the
/// comment on the type of the arguments or of some that are flattened into them.
fn with_own_description(
    command: clap::Command,
    augment: fn(clap::Command) -> clap::Command,
) -> clap::Command {
    let about = command.get_about().cloned().unwrap_or_default();
    let long_about = command.get_long_about().cloned();
    let command = examples::add(augment(command).about(about));
    match long_about {
        Some(long_about) => command.long_about(long_about),
        None => command.long_about(None),
    }
}
