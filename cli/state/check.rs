//! `pcl state check`.

use std::path::PathBuf;

use clap::Args;

use super::read;
use crate::check::OutputArgs;
use crate::file_checks::FileChecks;
use crate::status::Outcome;

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
