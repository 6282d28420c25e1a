//! Diagnostics as others show them: in the engine's log, and in the messages of code generation.

use pcl::render::{Format, Report};
use pcl_diagnostics::{Diagnostic, Severity, SourceMap, Span};

use tokio::runtime::Handle;

use crate::calls::Engine;
use crate::protocol::language;
use crate::protocol::resource::LogSeverity;

/// Reports the diagnostics of a run to the engine.
pub(crate) struct Reporter<'r> {
    pub runtime: &'r Handle,
    pub engine: Option<&'r Engine>,
    pub sources: &'r SourceMap,
}

impl Reporter<'_> {
    /// Sends diagnostics to the log of the engine, as messages about a resource. The result are the
    /// errors that the engine did not take.
    pub fn report(&self, diagnostics: &[Diagnostic], urn: &str) -> String {
        let unreported = diagnostics.iter().filter(|diagnostic| self.log(diagnostic, urn).is_err());
        errors(self.sources, &unreported.cloned().collect::<Vec<_>>())
    }

    fn log(&self, diagnostic: &Diagnostic, urn: &str) -> Result<(), ()> {
        let engine = self.engine.ok_or(())?;
        let severity =
            if diagnostic.is_error() { LogSeverity::Error } else { LogSeverity::Warning };
        let message = text(self.sources, diagnostic);
        let log = engine.log(severity, message, urn.to_owned());
        self.runtime.block_on(log).map_err(drop)
    }
}

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
pub(crate) fn messages(report: &Report) -> Vec<language::Diagnostic> {
    let message = |diagnostic| message(&report.sources, diagnostic);
    report.diagnostics.iter().map(message).collect()
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
