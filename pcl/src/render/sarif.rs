//! `sarif`: the Static Analysis Results Interchange Format, version 2.1.0, in one run. The rules
//! are those of the codes that occur; they follow the results, so that none has to be kept.

use std::path::Path;

use pcl_system::{encoded, file_uri};
use serde::Serialize;

use super::fingerprint::Fingerprints;
use super::json::Facts;
use super::json::record;
use super::paths::{Located, Paths};
use super::report::{Report, ReportSettings};
use super::statistics::Summary;
use super::text::message_with_notes;
use crate::document::Range;
use crate::render::part::Layout;
use crate::render::part::{Part, Piece};
use crate::render::report::{DocsUrl, INFORMATION_URL};
use pcl_diagnostics::{Applicability, Code, Diagnostic, FileId, Fix, Severity, SourceMap, Span};

pub(super) const LAYOUT: Layout = Layout {
    name: "sarif",
    has_statistics: true,
    open,
    part: |report, _| render(report),
    between: ",\n",
    close: Rules::close,
    ..Layout::PLAIN
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The name of the root of the repository.
const ROOT: &str = "%SRCROOT%";
/// The longest description that GitHub shows, in characters.
const LONGEST_DESCRIPTION: usize = 1024;

/// The text before the first result.
fn open(settings: &ReportSettings) -> Vec<u8> {
    let root = settings.roots.repository();
    // The URI of a directory ends with a slash.
    let root = root.map(|root| format!("{}/", file_uri(root).trim_end_matches('/')));
    let bases =
        root.map(|uri| format!("\"originalUriBaseIds\":{{\"{ROOT}\":{{\"uri\":\"{uri}\"}}}},"));
    let bases = bases.unwrap_or_default();
    format!(
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\
         \"columnKind\":\"unicodeCodePoints\",{bases}\"results\":[\n"
    )
    .into_bytes()
}

/// The codes that have occurred, in the order of their first results.
#[derive(Debug, Default)]
pub(super) struct Rules(Vec<(Code, Severity)>);

impl Rules {
    /// The results of a part with their rules, and with commas between them.
    pub(super) fn number(&mut self, part: &Part) -> Vec<u8> {
        let mut out = Vec::with_capacity(part.bytes.len() + 64 * part.pieces.len());
        for (Piece { code, severity, .. }, result) in part.pieces() {
            let known = self.0.iter().position(|(known, _)| *known == code);
            let index = known.unwrap_or_else(|| {
                self.0.push((code, severity));
                self.0.len() - 1
            });
            if !out.is_empty() {
                out.extend_from_slice(b",\n");
            }
            let rule = format!("{{\"ruleId\":\"{code}\",\"ruleIndex\":{index},");
            out.extend_from_slice(rule.as_bytes());
            // The object of the result, continued.
            out.extend_from_slice(result.get(1..).unwrap_or_default());
        }
        out
    }

    /// The text after the last result.
    fn close(&self, settings: &ReportSettings, summary: &Summary) -> Vec<u8> {
        let rules = self.0.iter().map(|&(code, severity)| rule(code, severity, &settings.docs_url));
        let driver = record!({
            name: "pcl",
            version: env!("CARGO_PKG_VERSION"),
            semanticVersion: env!("CARGO_PKG_VERSION"),
            informationUri: INFORMATION_URL,
            rules: rules.collect::<Vec<_>>(),
        });
        let end = End {
            tool: record!({ driver: driver }),
            invocations: [record!({ executionSuccessful: summary.complete })],
            properties: Facts::of(summary),
        };
        // The object continues the run, which is open.
        let end = serde_json::to_string(&end).unwrap_or_default();
        format!("\n],{}]}}\n", end.trim_start_matches('{')).into_bytes()
    }
}

#[derive(Serialize)]
struct End<T, I> {
    tool: T,
    invocations: [I; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Facts>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

/// A code as the rule of its results.
fn rule(code: Code, severity: Severity, docs_url: &DocsUrl) -> impl Serialize + use<> {
    let page = code.page();
    // The first paragraph says what the code means.
    let first = page.trim_start().split("\n\n").next().unwrap_or_default();
    let meaning = first.split_whitespace().collect::<Vec<_>>().join(" ");
    record!({
        id: code.id(),
        name: code.name(),
        shortDescription: Message { text: code.summary().to_owned() },
        fullDescription: Message { text: meaning.chars().take(LONGEST_DESCRIPTION).collect() },
        help: record!({ text: page, markdown: page }),
        helpUri: docs_url.page(code),
        defaultConfiguration: record!({ level: level(severity) }),
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error | Severity::Bug => "error",
    }
}

/// A result without its rule.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<L, F> {
    level: &'static str,
    message: Message,
    locations: [L; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<L>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<F>,
    partial_fingerprints: PartialFingerprints,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<P> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: P,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
struct PartialFingerprints {
    #[serde(rename = "pclFingerprint/v1")]
    pcl: String,
}

/// The results of one program, each a piece.
fn render(report: &Report) -> Part {
    let mut fingerprints = Fingerprints::new(report);
    let mut places = Places { sources: &report.sources, paths: Paths::new(report) };
    let mut part = Part::default();
    for diagnostic in &report.diagnostics {
        let fingerprint = fingerprints.of(diagnostic, &report.sources);
        let result = places.result(diagnostic, fingerprint);
        // Writing to a vector does not fail, and all keys are strings.
        let _ = serde_json::to_writer(&mut part.bytes, &result);
        part.end_piece(diagnostic);
    }
    part
}

struct Places<'a> {
    sources: &'a SourceMap,
    paths: Paths<'a>,
}

impl Places<'_> {
    fn result(&mut self, diagnostic: &Diagnostic, fingerprint: String) -> impl Serialize + use<> {
        let labels = diagnostic.labels.iter().enumerate();
        let related = labels.map(|(nth, label)| Location {
            id: Some(nth + 1),
            physical_location: self.place(label.span),
            message: Some(Message { text: label.message.clone() }),
        });
        let related_locations = related.collect();
        // A fix for people only has placeholders.
        let fixes = diagnostic.fixes.iter();
        let fixes = fixes.filter(|fix| fix.applicability != Applicability::DisplayOnly);
        SarifResult {
            level: level(diagnostic.severity),
            message: Message { text: message_with_notes(diagnostic) },
            locations: [Location {
                id: None,
                physical_location: self.place(diagnostic.primary),
                message: None,
            }],
            related_locations,
            fixes: fixes.map(|fix| self.change(fix)).collect(),
            partial_fingerprints: PartialFingerprints { pcl: fingerprint },
        }
    }

    fn place(&mut self, span: Span) -> impl Serialize + use<> {
        let region = region(span, self.sources);
        record!({ artifactLocation: self.artifact(span.file), region: region })
    }

    fn artifact(&mut self, file: FileId) -> Artifact {
        match self.paths.in_repository(file) {
            Located::Inside(path) => Artifact { uri: encoded(&path), uri_base_id: Some(ROOT) },
            Located::Outside(path) => Artifact {
                uri: if Path::new(&path).is_absolute() {
                    file_uri(Path::new(&path))
                } else {
                    encoded(&path)
                },
                uri_base_id: None,
            },
        }
    }

    /// The edits of a fix, by file.
    fn change(&mut self, fix: &Fix) -> impl Serialize + use<> {
        let mut files: Vec<FileId> = fix.edits.iter().map(|edit| edit.span.file).collect();
        files.sort();
        files.dedup();
        let changes = files.into_iter().map(|file| {
            let edits = fix.edits.iter().filter(|edit| edit.span.file == file);
            let replacements = edits.map(|edit| {
                record!({
                    deletedRegion: region(edit.span, self.sources),
                    insertedContent: Message { text: edit.text.clone() },
                })
            });
            let replacements: Vec<_> = replacements.collect();
            record!({ artifactLocation: self.artifact(file), replacements: replacements })
        });
        let changes: Vec<_> = changes.collect();
        record!({
            description: Message { text: fix.title.clone() },
            artifactChanges: changes,
        })
    }
}

fn region(span: Span, sources: &SourceMap) -> impl Serialize + use<> {
    let Range { start, end } = Range::of(span, sources);
    record!({
        startLine: start.line,
        startColumn: start.column,
        endLine: end.line,
        endColumn: end.column,
        byteOffset: start.byte,
        byteLength: end.byte.saturating_sub(start.byte),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Format, samples};
    use super::*;

    #[test]
    fn a_run_with_results_and_rules() {
        let sample = samples::rich();
        let text = Format::Sarif.render(&sample, false);
        let mut json: serde_json::Value = serde_json::from_slice(&text).expect("it is JSON");
        for rule in json["runs"][0]["tool"]["driver"]["rules"].as_array_mut().unwrap() {
            rule["help"] = "the page".into();
        }
        insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap());
    }

    /// The limits of GitHub.
    #[test]
    fn every_rule_has_short_descriptions() {
        for &code in Code::ALL {
            let rule = serde_json::to_value(rule(code, Severity::Error, &DocsUrl::DEFAULT));
            let rule = rule.expect("it is JSON");
            let text = |name: &str| rule[name]["text"].as_str().expect("it is a text").to_owned();
            assert!(text("shortDescription").chars().count() <= LONGEST_DESCRIPTION);
            assert!(!text("fullDescription").is_empty(), "{code}");
            assert!(!text("fullDescription").contains('\n'), "{code}");
        }
    }
}
