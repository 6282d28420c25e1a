//! `json`: one document for the whole run, and the record of a finding that every JSON output shares.
//!
//! The shape is published as `docs/formats/check.schema.json` and `check-lines.schema.json`. Fields may be added under the same `format_version`;
//! none is renamed, removed or given another meaning.

use serde::Serialize;

use super::Report;
use super::fingerprint::Fingerprints;
use pcl_diagnostics::{Diagnostic, SourceMap, Span};

/// The version of the JSON formats: the first number changes when a reader has to change.
pub(crate) const FORMAT_VERSION: &str = "1.0";

pub(super) const OPEN: &str = "{\"format_version\":\"1.0\",\"programs\":[\n";
pub(super) const BETWEEN: &str = ",\n";
pub(super) const CLOSE: &str = "\n]}\n";

pub(super) fn render(report: &Report<'_>) -> Vec<u8> {
    let (errors, warnings) = count(report.diagnostics);
    let program = Program {
        path: report.path,
        valid: errors == 0,
        errors,
        warnings,
        diagnostics: Records::all(report),
    };
    // No key of the document is anything but a string, so that it can always be written.
    serde_json::to_vec(&program).unwrap_or_default()
}

/// How many findings are errors (faults of `pcl` included) and how many are warnings.
pub(crate) fn count(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    (errors, diagnostics.len() - errors)
}

#[derive(Serialize)]
struct Program<'a> {
    path: &'a str,
    valid: bool,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Record<'a>>,
}

/// Makes the records of a report's findings, in the order of the report.
pub(crate) struct Records<'a> {
    sources: &'a SourceMap,
    fingerprints: Fingerprints,
}

impl<'a> Records<'a> {
    pub(crate) fn new(report: &Report<'a>) -> Self {
        Self {
            sources: report.sources,
            fingerprints: Fingerprints::default(),
        }
    }

    /// The records of all findings.
    pub(crate) fn all(report: &Report<'a>) -> Vec<Record<'a>> {
        let mut records = Self::new(report);
        report.diagnostics.iter().map(|d| records.of(d)).collect()
    }

    pub(crate) fn of(&mut self, finding: &'a Diagnostic) -> Record<'a> {
        let sources = self.sources;
        Record {
            program: None,
            code: finding.code.id(),
            name: finding.code.name(),
            severity: finding.severity.as_str(),
            message: &finding.message,
            file: sources.path(finding.primary.file),
            range: Range::of(finding.primary, sources),
            labels: finding
                .labels
                .iter()
                .map(|label| Label {
                    file: sources.path(label.span.file),
                    range: Range::of(label.span, sources),
                    message: &label.message,
                })
                .collect(),
            notes: &finding.notes,
            help: finding.help.as_deref(),
            fixes: finding
                .fixes
                .iter()
                .map(|fix| Fix {
                    title: &fix.title,
                    applicability: fix.applicability.as_str(),
                    edits: fix
                        .edits
                        .iter()
                        .map(|edit| Edit {
                            file: sources.path(edit.span.file),
                            range: Range::of(edit.span, sources),
                            text: &edit.text,
                        })
                        .collect(),
                })
                .collect(),
            fingerprint: self.fingerprints.of(finding, sources),
        }
    }
}

/// A finding as JSON.
#[derive(Serialize)]
pub(crate) struct Record<'a> {
    /// The program that it belongs to, where the record stands alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<&'a str>,
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    message: &'a str,
    file: &'a str,
    range: Range,
    labels: Vec<Label<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    fixes: Vec<Fix<'a>>,
    fingerprint: String,
}

#[derive(Serialize)]
struct Label<'a> {
    file: &'a str,
    range: Range,
    message: &'a str,
}

#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    applicability: &'static str,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    file: &'a str,
    range: Range,
    text: &'a str,
}

/// A range with both ways of counting: bytes from 0, lines and columns from 1.
#[derive(Serialize)]
pub(crate) struct Range {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    byte: u32,
    line: u32,
    column: u32,
}

impl Range {
    pub(crate) fn of(span: Span, sources: &SourceMap) -> Self {
        let position = |offset| {
            let place = sources.position(span.file, offset);
            Position {
                byte: offset,
                line: place.line,
                column: place.column,
            }
        };
        Self {
            start: position(span.range.start()),
            end: position(span.range.end()),
        }
    }
}
