//! `json-lines`: one diagnostic a line, each with its program.

use serde::Serialize;

use super::json::Records;
use super::layout::Layout;
use super::part::Part;
use super::report::Report;
use super::statistics::{Row, Statistics, Summary};
use crate::document::DiagnosticRecord;

pub(super) const LAYOUT: Layout = Layout {
    name: "json-lines",
    has_statistics: true,
    part: |report, _| Part::whole(render(report)),
    close: |_, _, summary| close(summary),
    ..Layout::PLAIN
};

/// A single diagnostic.
#[derive(Serialize)]
struct Line<'a> {
    program: &'a str,
    #[serde(flatten)]
    diagnostic: DiagnosticRecord,
}

/// The last line.
#[derive(Serialize)]
struct Last {
    statistics: Vec<Row>,
}

/// The statistics, if they are asked for.
fn close(summary: &Summary) -> Vec<u8> {
    let Some(statistics) = summary.statistics.as_ref().map(Statistics::rows) else {
        return Vec::new();
    };
    let mut out = serde_json::to_vec(&Last { statistics }).unwrap_or_default();
    out.push(b'\n');
    out
}

fn render(report: &Report) -> Vec<u8> {
    let mut out = Vec::new();
    let mut records = Records::new(report);
    for diagnostic in &report.diagnostics {
        let line = Line { program: &report.path, diagnostic: records.of(diagnostic) };
        // Writing to a vector does not fail, and no key of a record is anything but a string.
        let _ = serde_json::to_writer(&mut out, &line);
        out.push(b'\n');
    }
    out
}
