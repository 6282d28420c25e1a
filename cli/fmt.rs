//! `pcl fmt`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use clap::builder::ArgPredicate;

use super::changed_since::Changes;
use super::check::OutputArgs;
use super::config::{self, ConfigArgs};
use super::dump::tell;
use super::edited::{Writer, place, report_leftovers};
use super::file_checks::FileChecks;
use super::hints;
use super::inputs::{self, standard_input};
use super::output::{Main, Sink, many};
use super::selection::{LeftOut, SelectionArgs};
use super::status::{Failure, Outcome, Status};
use crate::everywhere::summarize;
use pcl::binder::{MAX_FILE_BYTES, OpenFiles};
use pcl::config::Discovery;
use pcl::diagnostics::{Code, Diagnostic, SourceMap};
use pcl::format::{format, format_range};
use pcl::render::{Report, unified_diff};
use pcl::syntax::SyntaxTree;
use pcl::{Target, unformatted};

#[derive(Args)]
pub(crate) struct Fmt {
    /// Program directories or single .pp files; `-` formats standard input to standard output
    #[arg(
        value_name = "PATH",
        default_value = ".",
        default_value_if("stdin_filename", ArgPredicate::IsPresent, "-")
    )]
    paths: Vec<PathBuf>,
    /// Format every directory at or below each PATH that contains .pp files
    #[arg(short, long)]
    recursive: bool,
    /// Name of the file on standard input, for diagnostics
    #[arg(long, value_name = "NAME")]
    stdin_filename: Option<String>,
    /// Write nothing; name the files that are not formatted, or report them in the format of
    /// `--output-format`, and exit with status 1 if there are any
    #[arg(long)]
    check: bool,
    /// Write nothing; show what would change, and exit with status 1 if anything would
    #[arg(long)]
    diff: bool,
    /// Format only these lines, counted from 1, of a single file
    #[arg(long, value_name = "START-END", value_parser = line_range)]
    range: Option<RangeInclusive<usize>>,
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// A range of lines as the command line gives it.
fn line_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    match (start.trim().parse(), end.trim().parse()) {
        (Ok(start), Ok(end)) if 0 < start && start <= end => Ok(start..=end),
        _ => Err("expected two line numbers, as in `10-20`".to_owned()),
    }
}

/// The sums over a run.
#[derive(Default)]
struct Tally {
    changed: usize,
    unchanged: usize,
    /// Files that do not parse.
    broken: usize,
    refused: bool,
    /// Set when a file could not be read or written.
    failed: bool,
}

/// The destinations of a run, and its sums.
struct Run {
    sink: Sink,
    /// The documents that are asked for.
    documents: Option<FileChecks>,
    writer: Writer,
    tally: Tally,
}

impl Fmt {
    pub(crate) fn run(&self) -> Outcome {
        self.refuse_documents()?;
        let name = self.stdin_filename.as_deref();
        let discovery = self.config.discovery()?;
        let selection = self.selection.select(&self.paths, self.recursive, name, &discovery)?;
        let mut documents = self.documents(&selection.targets, &discovery)?;
        let invalid = documents.as_mut().map(|it| it.add_configurations(&discovery)).transpose()?;
        if let Some(documents) = documents.take_if(|_| invalid == Some(true)) {
            documents.finish()?;
            return Ok(Status::Failed);
        }
        config::refuse_errors(&discovery)?;
        let (sink, writer) = (Sink::stdout(), Writer::new()?);
        let mut run = Run { sink, documents, writer, tally: Tally::default() };
        report_leftovers(&selection.targets);
        if selection.excludes_input && !self.is_dry() {
            run.sink.write(&standard_input(MAX_FILE_BYTES)?)?;
        }
        let mut changes = self.selection.changes()?;
        for target in &selection.targets {
            self.format_program(target, &selection.left_out, &mut changes, &mut run)?;
        }
        run.sink.finish()?;
        if let Some(documents) = run.documents {
            documents.finish()?;
        }
        if let Some(changes) = &changes {
            changes.explain();
        }
        let tally = run.tally;
        summarize(&tally.summary(self.is_dry()));
        let is_found = tally.refused || self.is_dry() && tally.changed > 0;
        Ok(Status::of(!tally.failed, is_found))
    }

