//! The programs of a run, each with its configuration and, once it is checked, its summary.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pcl::config::{Configuration, Discovery};
use pcl::diagnostics::{Diagnostic, Severity, SourceMap, Span, TextRange};
use pcl::render::{Part, Report, ReportSettings, Statistics};
use pcl::{Settings, Target, Workspace};

use super::adoption::{Adoption, Taken};
use super::fix::{Edits, Mode, fixable};
use super::inputs::{self, Inputs};
use super::output::{Documents, Plan, complain, many};
use super::status::{self, Crash, Failure};
use super::whole_programs::ShownFiles;
use super::{config, hints};

/// A program with its configuration and the workspace that checks it.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub(super) target: &'a Target,
    pub(super) workspace: &'a Workspace,
    pub(super) configuration: &'a Configuration,
}

/// The workspaces of a run: one for the programs of each configuration.
pub(super) struct Workspaces {
    each: Vec<(Arc<Configuration>, Workspace)>,
    /// For each program, the position of its workspace.
    positions: Vec<usize>,
}

impl Workspaces {
    /// Finds the configuration of each program. `adjust` has the last word on the settings.
    pub(super) fn new(
        targets: &[Target],
        inputs: &Inputs<'_>,
        adjust: impl Fn(&mut Settings),
    ) -> Self {
        let mut each: Vec<(Arc<Configuration>, Workspace)> = Vec::new();
        let mut positions = Vec::with_capacity(targets.len());
        for target in targets {
            let configuration = inputs.discovery.of(&inputs::directory(target));
            let mut known = each.iter();
            let known = known.position(|(known, _)| Arc::ptr_eq(known, &configuration));
            positions.push(known.unwrap_or_else(|| {
                let mut settings = inputs.settings(&configuration);
                adjust(&mut settings);
                each.push((configuration, Workspace::new(settings)));
                each.len() - 1
            }));
        }
        Self { each, positions }
    }

    /// The programs in their order, without those whose configuration is not valid.
    pub(super) fn valid_jobs<'a>(
        &'a self,
        targets: &'a [Target],
        inputs: &Inputs<'_>,
    ) -> Vec<Job<'a>> {
        let mut jobs = self.jobs(targets);
        jobs.retain(|job| inputs.discovery.is_valid(&inputs::directory(job.target)));
        jobs
    }

    /// The programs in their order.
    pub(super) fn jobs<'a>(&'a self, targets: &'a [Target]) -> Vec<Job<'a>> {
        let jobs = targets.iter().zip(&self.positions);
        let jobs = jobs.filter_map(|(target, &position)| {
            let (configuration, workspace) = self.each.get(position)?;
            Some(Job { target, workspace, configuration })
        });
        jobs.collect()
    }
}

/// Writes the diagnostics about configuration files, and returns their numbers; `None` if there are
/// none. The programs of such files are not to be checked.
pub(super) fn report_configurations(
    discovery: &Discovery,
    documents: &mut Documents,
    reports: &ReportSettings,
) -> Result<Option<Statistics>, Failure> {
    discovery.diagnostics(|map, diagnostics| {
        if diagnostics.is_empty() {
            return Ok(None);
        }
        let mut files = Vec::new();
        for (path, diagnostics) in config::reports(map, diagnostics) {
            let report = Report {
                on_disk: true,
                settings: reports.clone(),
                ..Report::new(path, map.clone(), diagnostics)
            };
            documents.add(&report)?;
            files.push(format!("`{}`", report.path));
        }
        let these = if files.len() > 1 { "these are" } else { "it is" };
        let files = files.join(" and ");
        complain(&format!("error: the programs of {files} are not checked until {these} valid"));
        Ok(Some(diagnostics.iter().collect()))
    })
}

/// The summary of a checked program.
#[derive(Clone)]
pub(super) struct Outline {
    pub(super) path: String,
    /// Its part of each document.
    pub(super) parts: Vec<Part>,
    pub(super) statistics: Statistics,
    /// The number of diagnostics with a safe fix, and of those with an unsafe one only.
    pub(super) fixable: [usize; 2],
    files: usize,
    pub(super) readable: bool,
    /// The diagnostics that do not count.
    pub(super) taken: Taken,
    pub(super) crash: Option<Crash>,
    /// Set if warnings make the exit status 1.
    pub(super) warnings_fail: bool,
    time: Duration,
}

/// The settings that all programs of a run are checked and rendered with.
#[derive(Clone, Copy)]
pub(super) struct Pass<'p> {
    pub(super) mode: Mode<'p>,
    pub(super) shown: &'p ShownFiles,
    pub(super) adoption: &'p Adoption,
    pub(super) plans: &'p [Plan],
    pub(super) reports: &'p ReportSettings,
    /// Set if the process ends behind the program.
    pub(super) is_last: bool,
}

/// Checks a program and renders its diagnostics; the program itself is dropped.
pub(super) fn outline(job: &Job<'_>, pass: &Pass<'_>) -> (Outline, Edits) {
    let &Pass { mode, shown, adoption, plans, reports, is_last } = pass;
    let start = Instant::now();
    let warnings_fail = job.configuration.error_on_warning();
    let render =
        |report: &Report| plans.iter().map(|plan| plan.format.part(report, plan.look)).collect();
    let done = status::catch(|| {
        let is_shown = shown.of(job.target);
        let (mut checked, edits) = mode.check(job, &is_shown);
        let Report { sources, diagnostics, .. } = &mut checked.report;
        diagnostics.retain(|it| is_shown(sources, it));
        let taken = adoption.take(&mut checked.report);
        hints::name_flags(&mut checked.diagnostics);
        let outline = Outline {
            fixable: fixable(&checked),
            parts: render(&checked.report),
            statistics: checked.diagnostics.iter().collect(),
            files: checked.sources.files().count(),
            readable: checked.readable,
            taken,
            path: checked.report.path,
            crash: None,
            warnings_fail,
            time: start.elapsed(),
        };
        if is_last {
            // The process ends next, which gives the memory back faster than taking the program
            // apart.
            std::mem::forget(checked.program);
        }
        (outline, edits)
    });
    done.unwrap_or_else(|crash| {
        let path = job.target.display();
        let mut sources = SourceMap::new();
        let place = Span::new(sources.add(path.clone(), ""), TextRange::empty(0));
        let report = Report {
            on_disk: job.target.place().is_some(),
            settings: reports.clone(),
            ..Report::new(path, sources, [Diagnostic::bug(place, crash.summary())])
        };
        let outline = Outline {
            fixable: [0; 2],
            parts: render(&report),
            statistics: report.diagnostics.iter().collect(),
            files: 0,
            readable: true,
            taken: Taken::default(),
            crash: Some(crash),
            warnings_fail,
            time: start.elapsed(),
            path: report.path,
        };
        (outline, Edits::default())
    })
}

impl Outline {
    pub(super) fn warnings(&self) -> usize {
        self.statistics.count(Severity::Warning)
    }

    /// The number of errors, bugs included.
    pub(super) fn errors(&self) -> usize {
        self.statistics.errors()
    }

    /// The line of `--verbose` about the program.
    pub(super) fn line(&self) -> String {
        format!(
            "{}: {}, {}, {}, {:.1} ms",
            self.path,
            many(self.files, "file"),
            many(self.errors(), "error"),
            many(self.warnings(), "warning"),
            self.time.as_secs_f64() * 1000.0,
        )
    }
}
