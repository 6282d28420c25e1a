//! `pcl schema check`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Outcome;
use crate::cli::check::{OutputArgs, many};
use crate::cli::output::complain;
use crate::cli::status::Status;
use pcl::check_schema;
use pcl::diagnostics::Diagnostic;

#[derive(Args)]
pub(crate) struct Check {
    /// Schema files: .json, .json.gz, .yaml or .yml
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

impl Check {
    pub(crate) fn run(&self) -> Outcome {
        let mut documents = self.output.open()?;
        let plans = documents.plans();
        let (mut errors, mut warnings, mut status) = (0, 0, Status::Clean);
        for file in &self.files {
            let checked = check_schema(file);
            let report = checked.report();
            let parts: Vec<_> = plans
                .iter()
                .map(|plan| plan.format.render(&report, plan.color))
                .collect();
            documents.program(&parts)?;
            let found = &checked.diagnostics;
            let wrong = found
                .iter()
                .filter(|finding| Diagnostic::is_error(finding))
                .count();
            errors += wrong;
            warnings += found.len() - wrong;
            status = status.max(match (checked.readable, wrong) {
                (false, _) => Status::Failed,
                (true, 0) => Status::Clean,
                (true, _) => Status::Found,
            });
        }
        documents.close()?;
        if !self.output.quiet {
            let files = many(self.files.len(), "schema");
            let errors = many(errors, "error");
            complain(&format!(
                "checked {files}: {errors}, {}",
                many(warnings, "warning")
            ));
        }
        Ok(status)
    }
}
