//! `pcl fmt`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use clap::builder::ArgPredicate;

use super::config::{self, ConfigArgs};
use super::dump::tell;
use super::edited::{Writer, place, report_leftovers};
use super::hints;
use super::inputs::standard_input;
use super::output::{Sink, complain, many};
use super::selection::SelectionArgs;
use super::status::{Failure, Outcome, Status};
use pcl::Target;
use pcl::binder::{MAX_FILE_BYTES, OpenFiles};
use pcl::diagnostics::{Code, Diagnostic, SourceMap};
use pcl::format::{format, format_range};
use pcl::render::{Report, unified_diff};
use pcl::syntax::SyntaxTree;

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
    /// Write nothing; name the files that are not formatted, and exit with status 1 if there are
    /// any
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
    /// No summary
    #[arg(short, long)]
    quiet: bool,
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

impl Fmt {
    pub(crate) fn run(&self) -> Outcome {
        let mut tally = Tally::default();
        let mut sink = Sink::stdout();
        let is_dry = self.is_dry();
        let writer = Writer::new()?;
        let name = self.stdin_filename.as_deref();
        let discovery = self.config.discovery()?;
        let selection = self.selection.select(&self.paths, self.recursive, name, &discovery)?;
        config::refuse_errors(&discovery)?;
        report_leftovers(&selection.targets);
        if selection.excludes_input && !is_dry {
            sink.write(&standard_input(MAX_FILE_BYTES)?)?;
        }
        let mut changes = self.selection.changes()?;
        for target in selection.targets {
            let mut map = SourceMap::new();
            let (sources, mut diagnostics) = target.read(&OpenFiles::default(), &mut map);
            hints::name_flags(&mut diagnostics);
            let is_missing = |diagnostic: &Diagnostic| diagnostic.code != Code::NoProgramFiles;
            tally.failed |= diagnostics.iter().any(is_missing);
            for source in &sources.files {
                let file = place(&target, &source.name);
                if let Target::Path(directory) = &target
                    && selection.left_out.contains(directory, source.name.as_ref())
                {
                    continue;
                }
                if let (Some(file), Some(changes)) = (&file, &mut changes)
                    && !changes.touch_file(file)?
                {
                    continue;
                }
                match self.format(&source.tree, map.path(source.file), &mut sink)? {
                    None => {
                        tally.broken += 1;
                        diagnostics.extend(source.tree.diagnostics(source.file));
                    }
                    Some(text) => {
                        let is_changed = text != **source.tree.text();
                        let is_written = match file {
                            _ if self.is_dry() => true,
                            None => sink.write(text.as_bytes()).map(|()| true)?,
                            Some(file) if is_changed => {
                                writer.write(&target, &file, source.tree.text(), &text)
                            }
                            Some(_) => true,
                        };
                        tally.failed |= !is_written;
                        tally.changed += usize::from(is_written && is_changed);
                        tally.unchanged += usize::from(is_written && !is_changed);
                    }
                }
            }
            tally.refused |= !diagnostics.is_empty();
            tell(&Report::new(target.display(), map, diagnostics));
        }
        sink.finish()?;
        if let Some(changes) = &changes {
            changes.explain();
        }
        if !self.quiet {
            complain(&tally.summary(is_dry));
        }
        let is_found = tally.refused || is_dry && tally.changed > 0;
        Ok(Status::of(!tally.failed, is_found))
    }

    /// Returns true if no file is to be written.
    fn is_dry(&self) -> bool {
        self.check || self.diff
    }

    /// The text of a file in canonical form, which `--check` and `--diff` report to `sink`; `None`
    /// if the file does not parse.
    fn format(
        &self,
        tree: &SyntaxTree,
        path: &str,
        sink: &mut Sink,
    ) -> Result<Option<String>, Failure> {
        let text = match &self.range {
            Some(range) => format_range(tree, range.clone()),
            None => format(tree),
        };
        if let Some(text) = &text
            && *text != **tree.text()
        {
            if self.check {
                sink.write(format!("{path}\n").as_bytes())?;
            }
            if self.diff {
                sink.write(unified_diff(path, tree.text(), text).as_bytes())?;
            }
        }
        Ok(text)
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
