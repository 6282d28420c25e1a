//! `pcl check`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use super::allocator;
use super::color::Color;
use super::crash::{self, Crash};
use super::fix::{Editor, Edits, FixArgs, Mode, fixable};
use super::hints;
use super::inputs::{Inputs, SchemaArgs, StrictnessArgs};
use super::jobs::{self, Job, Workspaces};
use super::levels::LevelArgs;
use super::output::{Documents, Main, Plan, Request, complain};
use super::selection::{Selection, SelectionArgs};
use super::status::{Failure, Outcome, Status};
use super::whole_programs::ShownFiles;
use pcl::Target;
use pcl::diagnostics::{Code, Diagnostic, Severity, SourceMap, Span, TextRange};
use pcl::render::Report;

#[derive(Args)]
pub(crate) struct Check {
    /// Program directories or single .pp files; `-` reads a file from standard input
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Check every directory at or below each PATH that contains .pp files
    #[arg(short, long)]
    recursive: bool,
    /// Check each file with the other files of its directory, and show only what concerns it
    #[arg(long)]
    whole_programs: bool,
    /// Name of the file on standard input, for diagnostics
    #[arg(long, value_name = "NAME")]
    stdin_filename: Option<String>,
    /// The number of threads; by default as many as the machine has
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    strictness: StrictnessArgs,
    #[command(flatten)]
    levels: LevelArgs,
    #[command(flatten)]
    fix: FixArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Print the number of diagnostics of each code on standard error
    #[arg(long, help_heading = "Output", conflicts_with = "quiet")]
    statistics: bool,
    /// Print a line for each program
    #[arg(short, long, help_heading = "Output", conflicts_with = "quiet")]
    verbose: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// full, concise, json or json-lines, on standard output or in a file; repeatable
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = Request::parse)]
    output_format: Vec<Request>,
    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

impl Check {
    pub(crate) fn run(&self) -> Outcome {
        self.levels.check()?;
        self.fix.check()?;
        let inputs = Inputs::new(&self.schemas, &self.strictness)?;
        let name = self.stdin_filename.as_deref();
        let Selection {
            mut targets,
            left_out,
        } = self
            .selection
            .select(&self.paths, self.recursive, name, &inputs.discovery)?;
        let mut shown = match self.whole_programs {
            true => ShownFiles::widen(&mut targets),
            false => ShownFiles::default(),
        };
        shown.leave_out(left_out);
        self.selection.retain_changed(&mut targets, &inputs)?;
        let mut documents = self.output.open(self.fix.destination(&self.paths))?;
        let plans = documents.plans();
        let workspaces = Workspaces::new(&targets, &inputs, |settings| {
            self.levels.apply(&mut settings.options);
            settings.threads = self.jobs;
        });
        if let Some(status) = jobs::refuse(&inputs, &mut documents)? {
            documents.close()?;
            return Ok(status);
        }

        let mut tally = Tally::default();
        let mut failure = None;
        let mut editor = Editor::new(&self.fix)?;
        let mode = self.fix.mode();
        let jobs = workspaces.jobs(&targets);
        let threads = jobs.first().map(|job| job.workspace.threads());
        let threads = threads.filter(|_| mode.is_parallel());
        let is_only = jobs.len() == 1;
        pcl::in_order(
            &jobs,
            threads.unwrap_or(NonZeroUsize::MIN),
            |job| {
                allocator::advise();
                outline(job, mode, &shown, &plans, is_only)
            },
            |program| {
                tally.add(&program);
                if self.verbose {
                    complain(&program.line());
                }
                if let Some(crash) = &program.crash {
                    complain(&crash.report(Some(&program.path)));
                }
                editor.count(program.fixable);
                if failure.is_none() {
                    let edited = editor.apply(program.target, &program.edits);
                    let written = edited.and_then(|()| documents.program(&program.parts));
                    failure = written.err();
                }
            },
        );
        if let Some(failure) = failure {
            return Err(failure);
        }
        documents.close()?;
        if self.statistics {
            tally.print_statistics();
        }
        let edits = editor.finish()?;
        if !self.output.quiet {
            complain(&tally.summary());
            edits.iter().for_each(|line| complain(line));
        }
        let status = tally.status(self.levels.error_on_warning);
        Ok(match editor.status() {
            Some(own) if status < Status::Failed => own,
            _ => status,
        })
    }
}

impl OutputArgs {
    pub(super) fn open(&self, main: Main) -> Result<Documents, Failure> {
        Documents::open(&self.output_format, self.color.on_stdout(), main)
    }
}

/// The summary of a checked program that is kept.
struct Outline<'a> {
    target: &'a Target,
    path: String,
    /// Its part of each document.
    parts: Vec<Vec<u8>>,
    diagnostics: Vec<(Code, Severity)>,
    /// The number of diagnostics with a safe fix, and of those with an unsafe one only.
    fixable: [usize; 2],
    edits: Edits,
    files: usize,
    readable: bool,
    crash: Option<Crash>,
    /// Set if warnings make the exit status 1.
    warnings_fail: bool,
    time: Duration,
}

