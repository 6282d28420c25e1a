//! `concise`: `path:line:column: severity[CODE] message`, one line for each diagnostic.

use std::fmt::Write;

use super::Report;
use super::text::one_line;
use pcl_diagnostics::Severity;

pub(super) fn render(report: &Report<'_>, color: bool) -> Vec<u8> {
    let mut out = String::new();
    for diagnostic in report.diagnostics {
        let file = diagnostic.primary.file;
        let place = report
            .sources
            .position(file, diagnostic.primary.range.start());
        let path = one_line(report.sources.path(file));
        let message = one_line(&diagnostic.message);
        let (on, off) = if color {
            (style(diagnostic.severity), "\x1b[0m")
        } else {
            ("", "")
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{path}:{}:{}: {on}{}[{}]{off} {message}",
            place.line,
            place.column,
            diagnostic.severity.as_str(),
            diagnostic.code,
        );
    }
    out.into_bytes()
}

fn style(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "\x1b[1;33m",
        Severity::Error | Severity::Bug => "\x1b[1;31m",
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, samples};

    #[test]
    fn one_line_for_each_finding() {
        let sample = samples::rich();
        let text = Format::Concise.render(&sample.report(), false);
        insta::assert_snapshot!(String::from_utf8(text).unwrap(), @r"
        web/main.pp:3:8: error[PCL0202] `names` is declared twice
        web/main.pp:5:8: warning[PCL0601] there is no function `lenght`
        ");
    }
}
