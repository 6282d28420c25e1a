//! The programs of a run, each with its configuration.

use std::sync::Arc;

use super::config;
use super::inputs::{self, Inputs};
use super::output::{Documents, complain};
use super::status::{Failure, Status};
use pcl::config::Configuration;
use pcl::render::{Report, ReportSettings};
use pcl::{Settings, Target, Workspace};

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

/// Writes the diagnostics about configuration files; `Some` if there are any, in which case nothing
/// is checked.
pub(super) fn refuse(
    inputs: &Inputs<'_>,
    documents: &mut Documents,
    reports: &ReportSettings,
) -> Result<Option<Status>, Failure> {
    inputs.discovery.diagnostics(|map, diagnostics| {
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
            let plans = documents.plans();
            let parts = plans.iter().map(|plan| plan.format.part(&report, plan.look));
            documents.program(parts.collect())?;
            files.push(format!("`{}`", report.path));
        }
        complain(&format!("error: nothing is checked until {} is valid", files.join(" and ")));
        Ok(Some(Status::Failed))
    })
}
