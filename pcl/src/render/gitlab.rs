//! `gitlab`: a Code Quality report of GitLab, described by `docs/formats/gitlab.schema.json`.

use super::fingerprint::{Fingerprints, among_programs};
use super::json::record;
use super::paths::Paths;
use super::report::Report;
use crate::document::{Position, Range};
use crate::render::part::Layout;
use crate::render::part::Part;
use pcl_diagnostics::Severity;

pub(super) const LAYOUT: Layout = Layout {
    name: "gitlab",
    open: |_| b"[\n".to_vec(),
    part: |report, _| Part::whole(render(report)),
    between: ",\n",
    close: |_, _, _| b"\n]\n".to_vec(),
    ..Layout::PLAIN
};

/// The issues of one program, with commas between them.
fn render(report: &Report) -> Vec<u8> {
    let mut paths = Paths::new(report);
    let mut fingerprints = Fingerprints::new(report);
    let mut out = Vec::new();
    for diagnostic in &report.diagnostics {
        let range = Range::of(diagnostic.primary, &report.sources);
        let path = paths.in_repository(diagnostic.primary.file);
        let fingerprint = fingerprints.of(diagnostic, &report.sources);
        let place = |at: Position| record!({ line: at.line, column: at.column });
        let issue = record!({
            description: format!("{}: {}", diagnostic.code, diagnostic.message),
            check_name: diagnostic.code.id(),
            fingerprint: among_programs(&fingerprint, &paths.unique(diagnostic.primary.file)),
            severity: severity(diagnostic.severity),
            location: record!({
                path: path.path().to_owned(),
                lines: record!({ begin: range.start.line, end: range.end.line }),
                positions: record!({ begin: place(range.start), end: place(range.end) }),
            }),
        });
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
