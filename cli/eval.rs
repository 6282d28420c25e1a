//! `pcl eval`: the value of an expression in the scope of a program.

use std::path::PathBuf;

use clap::Args;

use super::dump::tell;
use super::output::print;
use super::run_args::{RunArgs, RunFormat};
use super::status::{Outcome, Status};
use pcl::eval::References;
use pcl::render::{shown, value_json};

#[derive(Args)]
pub(crate) struct Eval {
    /// An expression, such as `length(names)`
    #[arg(value_name = "EXPR")]
    expression: String,
    /// A program directory or a single .pp file
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: RunFormat,
    #[command(flatten)]
    run: RunArgs,
}

impl Eval {
    pub(crate) fn run(&self) -> Outcome {
        let evaluated = self.run.program(&self.path)?.evaluate(&self.expression);
        let secrets = self.run.secrets();
        let value = evaluated.value.as_ref();
        let value = value.and_then(|value| value.to_property(References::Expand).ok());
        if let Some(value) = &value {
            let text = match self.output_format {
                RunFormat::Text => shown(value, secrets),
                RunFormat::Json => value_json(value, secrets),
            };
            print(&format!("{text}\n"))?;
        }
        tell(&evaluated.report);
        Ok(Status::of(true, value.is_none()))
    }
}
