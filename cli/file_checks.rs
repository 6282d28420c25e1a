//! The checks of single files: schemas, states, and the layout of programs.

use std::path::{Path, PathBuf};

use super::check::OutputArgs;
use super::jobs;
use super::output::{Documents, Main, many};
use super::status::{Failure, Outcome, Status};
use crate::everywhere::summarize;
use pcl::config::Discovery;
use pcl::render::{Report, ReportSettings, Roots, Summary};

/// The documents of a run over files, and the sum of its results.
pub(super) struct FileChecks {
    documents: Documents,
    settings: ReportSettings,
    summary: Summary,
}

impl FileChecks {
    pub(super) fn open(output: &OutputArgs, files: &[PathBuf]) -> Result<Self, Failure> {
        let first = files.first().map(PathBuf::as_path);
        Self::with_settings(output, first, Main::Stdout, ReportSettings::default())
    }

    /// The documents of a run whose configuration has these settings; `first` is its first file.
    pub(super) fn with_settings(
        output: &OutputArgs,
        first: Option<&Path>,
        main: Main,
        mut settings: ReportSettings,
    ) -> Result<Self, Failure> {
        output.adjust(&mut settings, &Roots::find(first));
        let documents = output.open(main, &settings, None)?;
        Ok(Self { documents, settings, summary: Summary::NONE })
    }

    /// Adds the report about a file.
    pub(super) fn add(&mut self, mut report: Report) -> Result<(), Failure> {
        report.settings.clone_from(&self.settings);
        self.documents.add(&report)?;
        self.summary.add(&report);
        Ok(())
    }

    /// Adds the configuration files that are not valid. Returns true if there are any.
    pub(super) fn add_configurations(&mut self, discovery: &Discovery) -> Result<bool, Failure> {
        let found = jobs::report_configurations(discovery, &mut self.documents, &self.settings)?;
        self.summary.complete &= found.is_none();
        Ok(found.is_some())
    }

    /// Completes the documents.
    pub(super) fn finish(self) -> Result<Summary, Failure> {
        self.documents.close(&self.summary)?;
        Ok(self.summary)
    }

    /// Completes the documents, and says how many files of a kind were checked.
    pub(super) fn close(self, noun: &str) -> Outcome {
        let Summary { programs, errors, warnings, complete, .. } = self.finish()?;
        summarize(&format!(
            "checked {}: {}, {}",
            many(programs, noun),
            many(errors, "error"),
            many(warnings, "warning")
        ));
        Ok(Status::of(complete, errors > 0))
    }
}
