//! Addresses, places and diagnostics as the protocol has them.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::Path;

use lsp_types::{
    Code as LspCode, CodeDescription, Diagnostic as LspDiagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, Location, Message, Position, Range, Uri,
};
use pcl::diagnostics::{
    Code, Diagnostic, Encoding, FileId, LineIndex, Severity, SourceMap, Span, TextRange,
};
use pcl::render::DocsUrl;
use percent_encoding::percent_decode_str;

use crate::documents::Documents;

/// The offset of a place.
pub fn to_offset(lines: &LineIndex, text: &str, position: Position, encoding: Encoding) -> u32 {
    lines.offset(text, position.line, position.character, encoding)
}

/// The bytes between two places, in whichever order they come.
pub fn to_text_range(lines: &LineIndex, text: &str, range: Range, encoding: Encoding) -> TextRange {
    let [start, end] =
        [range.start, range.end].map(|position| to_offset(lines, text, position, encoding));
    TextRange::new(start.min(end), end.max(start))
}

/// The places of the ends of a range.
pub fn range(lines: &LineIndex, text: &str, range: TextRange, encoding: Encoding) -> Range {
    let place = |offset| {
        let (line, character) = lines.encoded(text, offset, encoding);
        Position { line, character }
    };
    Range { start: place(range.start()), end: place(range.end()) }
}

/// Converts places of the files of one program.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The files.
    pub sources: &'a SourceMap,
    /// The documents, whose addresses are those of the editor.
    pub documents: &'a Documents,
    /// The unit of columns.
    pub encoding: Encoding,
}

impl Places<'_> {
    /// The range of a span in its file.
    pub fn range(&self, span: Span) -> Range {
        let lines = self.sources.line_index(span.file);
        let text = self.sources.text(span.file);
        range(lines, text, span.range, self.encoding)
    }

    /// The offset of a place in a file.
    pub fn offset(&self, file: FileId, position: Position) -> u32 {
        to_offset(self.sources.line_index(file), self.sources.text(file), position, self.encoding)
    }

    /// The address of a file.
    pub fn uri(&self, file: FileId) -> Uri {
        Uri(self.documents.uri_of(self.sources.path(file)))
    }

    /// The file and range of a span.
    pub fn location(&self, span: Span) -> Location {
        Location { uri: self.uri(span.file), range: self.range(span) }
    }
}

/// A diagnostic, which is explained on one of the pages.
pub fn diagnostic(pages: &DocsUrl, found: &Diagnostic, places: Places<'_>) -> LspDiagnostic {
    let related = found.labels.iter().filter(|label| label.span != found.primary);
    let related: Vec<DiagnosticRelatedInformation> = related
        .map(|label| DiagnosticRelatedInformation {
            location: places.location(label.span),
            message: label.message.clone(),
        })
        .collect();
    let page = pages.page(found.code);
    LspDiagnostic {
        range: places.range(found.primary),
        severity: Some(match found.severity {
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Error | Severity::Bug => DiagnosticSeverity::Error,
        }),
        code: Some(LspCode::String(found.code.id().to_owned())),
        code_description: Some(CodeDescription { href: Uri(page) }),
        source: Some("pcl".to_owned()),
        message: Message::String(text(found)),
        tags: tag(found.code).map(|tag| vec![tag]),
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
pub fn identity(diagnostics: &[LspDiagnostic]) -> String {
    hash(&serde_json::to_string(diagnostics).unwrap_or_default())
}

/// The identity of a value in answers: equal values have equal ones.
pub fn hash(value: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The path of a `file:` address; `None` for others, and for a file of another host, which only
/// Windows has a path for (RFC 8089). A drive letter is lower case, as editors disagree about it.
pub fn to_path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    let (host, path) = rest.split_at_checked(rest.find('/')?)?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return cfg!(windows).then(|| format!("//{host}{path}"));
    }
    let Some(drive) = drive(&path) else { return Some(path.into_owned()) };
    let rest = path.get(3..).unwrap_or_default();
    Some(format!("{}:{rest}", drive.to_ascii_lowercase()))
}

/// The drive letter of `/C:/..`.
fn drive(path: &str) -> Option<char> {
    let mut characters = path.chars();
    let (slash, letter, colon) = (characters.next()?, characters.next()?, characters.next()?);
    (slash == '/' && letter.is_ascii_alphabetic() && colon == ':' && cfg!(windows))
        .then_some(letter)
}

/// The `file:` address of an absolute path with `/` between its parts. The colon of a drive is
/// encoded, as Visual Studio Code does it.
pub fn of_path(path: &str) -> String {
    let start = match path {
        server if cfg!(windows) && server.starts_with("//") => "file:",
        path if path.starts_with('/') => "file://",
        _ => "file:///",
    };
    format!("{start}{}", pcl_system::encoded(path))
}

/// The directory of a file, as text.
pub fn directory(path: &str) -> String {
    let directory = Path::new(path).parent().unwrap_or(Path::new("/"));
    directory.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(windows)]
    fn drives_and_servers() {
        for (uri, path) in [
            ("file:///c%3A/a%20b.pp", "c:/a b.pp"),
            ("file:///C:/a.pp", "c:/a.pp"),
            ("file://localhost/c:/a.pp", "c:/a.pp"),
            ("file://server/share/a.pp", "//server/share/a.pp"),
        ] {
            assert_eq!(to_path(uri).as_deref(), Some(path));
            assert_eq!(to_path(&of_path(path)).as_deref(), Some(path));
        }
    }

    #[test]
    fn paths_survive() {
        for path in ["/a/b.pp", "/with space/é#?.pp", "/100%/[x].pp"] {
            let uri = of_path(path);
            assert!(uri.is_ascii(), "{uri}");
            assert_eq!(to_path(&uri).as_deref(), Some(path));
        }
        assert_eq!(to_path("file:///a%20b.pp").as_deref(), Some("/a b.pp"));
        for host in ["", "localhost", "LocalHost"] {
            let path = to_path(&format!("file://{host}/a.pp"));
            assert_eq!(path.as_deref(), Some("/a.pp"), "{host}");
        }
        #[cfg(not(windows))]
        for host in ["host", "127.0.0.1", "user@localhost", "localhost:1", "%"] {
            assert_eq!(to_path(&format!("file://{host}/a.pp")), None);
        }
        assert_eq!(to_path("untitled:Untitled-1"), None);
    }
}
