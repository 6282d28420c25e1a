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
    summary: Summary,
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
            summary: Summary::NONE,
        })
    }

    /// Adds the report about a file.
    pub(super) fn add(&mut self, mut report: Report) -> Result<(), Failure> {
        report.settings.clone_from(&self.settings);
        let plans = self.plans.iter();
        let parts = plans.map(|plan| plan.format.part(&report, plan.look));
        self.documents.program(parts.collect())?;
        self.summary.add(&report);
        Ok(())
    }

    /// Completes the documents, and says how many files of a kind were checked.
    pub(super) fn close(self, noun: &str) -> Outcome {
        let Summary { programs, errors, warnings, complete, .. } = self.summary;
        self.documents.close(&self.summary)?;
        if !self.is_quiet {
            let (files, errors) = (many(programs, noun), many(errors, "error"));
            complain(&format!("checked {files}: {errors}, {}", many(warnings, "warning")));
        }
        Ok(Status::of(complete, errors > 0))
    }
}
