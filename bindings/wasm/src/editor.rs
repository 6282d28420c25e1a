//! The answers for editors, whose places are offsets in UTF-16 code units.

use std::collections::HashMap;

use pcl::diagnostics::{Code, Diagnostic, FileId, Severity, Span};
use pcl_ide::{Analysis, names, rename};
use serde::Serialize;

use crate::utf16::Utf16;

/// A diagnostic of a file.
#[derive(Debug, Serialize)]
pub struct Marked {
    /// The start of its place.
    pub from: u32,
    /// The end of its place.
    pub to: u32,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The code, such as `PCL0601`.
    pub code: &'static str,
    /// The name of the code, such as `unknown-function`.
    pub name: &'static str,
    /// The message.
    pub message: String,
    /// Further explanations.
    pub notes: Vec<String>,
    /// Advice.
    pub help: Option<String>,
    /// The address of the page about the code.
    pub url: String,
    /// `unused` or `deprecated`, for editors that show such code in another way.
    pub tag: Option<&'static str>,
    /// Other places with what they have to do with it.
    pub labels: Vec<Label>,
    /// The fixes.
    pub fixes: Vec<Fix>,
}

/// A place with a message.
#[derive(Debug, Serialize)]
pub struct Label {
    /// The place.
    #[serde(flatten)]
    pub place: Location,
    /// The message.
    pub message: String,
}

/// A fix of a diagnostic.
#[derive(Debug, Serialize)]
pub struct Fix {
    /// The effect of the fix.
    pub title: String,
    /// `safe`, `unsafe` or `display-only`.
    pub applicability: &'static str,
    /// The edits, which are applied at once.
    pub edits: Vec<Edit>,
}

/// An edit.
#[derive(Debug, Serialize)]
pub struct Edit {
    /// The place that is replaced.
    #[serde(flatten)]
    pub place: Location,
    /// The new text.
    pub insert: String,
}

/// A place in a file.
#[derive(Debug, Serialize)]
pub struct Location {
    /// The path of the file.
    pub file: String,
    /// The start.
    pub from: u32,
    /// The end.
    pub to: u32,
}

/// The explanation of the thing at a place.
#[derive(Debug, Serialize)]
pub struct Hover {
    /// The start of the thing.
    pub from: u32,
    /// The end of the thing.
    pub to: u32,
    /// The explanation in Markdown.
    pub markdown: String,
}

/// The completions at a place.
#[derive(Debug, Serialize)]
pub struct Completions {
    /// The start of the text that a completion replaces.
    pub from: u32,
    /// The end of the text that a completion replaces.
    pub to: u32,
    /// Set if there are more, which typing on reveals.
    pub incomplete: bool,
    /// The completions, the best first.
    pub items: Vec<Completion>,
}

/// A completion.
#[derive(Debug, Serialize)]
pub struct Completion {
    /// The text that is shown.
    pub label: String,
    /// Its kind, such as `property` or `function`.
    pub kind: &'static str,
    /// Its type, or a few words about it.
    pub detail: Option<String>,
    /// The text that is inserted.
    pub text: String,
    /// The text with placeholders such as `${1:name}`, in the syntax of the language server
    /// protocol.
    pub snippet: Option<String>,
    /// Set if it should not be used any more.
    pub deprecated: bool,
    /// Documentation in Markdown.
    pub documentation: Option<String>,
}

/// Converts places of a program.
struct Places<'a> {
    analysis: &'a Analysis,
    files: HashMap<FileId, Utf16>,
}

impl<'a> Places<'a> {
    fn new(analysis: &'a Analysis) -> Self {
        Self {
            analysis,
            files: HashMap::new(),
        }
    }

    fn range(&mut self, span: Span) -> (u32, u32) {
        let sources = &self.analysis.checked.sources;
        let known = self.files.entry(span.file);
        let utf16 = known.or_insert_with(|| Utf16::new(sources.text(span.file)));
        (
            utf16.units(span.range.start()),
            utf16.units(span.range.end()),
        )
    }

    fn location(&mut self, span: Span) -> Location {
        let (from, to) = self.range(span);
        let file = self.analysis.checked.sources.path(span.file).to_owned();
        Location { file, from, to }
    }
}

