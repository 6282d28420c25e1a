//! `gitlab`: a Code Quality report of GitLab, described by `docs/formats/gitlab.schema.json`.

use serde::Serialize;

use super::fingerprint::{Fingerprints, among_programs};
use super::layout::Layout;
use super::part::Part;
use super::paths::Paths;
use super::report::Report;
use crate::document::{Position, Range};
use pcl_diagnostics::Severity;

pub(super) const LAYOUT: Layout = Layout {
    name: "gitlab",
    open: |_| b"[\n".to_vec(),
    part: |report, _| Part::whole(render(report)),
    between: ",\n",
    close: |_, _, _| b"\n]\n".to_vec(),
    ..Layout::PLAIN
};

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
    positions: Positions,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

#[derive(Serialize)]
struct Positions {
    begin: Place,
    end: Place,
}

#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
}

impl From<Position> for Place {
    fn from(position: Position) -> Self {
        Self { line: position.line, column: position.column }
    }
}

/// The issues of one program, with commas between them.
fn render(report: &Report) -> Vec<u8> {
    let mut paths = Paths::new(report);
    let mut fingerprints = Fingerprints::new(report);
    let mut out = Vec::new();
    for diagnostic in &report.diagnostics {
        let range = Range::of(diagnostic.primary, &report.sources);
        let path = paths.in_repository(diagnostic.primary.file);
        let fingerprint = fingerprints.of(diagnostic, &report.sources);
        let issue = Issue {
            description: format!("{}: {}", diagnostic.code, diagnostic.message),
            check_name: diagnostic.code.id(),
            fingerprint: among_programs(&fingerprint, &paths.unique(diagnostic.primary.file)),
            severity: severity(diagnostic.severity),
            location: Location {
                path: path.path().to_owned(),
                lines: Lines { begin: range.start.line, end: range.end.line },
                positions: Positions { begin: range.start.into(), end: range.end.into() },
            },
        };
        if !out.is_empty() {
            out.extend_from_slice(b",\n");
        }
        // Writing to a vector does not fail, and all keys are strings.
        let _ = serde_json::to_writer(&mut out, &issue);
    }
    out
}

/// GitLab's severities are info, minor, major, critical and blocker.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "minor",
        Severity::Error => "major",
        Severity::Bug => "critical",
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, samples};

    #[test]
    fn an_issue_for_each_diagnostic() {
        let sample = samples::rich();
        let text = Format::Gitlab.render(&sample, false);
        insta::assert_snapshot!(String::from_utf8(text).unwrap(), @r#"
        [
        {"description":"PCL0202: `names` is declared twice","check_name":"PCL0202","fingerprint":"9bcd4d772ab8fdad","severity":"major","location":{"path":"web/main.pp","lines":{"begin":3,"end":3},"positions":{"begin":{"line":3,"column":8},"end":{"line":3,"column":15}}}},
        {"description":"PCL0601: there is no function `lenght`","check_name":"PCL0601","fingerprint":"a4d34f3be73a920d","severity":"minor","location":{"path":"web/main.pp","lines":{"begin":5,"end":5},"positions":{"begin":{"line":5,"column":8},"end":{"line":5,"column":14}}}}
        ]
        "#);
    }
}
