//! `pcl state check`.

use std::path::PathBuf;

use clap::Args;

use super::read;
use crate::cli::check::OutputArgs;
use crate::cli::output::{Main, complain, many};
use crate::cli::status::{Outcome, Status};
use pcl::render::{ReportSettings, Roots, Summary};

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
        let mut settings = ReportSettings::default();
        let first = self.files.first().map(PathBuf::as_path);
        self.output.adjust(&mut settings, &Roots::find(first));
        let mut documents = self.output.open(Main::Stdout, &settings, None)?;
        let plans = documents.plans();
        let (mut errors, mut warnings, mut status) = (0, 0, Status::Clean);
        for file in &self.files {
            let mut checked = read(file)?;
            checked.settings = settings.clone();
            let report = checked.report();
            let parts: Vec<_> = plans
                .iter()
                .map(|plan| plan.format.part(&report, plan.look))
                .collect();
            documents.program(parts)?;
            let found = &checked.diagnostics;
            let wrong = found.iter().filter(|it| it.is_error()).count();
            errors += wrong;
            warnings += found.len() - wrong;
            status = status.max(super::status(&checked));
        }
        documents.close(&Summary {
            programs: self.files.len(),
            errors,
            warnings,
            complete: status != Status::Failed,
            statistics: None,
        })?;
        if !self.output.quiet {
            let files = many(self.files.len(), "state");
            let errors = many(errors, "error");
            complain(&format!(
                "checked {files}: {errors}, {}",
                many(warnings, "warning")
            ));
        }
        Ok(status)
    }
}
