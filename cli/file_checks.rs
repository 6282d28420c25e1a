//! The checks of single files that are no programs: schemas and states.

use std::path::PathBuf;

use super::check::OutputArgs;
use super::output::{Documents, Main, Plan, complain, many};
use super::status::{Failure, Outcome, Status};
use pcl::render::{Report, ReportSettings, Roots, Summary};

/// The documents of such a run, and the sum of its results.
pub(super) struct FileChecks {
    documents: Documents,
    plans: Vec<Plan>,
    is_quiet: bool,
    settings: ReportSettings,
    status: Status,
    files: usize,
    errors: usize,
    warnings: usize,
}

impl FileChecks {
    pub(super) fn open(output: &OutputArgs, files: &[PathBuf]) -> Result<Self, Failure> {
        let mut settings = ReportSettings::default();
        let first = files.first().map(PathBuf::as_path);
        output.adjust(&mut settings, &Roots::find(first));
        let documents = output.open(Main::Stdout, &settings, None)?;
        Ok(Self {
            plans: documents.plans(),
            documents,
            is_quiet: output.quiet,
            settings,
            status: Status::Clean,
            files: 0,
            errors: 0,
            warnings: 0,
        })
    }

    /// Adds the report about a file.
    pub(super) fn add(&mut self, mut report: Report) -> Result<(), Failure> {
        report.settings.clone_from(&self.settings);
        let plans = self.plans.iter();
        let parts = plans.map(|plan| plan.format.part(&report, plan.look));
        self.documents.program(parts.collect())?;
        let found = &report.diagnostics;
        let wrong = found.iter().filter(|it| it.is_error()).count();
        self.files += 1;
        self.errors += wrong;
        self.warnings += found.len() - wrong;
        self.status = self.status.max(Status::of(report.readable, wrong > 0));
        Ok(())
    }

    /// Completes the documents, and says how many files of a kind were checked.
    pub(super) fn close(self, noun: &str) -> Outcome {
        self.documents.close(&Summary {
            programs: self.files,
            errors: self.errors,
            warnings: self.warnings,
            complete: self.status != Status::Failed,
            statistics: None,
        })?;
        if !self.is_quiet {
            let files = many(self.files, noun);
            let errors = many(self.errors, "error");
            let warnings = many(self.warnings, "warning");
            complain(&format!("checked {files}: {errors}, {warnings}"));
        }
        Ok(self.status)
    }
}
