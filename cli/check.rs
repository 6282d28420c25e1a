//! `pcl check`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::ArgPredicate;
use pcl::Target;
use pcl::diagnostics::Severity;
use pcl::render::{DocsUrl, Format, ReportSettings, Roots, Statistics, Summary};

use crate::adoption::{Adoption, AdoptionArgs, Taken};
use crate::component_packages;
use crate::edited::report_leftovers;
use crate::everywhere::is_quiet;
use crate::fix::{Editor, Edits, FixArgs, Mode, components_first};
use crate::inputs::{Inputs, SettingsArgs};
use crate::jobs::{self, Job, Outline, Pass, Workspaces, outline};
use crate::output::{Documents, Main, Request, complain, many};
use crate::selection::{Selection, SelectionArgs};
use crate::status::{Failure, Outcome, Status};
use crate::terminal::Progress;
use crate::watch::{self, Kept, Places, Watch};
use crate::whole_programs::ShownFiles;

#[derive(Args)]
pub(crate) struct Check {
    /// Program directories or single .pp files; `-` reads a file from standard input
    #[arg(
        value_name = "PATH",
        default_value = ".",
        default_value_if("stdin_filename", ArgPredicate::IsPresent, "-")
    )]
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
    #[arg(short, long, value_name = "N", value_parser = threads)]
    jobs: Option<NonZeroUsize>,
    /// Check again whenever a file changes that a program depends on
    #[arg(
        short = 'W',
        long,
        conflicts_with_all = ["diff", "add_ignore", "changed_since"]
    )]
    watch: bool,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    fix: FixArgs,
    #[command(flatten)]
    adoption: AdoptionArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// End with status 0 even if there are errors; wrong usage, and files that cannot be read, end
    /// with 2 all the same
    #[arg(long, help_heading = "Output", conflicts_with = "watch")]
    exit_zero: bool,
    /// Add the number of diagnostics of each code to json, json-lines and sarif; otherwise print it
    /// on standard error
    #[arg(long, help_heading = "Output")]
    statistics: bool,
    /// Show at most this many diagnostics in the formats full and concise; by default, or with
    /// `none`, all of them
    #[arg(long, value_name = "N", value_parser = limit, help_heading = "Output")]
    max_diagnostics: Option<Limit>,
    /// Print a line for each program
    #[arg(short, long, help_heading = "Output", conflicts_with = "quiet")]
    verbose: bool,
}

#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = Request::parse, help = formats())]
    output_format: Vec<Request>,
    /// The address of the pages about codes; `{code}` in it stands for the code
    #[arg(long, value_name = "URL", value_parser = DocsUrl::parse)]
    docs_url: Option<DocsUrl>,
}

/// The help of `--output-format`.
fn formats() -> String {
    let [names @ .., last] = Format::ALL.map(Format::name);
    let names = names.join(", ");
    format!("{names} or {last}, on standard output or in a file; repeatable")
}

/// The largest number of diagnostics to show; `None` for all.
#[derive(Clone, Copy)]
struct Limit(Option<usize>);

fn threads(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "expected a number of at least 1")
}

fn limit(text: &str) -> Result<Limit, &'static str> {
    match text {
        "none" => Ok(Limit(None)),
        number => match number.parse() {
            Ok(number) => Ok(Limit(Some(number))),
            Err(_) => Err("expected a number or `none`"),
        },
    }
}

impl Check {
    pub(crate) fn run(&self) -> Outcome {
        self.fix.check()?;
        if !self.watch {
            return match self.once(None)? {
                Status::Found if self.exit_zero => Ok(Status::Clean),
                status => Ok(status),
            };
        }
        if self.paths.iter().any(|path| path == Path::new("-")) {
            return Err(Failure::usage("standard input cannot be watched"));
        }
        watch::run(|watch| self.once(Some(watch)))
    }

