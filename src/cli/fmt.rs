//! `pcl fmt`.

use std::path::PathBuf;

use clap::Args;

use super::check::{many, targets};
use super::dump::tell;
use super::hints;
use super::output::{Sink, complain};
use super::status::Outcome;
use super::status::{Failure, Status};
use pcl::Target;
use pcl::binder::Source;
use pcl::diagnostics::{Code, Diagnostic, SourceMap};
use pcl::format::format;
use pcl_system::Signals;

#[derive(Args)]
pub(crate) struct Fmt {
    /// Program directories or single .pp files; `-` formats standard input to standard output
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Format every directory at or below each PATH that holds .pp files
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
    /// No summary
    #[arg(short, long)]
    quiet: bool,
}

/// The sums over a run.
#[derive(Default)]
struct Tally {
    changed: usize,
    unchanged: usize,
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
        for target in targets(&self.paths, self.recursive, self.stdin_filename.as_deref())? {
            let mut map = SourceMap::new();
            let (sources, mut diagnostics) = target.read(&mut map);
            hints::name_flags(&mut diagnostics);
            let is_missing = |diagnostic: &Diagnostic| diagnostic.code != Code::NoProgramFiles;
            tally.failed |= diagnostics.iter().any(is_missing);
            for source in &sources.files {
                let path = map.path(source.file).to_owned();
                let Some(text) = format(&source.tree) else {
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
                match place(&target, source) {
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
        let unchanged = many(self.unchanged, "file");
        match is_dry {
            true => format!("{changed} would change, {unchanged} would stay"),
            false => format!("{changed} formatted, {unchanged} left as is"),
        }
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

/// A unified diff. Formatting keeps lines apart as they are, so that each stands beside its own.
fn difference(path: &str, old: &str, new: &str) -> String {
    const CONTEXT: usize = 3;
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let changed: Vec<usize> = (0..old.len().min(new.len()))
        .filter(|&at| old.get(at) != new.get(at))
        .collect();
    let mut out = format!("--- {path}\n+++ {path}\n");
    let mut rest = &*changed;
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
            .min(old.len());
        let count = end - start;
        out.push_str(&format!("@@ -{0},{count} +{0},{count} @@\n", start + 1));
        let mut pending = String::new();
        for at in start..end {
            let (Some(old), Some(new)) = (old.get(at), new.get(at)) else {
                continue;
            };
            if old == new {
                out.push_str(&std::mem::take(&mut pending));
                write_line(&mut out, ' ', old);
            } else {
                write_line(&mut out, '-', old);
                write_line(&mut pending, '+', new);
            }
        }
        out.push_str(&pending);
        rest = later;
    }
    out
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
