//! Diagnostics as others show them: in the engine's log, and in the messages of code generation.

use pcl::Checked;
use pcl::render::{Format, Report};
use pcl_diagnostics::{Diagnostic, Severity, SourceMap, Span};

use crate::protocol::language;

/// A diagnostic as one text with file, line and excerpt. It does not say how severe it is, which
/// the engine adds.
pub(crate) fn text(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let text = rendered(Format::Full, sources, std::slice::from_ref(diagnostic));
    let heading = format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.code);
    match text.strip_prefix(&heading) {
        Some(rest) => format!("{}{rest}", diagnostic.code),
        None => text,
    }
}

/// The errors among some diagnostics as one text, with a line for each.
pub(crate) fn errors(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|it| it.is_error());
    let errors: Vec<Diagnostic> = errors.cloned().collect();
    rendered(Format::Concise, sources, &errors)
}

fn rendered(format: Format, sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let text = format.render(&Report::new("", sources.clone(), diagnostics), false);
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

/// The diagnostics of a check as messages.
pub(crate) fn messages(checked: &Checked) -> Vec<language::Diagnostic> {
    let message = |diagnostic| message(&checked.sources, diagnostic);
    checked.diagnostics.iter().map(message).collect()
}

fn message(sources: &SourceMap, diagnostic: &Diagnostic) -> language::Diagnostic {
    let severity = match diagnostic.severity {
        Severity::Warning => language::Severity::Warning,
        Severity::Error | Severity::Bug => language::Severity::Error,
    };
    let notes = diagnostic.notes.iter().chain(&diagnostic.help);
    language::Diagnostic {
        severity: severity.into(),
        summary: diagnostic.message.clone(),
        detail: notes.map(String::as_str).collect::<Vec<_>>().join("\n"),
        subject: Some(range(sources, diagnostic.primary)),
    }
}

fn range(sources: &SourceMap, span: Span) -> language::Range {
    let position = |offset: u32| {
        let place = sources.position(span.file, offset);
        Some(language::Pos {
            line: i64::from(place.line),
            column: i64::from(place.column),
            byte: i64::from(offset),
        })
    };
    language::Range {
        filename: sources.path(span.file).to_owned(),
        start: position(span.range.start()),
        end: position(span.range.end()),
    }
}
