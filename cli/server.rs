//! `pcl server`: the language server.

use std::io::{BufReader, stdin, stdout};

use clap::Args;
use pcl_server::{Environment, serve};

use super::inputs::{Inputs, SchemaArgs, StrictnessArgs};
use super::status::{Failure, Outcome, Status};

#[derive(Args)]
pub(crate) struct Server {
    /// Use standard input and output, as it does without this flag; editors pass it
    #[arg(long)]
    stdio: bool,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    strictness: StrictnessArgs,
}

impl Server {
    pub(crate) fn run(&self) -> Outcome {
        let inputs = Inputs::new(&self.schemas, &self.strictness)?;
        let environment = Environment {
            base: inputs.discovery.base().clone(),
            is_isolated: inputs.discovery.is_isolated(),
            settings: Box::new(|configuration| inputs.settings(configuration)),
        };
        let served = serve(BufReader::new(stdin()), stdout(), environment);
        let served = served.map_err(|error| Failure::io("read", "standard input", error))?;
        Ok(Status::of(true, !served))
    }
}