/// Checks a program and renders what was found; the program itself is dropped.
fn outline<'a>(
    job: &Job<'a>,
    mode: Mode<'_>,
    shown: &ShownFiles,
    plans: &[Plan],
    is_only: bool,
) -> Outline<'a> {
    let start = Instant::now();
    let warnings_fail = job.configuration.error_on_warning();
    let render = |report: &Report<'_>| {
        plans
            .iter()
            .map(|plan| plan.format.render(report, plan.look))
            .collect()
    };
    let done = crash::catch(|| {
        let is_shown = shown.of(job.target);
        let (mut checked, edits) = mode.check(job, &is_shown);
        let sources = &checked.sources;
        checked.diagnostics.retain(|it| is_shown(sources, it));
        hints::name_flags(&mut checked.diagnostics);
        let outline = Outline {
            target: job.target,
            fixable: fixable(&checked.diagnostics),
            edits,
            parts: render(&checked.report()),
            diagnostics: kinds(&checked.diagnostics),
            files: checked.sources.files().count(),
            readable: checked.readable,
            path: checked.path,
            crash: None,
            warnings_fail,
            time: start.elapsed(),
        };
        if is_only {
            // The process ends next, which gives the memory back faster than taking the program
            // apart.
            std::mem::forget(checked.program);
        }
        outline
    });
    done.unwrap_or_else(|crash| {
        let path = job.target.display();
        let mut sources = SourceMap::new();
        let place = Span::new(sources.add(path.clone(), ""), TextRange::empty(0));
        let diagnostics = [Diagnostic::bug(place, crash.summary())];
        let report = Report {
            path: &path,
            sources: &sources,
            diagnostics: &diagnostics,
        };
        Outline {
            target: job.target,
            fixable: [0; 2],
            edits: Edits::default(),
            parts: render(&report),
            diagnostics: kinds(&diagnostics),
            files: 0,
            readable: true,
            crash: Some(crash),
            warnings_fail,
            time: start.elapsed(),
            path,
        }
    })
}

fn kinds(diagnostics: &[Diagnostic]) -> Vec<(Code, Severity)> {
    diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.code, diagnostic.severity))
        .collect()
}

impl Outline<'_> {
    fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|(_, own)| *own == severity)
            .count()
    }

    /// The line of `--verbose` about the program.
    fn line(&self) -> String {
        let (errors, warnings) = (
            self.diagnostics.len() - self.count(Severity::Warning),
            self.count(Severity::Warning),
        );
        format!(
            "{}: {}, {}, {}, {:.1} ms",
            self.path,
            many(self.files, "file"),
            many(errors, "error"),
            many(warnings, "warning"),
            self.time.as_secs_f64() * 1000.0,
        )
    }
}

/// The sums over a run.
#[derive(Default)]
struct Tally {
    programs: usize,
    refused: usize,
    errors: usize,
    warnings: usize,
    unreadable: bool,
    crashed: bool,
    /// Set if there are warnings that make the exit status 1.
    failed: bool,
    codes: BTreeMap<(Code, Severity), usize>,
}

impl Tally {
    fn add(&mut self, outline: &Outline<'_>) {
        let warnings = outline.count(Severity::Warning);
        let errors = outline.diagnostics.len() - warnings;
        self.programs += 1;
        self.refused += usize::from(errors > 0);
        self.errors += errors;
        self.warnings += warnings;
        self.unreadable |= !outline.readable;
        self.crashed |= outline.crash.is_some();
        self.failed |= outline.warnings_fail && warnings > 0;
        for &kind in &outline.diagnostics {
            *self.codes.entry(kind).or_default() += 1;
        }
    }

    fn status(&self, error_on_warning: bool) -> Status {
        if self.crashed {
            Status::Crashed
        } else if self.unreadable {
            Status::Failed
        } else if self.errors > 0 || self.failed || (error_on_warning && self.warnings > 0) {
            Status::Found
        } else {
            Status::Clean
        }
    }

    fn summary(&self) -> String {
        let programs = many(self.programs, "program");
        match (self.errors, self.warnings) {
            (0, 0) => format!("checked {programs}: no errors"),
            (0, warnings) => format!(
                "checked {programs}: no errors, {}",
                many(warnings, "warning")
            ),
            (errors, warnings) => {
                let place = if self.programs > 1 {
                    format!(" in {} of them", self.refused)
                } else {
                    String::new()
                };
                format!(
                    "checked {programs}: {}{place}, {}",
                    many(errors, "error"),
                    many(warnings, "warning")
                )
            }
        }
    }

    /// One line for each code, the most frequent first.
    fn print_statistics(&self) {
        let mut rows: Vec<_> = self.codes.iter().collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for ((code, severity), count) in rows {
            complain(&format!(
                "{count:>7}  {code}  {:<7}  {}",
                severity.as_str(),
                code.name()
            ));
        }
    }
}

/// `1 error`, `2 errors`.
pub(super) fn many(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
