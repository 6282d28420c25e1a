//! `json-lines`: one finding a line, each with its program.

use super::Report;
use super::json::Records;

pub(super) fn render(report: &Report<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut records = Records::new(report);
    for finding in report.diagnostics {
        let mut record = records.of(finding);
        record.program = Some(report.path);
        // Writing to a vector does not fail, and no key of a record is anything but a string.
        let _ = serde_json::to_writer(&mut out, &record);
        out.push(b'\n');
    }
    out
}