    /// Refuses documents where the diagnostics would not be all that is printed.
    fn refuse_documents(&self) -> Result<(), Failure> {
        if self.output.is_asked_for() && !self.check {
            return Err(Failure::usage("`--output-format` goes with `--check`"));
        }
        if self.output.is_on_stdout() && self.diff {
            let message = "with `--diff`, diagnostics are written to files only, as in \
                           `--output-format json=FILE`";
            return Err(Failure::usage(message));
        }
        Ok(())
    }

    fn documents(
        &self,
        targets: &[Target],
        discovery: &Discovery,
    ) -> Result<Option<FileChecks>, Failure> {
        if !self.output.is_asked_for() {
            return Ok(None);
        }
        let first = targets.first();
        let configuration = discovery.of(&first.map(inputs::directory).unwrap_or_default());
        let settings = configuration.settings().reports;
        let main = if self.output.is_on_stdout() { Main::Stdout } else { Main::Nowhere };
        let place = first.and_then(Target::place);
        FileChecks::with_settings(&self.output, place, main, settings).map(Some)
    }

    /// Formats the files of a program, those excepted that are left out or have not changed.
    fn format_program(
        &self,
        target: &Target,
        left_out: &LeftOut,
        changes: &mut Option<Changes>,
        run: &mut Run,
    ) -> Result<(), Failure> {
        let mut map = SourceMap::new();
        let (sources, mut diagnostics) = target.read(&OpenFiles::default(), &mut map);
        hints::name_flags(&mut diagnostics);
        let is_missing = |diagnostic: &Diagnostic| diagnostic.code != Code::NoProgramFiles;
        run.tally.failed |= diagnostics.iter().any(is_missing);
        for source in &sources.files {
            let file = place(target, &source.name);
            if let Target::Path(directory) = target
                && left_out.contains(directory, source.name.as_ref())
            {
                continue;
            }
            if let (Some(file), Some(changes)) = (&file, &mut *changes)
                && !changes.touch_file(file)?
            {
                continue;
            }
            let Some(text) = self.formatted(&source.tree) else {
                run.tally.broken += 1;
                diagnostics.extend(source.tree.diagnostics(source.file));
                continue;
            };
            let old = &**source.tree.text();
            let is_written = match file {
                _ if self.is_dry() => {
                    self.show(map.path(source.file), old, &text, &mut run.sink)?;
                    if run.documents.is_some() {
                        diagnostics.extend(unformatted(source.file, old, &text));
                    }
                    true
                }
                None => run.sink.write(text.as_bytes()).map(|()| true)?,
                Some(file) if text != old => {
                    run.writer.write(target, &file, source.tree.text(), &text)
                }
                Some(_) => true,
            };
            run.tally.failed |= !is_written;
            run.tally.changed += usize::from(is_written && text != old);
            run.tally.unchanged += usize::from(is_written && text == old);
        }
        let is_layout = |it: &Diagnostic| it.code == Code::UnformattedFile;
        run.tally.refused |= !diagnostics.iter().all(is_layout);
        pcl::diagnostics::sort(&mut diagnostics);
        let mut report = Report::new(target.display(), map, diagnostics);
        if let Some(documents) = &mut run.documents {
            report.on_disk = target.place().is_some();
            documents.add(report.clone())?;
        }
        if !self.output.is_on_stdout() {
            report.diagnostics.retain(|it| !is_layout(it));
            tell(&report);
        }
        Ok(())
    }

    /// Returns true if no file is to be written.
    fn is_dry(&self) -> bool {
        self.check || self.diff
    }

    /// The text of a file in canonical form; `None` if the file does not parse.
    fn formatted(&self, tree: &SyntaxTree) -> Option<String> {
        match &self.range {
            Some(range) => format_range(tree, range.clone()),
            None => format(tree),
        }
    }

    /// Writes what `--check` and `--diff` say about a file.
    fn show(&self, path: &str, old: &str, new: &str, sink: &mut Sink) -> Result<(), Failure> {
        if old == new {
            return Ok(());
        }
        if self.check && !self.output.is_on_stdout() {
            sink.write(format!("{path}\n").as_bytes())?;
        }
        if self.diff {
            sink.write(unified_diff(path, old, new).as_bytes())?;
        }
        Ok(())
    }
}

impl Tally {
    fn summary(&self, is_dry: bool) -> String {
        let changed = many(self.changed, "file");
        let verb = if is_dry { "would be reformatted" } else { "reformatted" };
        let mut summary = format!("{changed} {verb}, {} already formatted", self.unchanged);
        if self.broken > 0 {
            summary += &format!(", {} could not be parsed", self.broken);
        }
        summary
    }
}
