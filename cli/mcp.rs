//! `pcl mcp`: the tools for agents.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use clap::Args;
use pcl_server::Environment;
use pcl_server::mcp::{Directories, serve};

use super::inputs::{Inputs, SchemaArgs, StrictnessArgs};
use super::status::{Failure, Outcome, Status};

#[derive(Args)]
pub(crate) struct Mcp {
    /// Directories whose programs the agent may read
    #[arg(value_name = "DIR", default_value = ".")]
    directories: Vec<PathBuf>,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    strictness: StrictnessArgs,
}

impl Mcp {
    pub(crate) fn run(&self) -> Outcome {
        let directories = Directories::new(&self.directories)
            .map_err(|(path, error)| Failure::io("read the directory", path, error))?;
        let inputs = Inputs::new(&self.schemas, &self.strictness)?;
        let environment = Environment {
            base: inputs.discovery.base().clone(),
            is_isolated: inputs.discovery.is_isolated(),
            settings: Box::new(|configuration| inputs.settings(configuration)),
        };
        serve(BufReader::new(stdin()), stdout(), environment, directories)
            .map_err(|error| Failure::io("read", "standard input", error))?;
        Ok(Status::Clean)
    }
}
