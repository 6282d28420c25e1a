//! `pcl preview`: the resources that a program would register, without an engine.

use std::path::PathBuf;

use clap::Args;

use super::dump::tell;
use super::output::{Sink, print};
use super::run_args::{RunArgs, RunFormat};
use super::status::{Outcome, Status};
use pcl::diagnostics::Diagnostic;
use pcl::render::{preview_json, preview_text};

#[derive(Args)]
pub(crate) struct Preview {
    /// A program directory or a single .pp file
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: RunFormat,
    #[command(flatten)]
    run: RunArgs,
}

impl Preview {
    pub(crate) fn run(&self) -> Outcome {
        let preview = self.run.program(&self.path)?.preview();
        let secrets = self.run.secrets();
        match self.output_format {
            RunFormat::Text => {
                print(&preview_text(&preview, secrets))?;
                tell(&preview.report);
            }
            RunFormat::Json => {
                let mut sink = Sink::stdout();
                sink.write(&preview_json(&preview, secrets))?;
                sink.finish()?;
            }
        }
        let mut diagnostics = preview.diagnostics.iter();
        Ok(Status::of(true, diagnostics.any(Diagnostic::is_error)))
    }
}
