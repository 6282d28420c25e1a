//! `rdjson`: the Reviewdog Diagnostic Format. Its columns count bytes.

use serde::Serialize;

use super::json::record;
use super::paths::Paths;
use super::report::Report;
use super::statistics::Summary;
use super::text::message_with_notes;
use crate::render::part::Layout;
use crate::render::part::Part;
use crate::render::report::INFORMATION_URL;
use pcl_diagnostics::{Applicability, Diagnostic, Fix, Severity, SourceMap, Span, TextRange};

pub(super) const LAYOUT: Layout = Layout {
    name: "rdjson",
    open: |_| open(),
    part: |report, _| Part::whole(render(report)),
    between: ",\n",
    close: |_, _, summary| close(summary),
    ..Layout::PLAIN
};

/// The text before the first diagnostic.
fn open() -> Vec<u8> {
    let source = record!({ name: "pcl", url: INFORMATION_URL });
    let source = serde_json::to_string(&source).unwrap_or_default();
    format!("{{\"source\":{source},\"diagnostics\":[\n").into_bytes()
}

/// The text after the last diagnostic. The severity is that of diagnostics without one, which there
/// are none of; the highest one says most.
fn close(summary: &Summary) -> Vec<u8> {
    let severity = match (summary.errors, summary.warnings) {
        (0, 0) => "INFO",
        (0, _) => "WARNING",
        _ => "ERROR",
    };
    format!("\n],\"severity\":\"{severity}\"}}\n").into_bytes()
}

#[derive(Serialize)]
struct Record<L, C, S, R> {
    message: String,
    location: L,
    severity: &'static str,
    code: C,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<S>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<R>,
}

/// The diagnostics of one program, with commas between them.
fn render(report: &Report) -> Vec<u8> {
    let mut paths = Paths::new(report);
    let mut out = Vec::new();
    for diagnostic in &report.diagnostics {
        if !out.is_empty() {
            out.extend_from_slice(b",\n");
        }
        // Writing to a vector does not fail, and all keys are strings.
        let _ = serde_json::to_writer(&mut out, &record(diagnostic, report, &mut paths));
    }
    out
}

fn record(diagnostic: &Diagnostic, report: &Report, paths: &mut Paths<'_>) -> impl Serialize {
    let sources = &report.sources;
    let mut location =
        |span: Span| record!({ path: paths.below_current(span.file), range: range(span, sources) });
    let related = diagnostic
        .labels
        .iter()
        .map(|label| record!({ message: label.message.clone(), location: location(label.span) }));
    let related_locations = related.collect();
    let suggestions = diagnostic.fixes.iter();
    Record {
        message: message_with_notes(diagnostic),
        location: location(diagnostic.primary),
        severity: match diagnostic.severity {
            Severity::Warning => "WARNING",
            Severity::Error | Severity::Bug => "ERROR",
        },
        code: record!({
            value: diagnostic.code.id(),
            url: report.settings.docs_url.page(diagnostic.code),
        }),
        suggestions: suggestions.filter_map(|fix| suggestion(fix, diagnostic, sources)).collect(),
        related_locations,
    }
}

/// The fix as one replacement, which covers all of its edits. They have to be in the file of the
/// diagnostic.
fn suggestion(fix: &Fix, diagnostic: &Diagnostic, sources: &SourceMap) -> Option<impl Serialize> {
    let file = diagnostic.primary.file;
    if fix.applicability == Applicability::DisplayOnly {
        return None;
    }
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span.range);
    let start = edits.first()?.span.range.start();
    let end = edits.iter().map(|edit| edit.span.range.end()).max()?;
    let source = sources.text(file);
    let (mut text, mut at) = (String::new(), start as usize);
    for edit in edits {
        let range = edit.span.range.to_usize();
        text.push_str(source.get(at..range.start)?);
        text.push_str(&edit.text);
        at = range.end;
        if edit.span.file != file {
            return None;
        }
    }
    let span = Span::new(file, TextRange::new(start, end));
    Some(record!({ range: range(span, sources), text: text }))
}

/// The lines and columns of a span, which count from 1.
fn range(span: Span, sources: &SourceMap) -> impl Serialize + use<> {
    let position = |offset: u32| {
        let index = sources.line_index(span.file);
        let offset = offset.min(sources.text(span.file).len() as u32);
        let line = index.line_of(offset);
        let start = index.line_start(line).unwrap_or(offset);
        record!({ line: line + 1, column: (offset - start) as usize + 1 })
    };
    record!({ start: position(span.range.start()), end: position(span.range.end()) })
}

#[cfg(test)]
mod tests {
    use super::super::samples::{find, sample};
    use super::super::{Format, samples};
    use pcl_diagnostics::{Code, Diagnostic, Fix, TextEdit};

    fn render(sample: &crate::render::Report) -> String {
        String::from_utf8(Format::Rdjson.render(sample, false)).unwrap()
    }

    #[test]
    fn a_record_for_each_diagnostic() {
        insta::assert_snapshot!(render(&samples::rich()), @r#"
        {"source":{"name":"pcl","url":"https://github.com/pcl-lang/pcl"},"diagnostics":[
        {"message":"`names` is declared twice\nnote: a name stands for one thing in the whole program\nhelp: give one of them another name","location":{"path":"web/main.pp","range":{"start":{"line":3,"column":8},"end":{"line":3,"column":15}}},"severity":"ERROR","code":{"value":"PCL0202","url":"https://pcl-lang.github.io/pcl/codes/PCL0202.html"},"related_locations":[{"message":"first declared here","location":{"path":"web/main.pp","range":{"start":{"line":1,"column":8},"end":{"line":1,"column":15}}}},{"message":"another file","location":{"path":"web/extra.pp","range":{"start":{"line":1,"column":1},"end":{"line":1,"column":5}}}}]},
        {"message":"there is no function `lenght`\nhelp: did you mean `length`?","location":{"path":"web/main.pp","range":{"start":{"line":5,"column":8},"end":{"line":5,"column":14}}},"severity":"WARNING","code":{"value":"PCL0601","url":"https://pcl-lang.github.io/pcl/codes/PCL0601.html"},"suggestions":[{"range":{"start":{"line":5,"column":8},"end":{"line":5,"column":14}},"text":"length"}]}
        ],"severity":"ERROR"}
        "#);
    }

    #[test]
    fn columns_count_bytes_and_edits_become_one_suggestion() {
        let (mut sample, file) = sample("a = \"é\" + b + c\n");
        let map = &sample.sources;
        let (b, c) = (find(map, file, "b"), find(map, file, "c"));
        let edits = vec![TextEdit::replace(c, "3"), TextEdit::replace(b, "2")];
        let diagnostic = Diagnostic::error(Code::UndefinedVariable, b, "here");
        sample.diagnostics = vec![
            diagnostic.fix(Fix::safe("both", edits.clone())).fix(Fix::display_only("look", edits)),
        ];
        insta::assert_snapshot!(render(&sample), @r#"
        {"source":{"name":"pcl","url":"https://github.com/pcl-lang/pcl"},"diagnostics":[
        {"message":"here","location":{"path":"web/main.pp","range":{"start":{"line":1,"column":12},"end":{"line":1,"column":13}}},"severity":"ERROR","code":{"value":"PCL0201","url":"https://pcl-lang.github.io/pcl/codes/PCL0201.html"},"suggestions":[{"range":{"start":{"line":1,"column":12},"end":{"line":1,"column":17}},"text":"2 + 3"}]}
        ],"severity":"ERROR"}
        "#);
    }
}