/// The diagnostics of a file.
#[must_use]
pub fn diagnostics(analysis: &Analysis, file: FileId) -> Vec<Marked> {
    let mut places = Places::new(analysis);
    let all = analysis.checked.diagnostics.iter();
    let own = all.filter(|diagnostic| diagnostic.primary.file == file);
    own.map(|diagnostic| marked(diagnostic, &mut places))
        .collect()
}

fn marked(diagnostic: &Diagnostic, places: &mut Places<'_>) -> Marked {
    let (from, to) = places.range(diagnostic.primary);
    let labels = diagnostic.labels.iter();
    let labels = labels.filter(|label| label.span != diagnostic.primary);
    Marked {
        from,
        to,
        severity: match diagnostic.severity {
            Severity::Warning => "warning",
            Severity::Error | Severity::Bug => "error",
        },
        code: diagnostic.code.id(),
        name: diagnostic.code.name(),
        message: diagnostic.message.clone(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
        url: places
            .analysis
            .checked
            .settings
            .docs_url
            .page(diagnostic.code),
        tag: match diagnostic.code {
            Code::Deprecated => Some("deprecated"),
            code if code.name().starts_with("unused-") => Some("unused"),
            _ => None,
        },
        labels: labels
            .map(|label| Label {
                place: places.location(label.span),
                message: label.message.clone(),
            })
            .collect(),
        fixes: diagnostic
            .fixes
            .iter()
            .map(|fix| Fix {
                title: fix.title.clone(),
                applicability: fix.applicability.as_str(),
                edits: fix
                    .edits
                    .iter()
                    .map(|edit| Edit {
                        place: places.location(edit.span),
                        insert: edit.text.clone(),
                    })
                    .collect(),
            })
            .collect(),
    }
}

/// The explanation of the thing at a place, an offset in bytes.
#[must_use]
pub fn hover(analysis: &mut Analysis, file: FileId, offset: u32) -> Option<Hover> {
    let found = pcl_ide::hover(analysis, file, offset)?;
    let (from, to) = Places::new(analysis).range(found.span);
    Some(Hover {
        from,
        to,
        markdown: found.markdown,
    })
}

/// The completions at a place, an offset in bytes.
#[must_use]
pub fn complete(analysis: &mut Analysis, file: FileId, offset: u32) -> Option<Completions> {
    let found = pcl_ide::completions(analysis, file, offset)?;
    let (from, to) = Places::new(analysis).range(found.replaced);
    let items = found.items.into_iter().map(|item| Completion {
        kind: item.kind.name(),
        label: item.label,
        detail: item.detail,
        text: item.text,
        snippet: item.snippet,
        deprecated: item.is_deprecated,
        documentation: item.documentation,
    });
    Some(Completions {
        from,
        to,
        incomplete: found.is_incomplete,
        items: items.collect(),
    })
}

/// The declaration of the name at a place, an offset in bytes.
#[must_use]
pub fn definition(analysis: &Analysis, file: FileId, offset: u32) -> Option<Location> {
    let (_, span) = names::definition(analysis, file, offset)?;
    Some(Places::new(analysis).location(span))
}

/// The places of the name at a place, an offset in bytes: the declaration, then the references.
#[must_use]
pub fn references(analysis: &Analysis, file: FileId, offset: u32) -> Vec<Location> {
    let Some((name, _)) = names::name_at(analysis, file, offset) else {
        return Vec::new();
    };
    let spans = names::declaration(analysis, name).into_iter();
    let spans = spans.chain(names::references(analysis, name).iter().copied());
    let mut places = Places::new(analysis);
    spans.map(|span| places.location(span)).collect()
}

/// The edits that give the name at a place, an offset in bytes, another text.
///
/// # Errors
/// Returns the reason if the name cannot be changed, or if something else would get its meaning.
pub fn rename(
    analysis: &Analysis,
    file: FileId,
    offset: u32,
    new: &str,
) -> Result<Vec<Edit>, String> {
    let (name, _) = rename::renamable(analysis, file, offset)?;
    let spans = rename::rename(analysis, name, new)?;
    let mut places = Places::new(analysis);
    let edits = spans.into_iter().map(|span| Edit {
        place: places.location(span),
        insert: new.to_owned(),
    });
    Ok(edits.collect())
}
