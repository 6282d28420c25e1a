//! Diagnostics as the protocol has them.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use lsp_types::{
    Code as LspCode, CodeDescription, Diagnostic as LspDiagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, Message, Uri,
};
use pcl::diagnostics::{Code, Diagnostic, FileId, Severity};
use pcl::render::DocsUrl;
use pcl_ide::Analysis;

use crate::convert::Places;

/// The diagnostics of one file of a program.
#[must_use]
pub fn of_file(analysis: &Analysis, file: FileId, places: Places<'_>) -> Vec<LspDiagnostic> {
    let all = analysis.checked.diagnostics.iter();
    let own = all.filter(|diagnostic| diagnostic.primary.file == file);
    let pages = &analysis.checked.settings.docs_url;
    own.map(|diagnostic| convert(pages, diagnostic, places)).collect()
}

/// A diagnostic, which is explained on one of the pages.
#[must_use]
pub fn convert(pages: &DocsUrl, diagnostic: &Diagnostic, places: Places<'_>) -> LspDiagnostic {
    let related = diagnostic.labels.iter().filter(|label| label.span != diagnostic.primary);
    let related: Vec<DiagnosticRelatedInformation> = related
        .map(|label| DiagnosticRelatedInformation {
            location: places.location(label.span),
            message: label.message.clone(),
        })
        .collect();
    let page = pages.page(diagnostic.code);
    LspDiagnostic {
        range: places.range(diagnostic.primary),
        severity: Some(match diagnostic.severity {
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Error | Severity::Bug => DiagnosticSeverity::Error,
        }),
        code: Some(LspCode::String(diagnostic.code.id().to_owned())),
        code_description: Some(CodeDescription { href: Uri(page) }),
        source: Some("pcl".to_owned()),
        message: Message::String(text(diagnostic)),
        tags: tag(diagnostic.code).map(|tag| vec![tag]),
        related_information: Some(related).filter(|related| !related.is_empty()),
        data: None,
    }
}

/// The message with what explains it.
fn text(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        text.push_str("\nnote: ");
        text.push_str(note);
    }
    if let Some(help) = &diagnostic.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    text
}

/// The way in which editors show unused and deprecated code.
fn tag(code: Code) -> Option<DiagnosticTag> {
    match code {
        Code::Deprecated => Some(DiagnosticTag::Deprecated),
        _ if code.name().starts_with("unused-") => Some(DiagnosticTag::Unnecessary),
        _ => None,
    }
}

/// The identity of a list of diagnostics: equal lists have equal ones.
#[must_use]
pub fn identity(diagnostics: &[LspDiagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    let text = serde_json::to_string(diagnostics).unwrap_or_default();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
