//! `github`: the workflow commands of GitHub Actions, one line for each diagnostic, which become
//! annotations of a commit.

use std::fmt::Write;

use super::paths::Paths;
use super::report::Report;
use super::text::{explanation, is_unsafe, replace};
use crate::render::part::Layout;
use crate::render::part::Part;
use pcl_diagnostics::Severity;

pub(super) const LAYOUT: Layout = Layout {
    name: "github",
    part: |report, _| Part::whole(render(report)),
    close: |_, _, summary| match summary.left_out {
        left_out if left_out.is_empty() => Vec::new(),
        left_out => format!("::notice title=pcl::{left_out}\n").into_bytes(),
    },
    ..Layout::PLAIN
};

fn render(report: &Report) -> Vec<u8> {
    let mut out = String::new();
    let mut paths = Paths::new(report);
    for diagnostic in &report.diagnostics {
        let (file, range) = (diagnostic.primary.file, diagnostic.primary.range);
        let start = report.sources.position(file, range.start());
        let end = report.sources.position(file, range.end());
        let command = match diagnostic.severity {
            Severity::Warning => "warning",
            Severity::Error | Severity::Bug => "error",
        };
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "::{command} title={} {},file={},line={},endLine={}",
            diagnostic.code,
            diagnostic.code.name(),
            property(paths.in_repository(file).path()),
            start.line,
            end.line,
        );
        // GitHub refuses columns of annotations over several lines.
        if start.line == end.line {
            let _ = write!(out, ",col={},endColumn={}", start.column, end.column);
        }
        let message = explanation(diagnostic, &report.sources, |file| paths.below_current(file));
        let _ = writeln!(out, "::{}", data(&message));
    }
    out.into_bytes()
}

/// A message as the runner reads it back.
fn data(text: &str) -> String {
    let text = replace(text, |c| is_unsafe(c) && !matches!(c, '\n' | '\r'));
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property as the runner reads it back.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::{Format, samples};
    use super::*;

    #[test]
    fn one_command_for_each_diagnostic() {
        let sample = samples::rich();
        let text = Format::Github.render(&sample, false);
        insta::assert_snapshot!(String::from_utf8(text).unwrap(), @r"
        ::error title=PCL0202 already-declared,file=web/main.pp,line=3,endLine=3,col=8,endColumn=15::`names` is declared twice%0Anote: a name stands for one thing in the whole program%0Ahelp: give one of them another name%0Aweb/main.pp:1:8: first declared here%0Aweb/extra.pp:1:1: another file
        ::warning title=PCL0601 unknown-function,file=web/main.pp,line=5,endLine=5,col=8,endColumn=14::there is no function `lenght`%0Ahelp: did you mean `length`?
        ");
    }

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(data("100%\r\n::set-env::"), "100%25%0D%0A::set-env::");
        assert_eq!(property("a:b,c%\u{1b}"), "a%3Ab%2Cc%25␛");
    }
}
