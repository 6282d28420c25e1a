//! `pcl fmt`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;

use super::check::many;
use super::config::{self, ConfigArgs};
use super::dump::tell;
use super::hints;
use super::output::{Sink, complain};
use super::selection::SelectionArgs;
use super::status::Outcome;
use super::status::{Failure, Status};
use pcl::Target;
use pcl::binder::Source;
use pcl::diagnostics::{Code, Diagnostic, SourceMap};
use pcl::format::{format, format_range};
use pcl_system::Signals;

#[derive(Args)]
pub(crate) struct Fmt {
    /// Program directories or single .pp files; `-` formats standard input to standard output
    #[arg(value_name = "PATH", default_value = ".")]
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
        let is_dry = self.check || self.diff;
        let signals = Signals::install()
            .map_err(|error| Failure::usage(format!("cannot handle signals: {error}")))?;
        let name = self.stdin_filename.as_deref();
        let discovery = self.config.discovery()?;
        let selection = self
            .selection
            .select(&self.paths, self.recursive, name, &discovery)?;
        config::refuse_errors(&discovery)?;
        let mut changes = self.selection.changes()?;
        for target in selection.targets {
            let mut map = SourceMap::new();
            let (sources, mut diagnostics) = target.read(&mut map);
            hints::name_flags(&mut diagnostics);
            let is_missing = |diagnostic: &Diagnostic| diagnostic.code != Code::NoProgramFiles;
            tally.failed |= diagnostics.iter().any(is_missing);
            for source in &sources.files {
                let path = map.path(source.file).to_owned();
                let file = place(&target, source);
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
                let text = match &self.range {
                    Some(range) => format_range(&source.tree, range.clone()),
                    None => format(&source.tree),
                };
                let Some(text) = text else {
                    tally.broken += 1;
                    let errors = source.tree.errors().iter();
                    diagnostics
                        .extend(errors.map(|error| error.to_diagnostic(source.file, &source.tree)));
                    continue;
                };
                let is_changed = text != **source.tree.text();
                if self.check && is_changed {
                    sink.write(format!("{path}\n").as_bytes())?;
                }
                if self.diff && is_changed {
                    sink.write(difference(&path, source.tree.text(), &text).as_bytes())?;
                }
                match file {
                    _ if is_dry => {}
                    None => sink.write(text.as_bytes())?,
                    Some(file) if is_changed => {
                        // A signal waits until the file is whole.
                        signals.hold();
                        let old = source.tree.text().as_bytes();
                        let written = pcl_system::write(&file, old, text.as_bytes());
                        signals.release();
                        if let Err(error) = written {
                            complain(&Failure::io("write", &file, error).to_string());
                            tally.failed = true;
                            continue;
                        }
                    }
                    Some(_) => {}
                }
                tally.changed += usize::from(is_changed);
                tally.unchanged += usize::from(!is_changed);
            }
            tally.refused |= !diagnostics.is_empty();
            tell(&target.display(), &map, &diagnostics);
        }
        sink.finish()?;
        if !self.quiet {
            complain(&tally.summary(is_dry));
        }
        Ok(if tally.failed {
            Status::Failed
        } else if tally.refused || is_dry && tally.changed > 0 {
            Status::Found
        } else {
            Status::Clean
        })
    }
}

impl Tally {
    fn summary(&self, is_dry: bool) -> String {
        let changed = many(self.changed, "file");
        let verb = match is_dry {
            true => "would be reformatted",
            false => "reformatted",
        };
        let mut summary = format!("{changed} {verb}, {} already formatted", self.unchanged);
        if self.broken > 0 {
            summary += &format!(", {} could not be parsed", self.broken);
        }
        summary
    }
}

/// The path that a file is written back to; `None` for standard input.
fn place(target: &Target, source: &Source) -> Option<PathBuf> {
    match target {
        Target::Path(path) if path.is_dir() => Some(path.join(&source.name)),
        Target::Path(path) => Some(path.clone()),
        Target::Memory { .. } => None,
    }
}

