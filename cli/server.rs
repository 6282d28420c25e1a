//! `pcl server` and `pcl mcp`: the language server, and the tools for agents.

use std::io::{BufReader, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use pcl_server::mcp::{self, Directories};
use pcl_server::{AddSchema, Environment, serve};

use super::inputs::{Inputs, SettingsArgs};
use super::status::{Failure, Outcome, Status};

#[derive(Args)]
pub(crate) struct Server {
    /// Use standard input and output, as it does without this flag; editors pass it
    #[arg(long)]
    stdio: bool,
    /// Let the editor get schemas, as `pcl schema add` does; never give it for a workspace that is
    /// not trusted
    #[arg(long)]
    allow_schema_add: bool,
    /// Show above each block what a deployment would do to its resources in this state, which
    /// `pulumi stack export` prints; the programs of its project are evaluated for it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl Server {
    pub(crate) fn run(&self) -> Outcome {
        let inputs = self.settings.inputs()?;
        let add_schema: Option<AddSchema> =
            self.allow_schema_add.then(|| Arc::new(add_schema) as AddSchema);
        let state = self.state.clone();
        let environment = Environment { add_schema, state, ..environment(&inputs) };
        let served = serve(BufReader::new(stdin()), stdout(), environment);
        let served = served.map_err(|error| Failure::io("read", "standard input", error))?;
        Ok(Status::of(true, !served))
    }
}

#[derive(Args)]
pub(crate) struct Mcp {
    /// Directories whose programs the agent may read
    #[arg(value_name = "DIR", default_value = ".")]
    directories: Vec<PathBuf>,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl Mcp {
    pub(crate) fn run(&self) -> Outcome {
        let directories = Directories::new(&self.directories)
            .map_err(|(path, error)| Failure::io("read the directory", path, error))?;
        let inputs = self.settings.inputs()?;
        mcp::serve(BufReader::new(stdin()), stdout(), environment(&inputs), directories)
            .map_err(|error| Failure::io("read", "standard input", error))?;
        Ok(Status::Clean)
    }
}

/// The settings of programs for a server.
fn environment<'a>(inputs: &'a Inputs<'_>) -> Environment<'a> {
    Environment {
        base: inputs.discovery.base().clone(),
        is_isolated: inputs.discovery.is_isolated(),
        settings: Box::new(|configuration| inputs.settings(configuration)),
        add_schema: None,
        state: None,
    }
}

/// Runs `pcl schema add` in a directory, and returns what it prints. It is a process of its own
/// because standard output belongs to the editor.
fn add_schema(directory: &Path, package: &str) -> Result<String, String> {
    /// One runs at a time: each writes the lock file that it has read.
    static RUNNING: Mutex<()> = Mutex::new(());
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let run = || {
        let program = std::env::current_exe()?;
        let mut command = Command::new(program);
        command.args(["schema", "add", "--", package]).current_dir(directory);
        command.stdin(Stdio::null()).output()
    };
    let output = run().map_err(|error| format!("`pcl schema add` cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(text) } else { Err(text) }
}