    /// Checks the programs once; before that, what they depend on is watched from now on.
    fn once(&self, mut watch: Option<&mut Watch>) -> Outcome {
        let inputs = self.settings.inputs()?;
        let adoption = self.adoption.open()?;
        let (targets, shown, excludes_input) = self.select(&inputs)?;
        let roots = Roots::find(targets.first().and_then(Target::place));
        let workspaces = Workspaces::new(&targets, &inputs, |settings| {
            settings.options.diagnostics_only = true;
            settings.threads = self.jobs;
            self.output.adjust(&mut settings.reports, &roots);
        });
        let jobs = workspaces.jobs(&targets);
        if let Some(watch) = watch.as_deref_mut() {
            let places = self.places(&jobs, &inputs, &mut watch.kept);
            watch.observe(places)?;
        }
        let is_watched = watch.is_some();
        let mut unwatched = Kept::default();
        let kept = watch.map_or(&mut unwatched, |watch| &mut watch.kept);
        let mut reports = jobs.first().map(|job| job.configuration.settings().reports);
        let reports = reports.get_or_insert_default();
        self.output.adjust(reports, &roots);
        let limit = self.max_diagnostics.and_then(|limit| limit.0);
        let mut documents = self.output.open(self.fix.destination(&self.paths), reports, limit)?;
        let invalid = jobs::report_configurations(&inputs.discovery, &mut documents, reports)?;
        let jobs = match &invalid {
            Some(_) => workspaces.valid_jobs(&targets, &inputs),
            None => jobs,
        };
        if let Some(invalid) = &invalid
            && jobs.is_empty()
        {
            documents.close(&Tally::of_invalid(invalid).end(false))?;
            return Ok(Status::Failed);
        }
        let plans = documents.plans();
        kept.render_as(&plans, reports);
        let mut editor = Editor::new(&self.fix)?;
        if excludes_input {
            editor.repeat_input()?;
        }
        let pass = Pass {
            mode: self.fix.mode(),
            shown: &shown,
            adoption: &adoption,
            plans: &plans,
            reports,
            is_last: jobs.len() == 1 && !is_watched,
        };
        let kept = if is_watched { Some(kept) } else { None };
        let mut tally = invalid.as_ref().map(Tally::of_invalid).unwrap_or_default();
        tally.taken = adoption.nothing();
        let tally = self.check_all(&jobs, &pass, kept, tally, &mut documents, &mut editor)?;
        let status = self.finish(&tally, documents, editor, adoption)?;
        if !is_watched {
            // The process ends next, which gives the memory back faster than taking the schemas
            // apart.
            std::mem::forget(workspaces);
        }
        Ok(status)
    }

    /// The programs that are checked, the files that are shown of them, and whether the file on
    /// standard input is left out.
    fn select(&self, inputs: &Inputs<'_>) -> Result<(Vec<Target>, ShownFiles, bool), Failure> {
        let name = self.stdin_filename.as_deref();
        let Selection { mut targets, left_out, excludes_input } =
            self.selection.select(&self.paths, self.recursive, name, &inputs.discovery)?;
        component_packages::add_parts(&mut targets, &self.paths, self.recursive);
        let mut shown = if self.whole_programs {
            ShownFiles::widen(&mut targets)
        } else {
            ShownFiles::default()
        };
        shown.leave_out(left_out);
        shown.show_components_once(&targets);
        self.selection.retain_changed(&mut targets, inputs)?;
        if !self.fix.mode().is_parallel() {
            report_leftovers(&targets);
            components_first(&mut targets);
        }
        Ok((targets, shown, excludes_input))
    }

    /// Checks all programs, edits them, and writes their reports in order. Those in `kept` are not
    /// checked again, and it gets the others.
    fn check_all(
        &self,
        jobs: &[Job<'_>],
        pass: &Pass<'_>,
        kept: Option<&mut Kept>,
        mut tally: Tally,
        documents: &mut Documents,
        editor: &mut Editor<'_>,
    ) -> Result<Tally, Failure> {
        let is_wanted = !is_quiet() && documents.has_whole_lines();
        let progress = Progress::new(jobs.len(), is_wanted);
        let mut failure = None;
        let threads = jobs.first().map(|job| job.workspace.threads());
        let threads = threads.filter(|_| pass.mode.is_parallel());
        let mut fresh = Vec::new();
        let known = kept.as_deref();
        pcl::in_order(
            jobs,
            threads.unwrap_or(NonZeroUsize::MIN),
            |job| {
                let (program, edits, is_fresh) = match known.and_then(|kept| kept.get(job.target)) {
                    Some(program) => (program.clone(), Edits::default(), false),
                    None => {
                        let (program, edits) = outline(job, pass);
                        (program, edits, true)
                    }
                };
                progress.add_one();
                (*job, program, edits, is_fresh)
            },
            |(job, mut program, edits, is_fresh)| {
                if failure.is_none() {
                    match progress.suspend(|| editor.apply(job.target, &edits)) {
                        Ok(true) => {}
                        // The report is about the program as it is.
                        Ok(false) => {
                            let mode = Mode::Check;
                            (program, _) = outline(&job, &Pass { mode, ..*pass });
                        }
                        Err(error) => failure = Some(error),
                    }
                }
                tally.add(&program);
                if is_fresh && known.is_some() {
                    fresh.push((job.target, program.clone()));
                }
                progress.suspend(|| {
                    if self.verbose && is_fresh {
                        complain(&program.line());
                    }
                    if let Some(crash) = &program.crash {
                        complain(&crash.report(Some(&program.path)));
                    }
                    editor.count(program.fixable);
                    if failure.is_none() {
                        failure = documents.program(program.parts).err();
                    }
                    if failure.is_none() && progress.is_shown() {
                        failure = documents.flush().err();
                    }
                });
            },
        );
        progress.finish();
        if let Some(kept) = kept {
            for (target, program) in fresh {
                kept.put(target, program);
            }
        }
        failure.map_or(Ok(tally), Err)
    }

    /// Ends the reports, and says what was done in all.
    fn finish(
        &self,
        tally: &Tally,
        documents: Documents,
        mut editor: Editor<'_>,
        adoption: Adoption,
    ) -> Outcome {
        let in_document = documents.has_statistics();
        documents.close(&tally.end(self.statistics))?;
        if self.statistics && !in_document {
            tally.print_statistics();
        }
        let edits = editor.finish()?;
        let said = adoption.finish(&tally.taken, tally.is_complete())?;
        if !is_quiet() {
            // Nothing was written, so the programs are not as they were checked.
            if !self.fix.diff {
                complain(&tally.summary());
            }
            said.iter().chain(&edits).for_each(|line| complain(line));
        }
        let status = tally.status(self.settings.levels.error_on_warning);
        Ok(match editor.status() {
            Some(own) if status < Status::Failed => own,
            _ => status,
        })
    }
}

impl Check {
    /// The places whose changes may change what is reported.
    fn places(&self, jobs: &[Job<'_>], inputs: &Inputs<'_>, kept: &mut Kept) -> Places {
        let mut places = Places::default();
        for path in &self.paths {
            places.add_path(path, self.recursive);
        }
        for job in jobs {
            let schemas = inputs.settings(job.configuration).schemas;
            if let Some(place) = job.target.place() {
                let directories = kept.directories(place);
                places.add_program(directories, job.configuration, &schemas);
            }
        }
        places
    }
}

impl OutputArgs {
    /// Puts what the flags say into the settings of reports.
    pub(super) fn adjust(&self, reports: &mut ReportSettings, roots: &Roots) {
        reports.roots.clone_from(roots);
        if let Some(docs_url) = &self.docs_url {
            reports.docs_url.clone_from(docs_url);
        }
    }

