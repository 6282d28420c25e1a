//! `json`: one document for the whole run; `json-lines`; and the record of a diagnostic that every
//! JSON output shares.
//!
//! The shape is published as `docs/formats/check.schema.json` and `check-lines.schema.json`. Fields
//! may be added under the same `format_version`; none is renamed, removed or given another meaning.

use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::left_out::LeftOut;
use super::report::Report;
use super::statistics::{Row, Statistics, Summary};
use crate::document::{DiagnosticRecord, Edit, Fix, Label, Range};
use crate::render::part::{Layout, Part};
use crate::render::report::DocsUrl;
use pcl_diagnostics::{Diagnostic, SourceMap};

pub(super) const LAYOUT: Layout = Layout {
    name: "json",
    has_statistics: true,
    open: |_| OPEN.into(),
    part: |report, _| Part::whole(render(report)),
    between: ",\n",
    close: |_, _, summary| close(summary),
    ..Layout::PLAIN
};

/// `json-lines`: one diagnostic a line, each with its program.
pub(super) const LINES: Layout = Layout {
    name: "json-lines",
    has_statistics: true,
    part: |report, _| Part::whole(lines(report)),
    close: |_, _, summary| Facts::of(summary).map(|facts| line(&facts)).unwrap_or_default(),
    ..Layout::PLAIN
};

/// The version of the JSON formats: the first number changes when a reader has to change.
pub const FORMAT_VERSION: &str = "1.0";

pub(super) const OPEN: &str = "{\"format_version\":\"1.0\",\"programs\":[\n";

/// A value that is written as an object of these fields, in this order.
macro_rules! record {
    ({ $($name:ident: $value:expr),* $(,)? }) => {{
        // The type of a field has its name, which may be that of a format in camel case.
        #[allow(non_camel_case_types, non_snake_case)]
        mod object {
            #[derive(serde::Serialize)]
            pub struct Record<$($name),*> { $(pub $name: $name),* }
        }
        object::Record { $($name: $value),* }
    }};
}

pub(crate) use record;

/// A JSON document on a line.
pub(crate) fn line(document: &impl Serialize) -> Vec<u8> {
    // No key is anything but a string, so that it can always be written.
    let mut out = serde_json::to_vec(document).unwrap_or_default();
    out.push(b'\n');
    out
}

/// The end of the document, after the last program.
pub(super) fn close(summary: &Summary) -> Vec<u8> {
    let end = End {
        summary: Totals {
            programs: summary.programs,
            errors: summary.errors,
            warnings: summary.warnings,
            left_out: Some(summary.left_out).filter(|it| !it.is_empty()),
        },
        statistics: summary.statistics.as_ref().map(Statistics::rows),
    };
    let end = serde_json::to_string(&end).unwrap_or_default();
    // The object continues the one that the document opened.
    format!("\n],{}\n", end.trim_start_matches('{')).into_bytes()
}

/// The facts about a run that are there if they are asked for.
#[derive(Serialize)]
pub(super) struct Facts {
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Vec<Row>>,
}

impl Facts {
    /// `None` if nothing is asked for.
    pub(super) fn of(summary: &Summary) -> Option<Self> {
        let left_out = Some(summary.left_out).filter(|it| !it.is_empty());
        let statistics = summary.statistics.as_ref().map(Statistics::rows);
        let is_any = left_out.is_some() || statistics.is_some();
        is_any.then_some(Self { left_out, statistics })
    }
}

#[derive(Serialize)]
struct End {
    summary: Totals,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Vec<Row>>,
}

#[derive(Serialize)]
struct Totals {
    programs: usize,
    errors: usize,
    warnings: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
}

/// The part of one program.
pub(super) fn render(report: &Report) -> Vec<u8> {
    let (errors, warnings) = count(&report.diagnostics);
    let program = record!({
        path: &report.path,
        valid: errors == 0,
        errors: errors,
        warnings: warnings,
        diagnostics: Records::all(report),
    });
    // No key of the document is anything but a string, so that it can always be written.
    serde_json::to_vec(&program).unwrap_or_default()
}

/// The diagnostics of one program.
fn lines(report: &Report) -> Vec<u8> {
    #[derive(Serialize)]
    struct Line<'a> {
        program: &'a str,
        #[serde(flatten)]
        diagnostic: DiagnosticRecord,
    }
    let mut records = Records::new(report);
    let lines = report.diagnostics.iter().flat_map(|diagnostic| {
        line(&Line { program: &report.path, diagnostic: records.of(diagnostic) })
    });
    lines.collect()
}

/// The number of errors (bugs of `pcl` included) and of warnings.
pub(crate) fn count(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    (errors, diagnostics.len() - errors)
}

/// Makes the records of a report's diagnostics, in the order of the report.
pub(crate) struct Records<'a> {
    sources: &'a SourceMap,
    docs_url: &'a DocsUrl,
    fingerprints: Fingerprints<'a>,
}

impl<'a> Records<'a> {
    pub(crate) fn new(report: &'a Report) -> Self {
        Self {
            sources: &report.sources,
            docs_url: &report.settings.docs_url,
            fingerprints: Fingerprints::new(report),
        }
    }

    /// The records of all diagnostics.
    pub(crate) fn all(report: &'a Report) -> Vec<DiagnosticRecord> {
        let mut records = Self::new(report);
        report.diagnostics.iter().map(|d| records.of(d)).collect()
    }

    pub(crate) fn of(&mut self, diagnostic: &Diagnostic) -> DiagnosticRecord {
        let sources = self.sources;
        let label = |label: &pcl_diagnostics::Label| Label {
            file: sources.path(label.span.file).to_owned(),
            range: Range::of(label.span, sources),
            message: label.message.clone(),
        };
        let edit = |edit: &pcl_diagnostics::TextEdit| Edit {
            file: sources.path(edit.span.file).to_owned(),
            range: Range::of(edit.span, sources),
            text: edit.text.clone(),
        };
        let fix = |fix: &pcl_diagnostics::Fix| Fix {
            title: fix.title.clone(),
            applicability: fix.applicability.as_str().to_owned(),
            edits: fix.edits.iter().map(edit).collect(),
        };
        DiagnosticRecord {
            code: diagnostic.code.id().to_owned(),
            name: diagnostic.code.name().to_owned(),
            severity: diagnostic.severity.as_str().to_owned(),
            message: diagnostic.message.clone(),
            file: sources.path(diagnostic.primary.file).to_owned(),
            range: Range::of(diagnostic.primary, sources),
            labels: diagnostic.labels.iter().map(label).collect(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
            fixes: diagnostic.fixes.iter().map(fix).collect(),
            fingerprint: self.fingerprints.of(diagnostic, sources),
            url: self.docs_url.page(diagnostic.code),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::rich;
    use super::super::{Format, Look, check_json};

    #[test]
    fn the_document_of_a_check_is_that_of_the_format() {
        let sample = rich();
        let document = Format::Json.render(&sample, Look::default());
        assert_eq!(check_json(&sample), document);
    }
}