/// A unified diff. Formatting keeps the order of lines, and removes empty ones only.
fn difference(path: &str, old: &str, new: &str) -> String {
    const CONTEXT: usize = 3;
    let rows = rows(&lines(old), &lines(new));
    let changed: Vec<usize> = (0..rows.len())
        .filter(|&at| rows.get(at).is_some_and(|(old, new)| old != new))
        .collect();
    let mut out = format!("--- {path}\n+++ {path}\n");
    let mut rest = &*changed;
    let (mut old_line, mut new_line, mut done) = (1, 1, 0);
    let count = |rows: &[Row<'_>]| {
        let old = rows.iter().filter(|(old, _)| old.is_some()).count();
        let new = rows.iter().filter(|(_, new)| new.is_some()).count();
        (old, new)
    };
    while let Some(&first) = rest.first() {
        // Changes whose context touches are one hunk.
        let mut gaps = rest.iter().zip(rest.iter().skip(1));
        let length = gaps
            .position(|(&one, &next)| next - one > 2 * CONTEXT)
            .map_or(rest.len(), |at| at + 1);
        let (hunk, later) = rest.split_at(length);
        let start = first.saturating_sub(CONTEXT);
        let end = hunk
            .last()
            .map_or(first, |last| last + 1 + CONTEXT)
            .min(rows.len());
        let (before_old, before_new) = count(rows.get(done..start).unwrap_or_default());
        (old_line, new_line) = (old_line + before_old, new_line + before_new);
        let shown = rows.get(start..end).unwrap_or_default();
        let (olds, news) = count(shown);
        out.push_str(&format!("@@ -{old_line},{olds} +{new_line},{news} @@\n"));
        let mut pending = String::new();
        for (old, new) in shown {
            if old == new {
                out.push_str(&std::mem::take(&mut pending));
                write_line(&mut out, ' ', old.unwrap_or_default());
                continue;
            }
            if let Some(old) = old {
                write_line(&mut out, '-', old);
            }
            if let Some(new) = new {
                write_line(&mut pending, '+', new);
            }
        }
        out.push_str(&pending);
        (old_line, new_line, done) = (old_line + olds, new_line + news, end);
        rest = later;
    }
    out
}

/// A line of the old text beside the one of the new text that it became, if it did.
type Row<'a> = (Option<&'a str>, Option<&'a str>);

fn rows<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Row<'a>> {
    let is_empty = |line: &str| line.trim().is_empty();
    let mut rest = new.iter().copied().peekable();
    old.iter()
        .map(|&old| match rest.peek() {
            Some(new) if !is_empty(old) || is_empty(new) => (Some(old), rest.next()),
            _ => (Some(old), None),
        })
        .collect()
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn write_line(out: &mut String, mark: char, line: &str) {
    out.push(mark);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_shows_the_empty_lines_that_go() {
        assert_eq!(
            difference("x.pp", "a = 1\n\n\n\n\nb=2\n\n", "a = 1\n\n\nb = 2\n"),
            "--- x.pp\n+++ x.pp\n\
             @@ -1,7 +1,4 @@\n a = 1\n \n \n-\n-\n-b=2\n-\n+b = 2\n"
        );
    }

    #[test]
    fn a_diff_shows_changes_with_what_is_around_them() {
        let old = "a=1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\ni=9\nj=10";
        let new = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\ni = 9\nj = 10";
        assert_eq!(
            difference("x.pp", old, new),
            "--- x.pp\n+++ x.pp\n\
             @@ -1,4 +1,4 @@\n-a=1\n+a = 1\n b = 2\n c = 3\n d = 4\n\
             @@ -6,5 +6,5 @@\n f = 6\n g = 7\n h = 8\n-i=9\n-j=10\n\\ No newline at end of file\n+i = 9\n+j = 10\n\\ No newline at end of file\n"
        );
    }
}