    /// Returns true if a document is asked for.
    pub(super) fn is_asked_for(&self) -> bool {
        !self.output_format.is_empty()
    }

    /// Returns true if a document is asked for on standard output.
    pub(super) fn is_on_stdout(&self) -> bool {
        self.output_format.iter().any(Request::is_on_stdout)
    }

    pub(super) fn open(
        &self,
        main: Main,
        settings: &ReportSettings,
        limit: Option<usize>,
    ) -> Result<Documents, Failure> {
        Documents::open(&self.output_format, main, settings, limit)
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
    statistics: Statistics,
    taken: Taken,
}

impl Tally {
    /// The results of configurations that are not valid.
    fn of_invalid(diagnostics: &Statistics) -> Self {
        Self {
            errors: diagnostics.errors(),
            warnings: diagnostics.count(Severity::Warning),
            unreadable: true,
            statistics: diagnostics.clone(),
            ..Self::default()
        }
    }

    fn add(&mut self, outline: &Outline) {
        let (errors, warnings) = (outline.errors(), outline.warnings());
        self.programs += 1;
        self.refused += usize::from(errors > 0);
        self.errors += errors;
        self.warnings += warnings;
        self.unreadable |= !outline.readable;
        self.crashed |= outline.crash.is_some();
        self.failed |= outline.warnings_fail && warnings > 0;
        self.statistics.merge(&outline.statistics);
        self.taken.add(&outline.taken);
    }

    /// Returns true if all programs could be read and checked.
    fn is_complete(&self) -> bool {
        !self.crashed && !self.unreadable
    }

    /// The results that end a document.
    fn end(&self, with_statistics: bool) -> Summary {
        Summary {
            programs: self.programs,
            errors: self.errors,
            warnings: self.warnings,
            complete: self.is_complete(),
            statistics: with_statistics.then(|| self.statistics.clone()),
            left_out: self.taken.left_out,
        }
    }

    fn status(&self, error_on_warning: bool) -> Status {
        if self.crashed {
            return Status::Crashed;
        }
        let counted = self.errors + if error_on_warning { self.warnings } else { 0 };
        Status::of(!self.unreadable, self.failed || counted > 0)
    }

    fn summary(&self) -> String {
        let programs = many(self.programs, "program");
        let found = match (self.errors, self.warnings) {
            (0, 0) => format!("checked {programs}: no errors"),
            (0, warnings) => {
                format!("checked {programs}: no errors, {}", many(warnings, "warning"))
            }
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
        };
        match self.taken.left_out {
            left_out if left_out.is_empty() => found,
            left_out => format!("{found}; {left_out}"),
        }
    }

    /// One line for each code, the most frequent first.
    fn print_statistics(&self) {
        for row in self.statistics.rows() {
            complain(&format!("{:>7}  {}  {:<7}  {}", row.count, row.code, row.severity, row.name));
        }
    }
}
