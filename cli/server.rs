//! `pcl server` and `pcl mcp`: the language server, and the tools for agents.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use clap::Args;
use pcl_server::mcp::{self, Directories};
use pcl_server::{Environment, serve};

use super::inputs::{Inputs, SettingsArgs};
use super::status::{Failure, Outcome, Status};

#[derive(Args)]
pub(crate) struct Server {
    /// Use standard input and output, as it does without this flag; editors pass it
    #[arg(long)]
    stdio: bool,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl Server {
    pub(crate) fn run(&self) -> Outcome {
        let inputs = self.settings.inputs()?;
        let served = serve(BufReader::new(stdin()), stdout(), environment(&inputs));
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
    }
}
