//! Answers as plain data, for JSON: the packages for JavaScript and Python give them.
//!
//! The form of places is a parameter: [`Units`] or [`Lines`].

use std::collections::HashMap;

use pcl::diagnostics::{Code, FileId, Severity, SourceMap, Span};
use pcl::document::Range;
use serde::Serialize;

use crate::completion::Completion;
use crate::{Analysis, FilePosition, kept_name, names};

/// A half-open range of a file, as a caller counts.
pub trait Form: Serialize + Sized {
    /// The form of a span.
    fn of(span: Span, places: &mut Places<'_>) -> Self;
}

/// A range in UTF-16 code units from the start of the file, as JavaScript counts.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Units {
    /// The start.
    pub from: u32,
    /// The end.
    pub to: u32,
}

/// A range in lines, columns and bytes.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The range.
    pub range: Range,
}

impl Form for Units {
    fn of(span: Span, places: &mut Places<'_>) -> Self {
        let utf16 = places.utf16(span.file);
        Self { from: utf16.units(span.range.start()), to: utf16.units(span.range.end()) }
    }
}

impl Form for Lines {
    fn of(span: Span, places: &mut Places<'_>) -> Self {
        Self { range: Range::of(span, places.sources) }
    }
}

/// A diagnostic of a file.
#[derive(Debug, Serialize)]
pub struct Diagnostic<F> {
    /// Its place.
    #[serde(flatten)]
    pub place: F,
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
    pub labels: Vec<Label<F>>,
    /// The fixes.
    pub fixes: Vec<Fix<F>>,
}

/// A place with a message.
#[derive(Debug, Serialize)]
pub struct Label<F> {
    /// The place.
    #[serde(flatten)]
    pub place: Location<F>,
    /// The message.
    pub message: String,
}

/// A fix of a diagnostic.
#[derive(Debug, Serialize)]
pub struct Fix<F> {
    /// The effect of the fix.
    pub title: String,
    /// `safe`, `unsafe` or `display-only`.
    pub applicability: &'static str,
    /// The edits, which are applied at once.
    pub edits: Vec<Edit<F>>,
}

/// An edit.
#[derive(Debug, Serialize)]
pub struct Edit<F> {
    /// The place that is replaced.
    #[serde(flatten)]
    pub place: Location<F>,
    /// The new text.
    pub insert: String,
}

/// A place in a file.
#[derive(Debug, Serialize, PartialEq, Eq)]
pub struct Location<F> {
    /// The path of the file.
    pub file: String,
    /// The place in the file.
    #[serde(flatten)]
    pub place: F,
}

/// The explanation of the thing at a place.
#[derive(Debug, Serialize)]
pub struct Hover<F> {
    /// The place of the thing.
    #[serde(flatten)]
    pub place: F,
    /// The explanation in Markdown.
    pub markdown: String,
}

/// The completions at a place.
#[derive(Debug, Serialize)]
pub struct Completions<F> {
    /// The text that a completion replaces.
    #[serde(flatten)]
    pub place: F,
    /// Set if there are more, which typing on reveals.
    pub incomplete: bool,
    /// The completions, the best first.
    pub items: Vec<Completion>,
}

/// The places of a program, in any form.
pub struct Places<'a> {
    sources: &'a SourceMap,
    files: HashMap<FileId, Utf16>,
}

impl<'a> Places<'a> {
    /// The places of a program.
    pub fn new(analysis: &'a Analysis) -> Self {
        Self { sources: &analysis.checked.sources, files: HashMap::new() }
    }

    fn utf16(&mut self, file: FileId) -> &Utf16 {
        let sources = self.sources;
        let known = self.files.entry(file);
        known.or_insert_with(|| Utf16::new(sources.text(file)))
    }

    fn location<F: Form>(&mut self, span: Span) -> Location<F> {
        let file = self.sources.path(span.file).to_owned();
        let place = F::of(span, self);
        Location { file, place }
    }
}

/// The position of an offset in UTF-16 code units.
pub fn position_of_units(analysis: &Analysis, file: FileId, units: u32) -> FilePosition {
    FilePosition::new(file, Utf16::new(analysis.checked.sources.text(file)).bytes(units))
}

/// The diagnostics of a file.
pub fn diagnostics<F: Form>(analysis: &Analysis, file: FileId) -> Vec<Diagnostic<F>> {
    let mut places = Places::new(analysis);
    let all = analysis.checked.diagnostics.iter();
    let own = all.filter(|diagnostic| diagnostic.primary.file == file);
    own.map(|it| diagnostic(it, analysis, &mut places)).collect()
}

fn diagnostic<F: Form>(
    diagnostic: &pcl::diagnostics::Diagnostic,
    analysis: &Analysis,
    places: &mut Places<'_>,
) -> Diagnostic<F> {
    let labels = diagnostic.labels.iter();
    let labels = labels.filter(|label| label.span != diagnostic.primary);
    let labels = labels
        .map(|label| Label { place: places.location(label.span), message: label.message.clone() });
    let labels = labels.collect();
    let mut fixes = Vec::with_capacity(diagnostic.fixes.len());
    for fix in &diagnostic.fixes {
        let edits = fix
            .edits
            .iter()
            .map(|edit| Edit { place: places.location(edit.span), insert: edit.text.clone() });
        fixes.push(Fix {
            title: fix.title.clone(),
            applicability: fix.applicability.as_str(),
            edits: edits.collect(),
        });
    }
    Diagnostic {
        place: F::of(diagnostic.primary, places),
        severity: match diagnostic.severity {
            Severity::Warning => "warning",
            Severity::Error | Severity::Bug => "error",
        },
        code: diagnostic.code.id(),
        name: diagnostic.code.name(),
        message: diagnostic.message.clone(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.help.clone(),
        url: analysis.checked.settings.docs_url.page(diagnostic.code),
        tag: match diagnostic.code {
            Code::Deprecated => Some("deprecated"),
            code if code.name().starts_with("unused-") => Some("unused"),
            _ => None,
        },
        labels,
        fixes,
    }
}

/// The explanation of the thing at a position.
pub fn hover<F: Form>(analysis: &mut Analysis, at: FilePosition) -> Option<Hover<F>> {
    let found = crate::hover(analysis, at)?;
    Some(Hover { place: F::of(found.span, &mut Places::new(analysis)), markdown: found.markdown })
}

/// The completions at a position.
pub fn complete<F: Form>(analysis: &mut Analysis, at: FilePosition) -> Option<Completions<F>> {
    let found = crate::completions(analysis, at)?;
    Some(Completions {
        place: F::of(found.replaced, &mut Places::new(analysis)),
        incomplete: found.is_incomplete,
        items: found.items,
    })
}

/// The declaration of the name at a position.
pub fn definition<F: Form>(analysis: &Analysis, at: FilePosition) -> Option<Location<F>> {
    let (_, span) = names::definition(analysis, at)?;
    Some(Places::new(analysis).location(span))
}

/// The places of the name at a position: the declaration, then the references.
pub fn references<F: Form>(analysis: &Analysis, at: FilePosition) -> Vec<Location<F>> {
    let Some((name, _)) = names::name_at(analysis, at) else { return Vec::new() };
    let spans = names::declaration(analysis, name).into_iter();
    let spans = spans.chain(names::references(analysis, name).iter().copied());
    let mut places = Places::new(analysis);
    spans.map(|span| places.location(span)).collect()
}

/// The edits that give the name at a position another text, and keep the name outside of the
/// program.
///
/// # Errors
/// Returns the reason if the name cannot be changed, or if something else would get its meaning.
pub fn rename<F: Form>(
    analysis: &Analysis,
    at: FilePosition,
    new: &str,
) -> Result<Vec<Edit<F>>, String> {
    let (name, _) = names::renamable(analysis, at)?;
    let spans = names::rename(analysis, name, new)?;
    let mut places = Places::new(analysis);
    let edits =
        spans.into_iter().map(|span| Edit { place: places.location(span), insert: new.to_owned() });
    let mut edits: Vec<Edit<F>> = edits.collect();
    let kept = kept_name(analysis, name, new, false).into_iter();
    edits.extend(kept.map(|edit| Edit { place: places.location(edit.span), insert: edit.text }));
    Ok(edits)
}

/// Converts between offsets in bytes and in UTF-16 code units, each in logarithmic time.
#[derive(Debug)]
struct Utf16 {
    /// The characters that are not ASCII.
    wide: Vec<Wide>,
}

/// A character that is not ASCII.
#[derive(Debug, Clone, Copy)]
struct Wide {
    byte: u32,
    unit: u32,
    bytes: u32,
    units: u32,
}

impl Utf16 {
    /// Returns the conversion for a text.
    fn new(text: &str) -> Self {
        let mut surplus = 0;
        let others = text.char_indices().filter(|(_, one)| !one.is_ascii());
        let wide = others.map(|(byte, one)| {
            let (byte, bytes, units) = (byte as u32, one.len_utf8() as u32, one.len_utf16() as u32);
            let unit = byte - surplus;
            surplus += bytes - units;
            Wide { byte, unit, bytes, units }
        });
        Self { wide: wide.collect() }
    }

    /// The offset in code units of an offset in bytes. Inside of a character it is that of its end.
    fn units(&self, byte: u32) -> u32 {
        let begun = self.wide.partition_point(|wide| wide.byte < byte);
        match begun.checked_sub(1).and_then(|at| self.wide.get(at)) {
            Some(wide) => wide.unit + wide.units + byte.saturating_sub(wide.byte + wide.bytes),
            None => byte,
        }
    }

    /// The offset in bytes of an offset in code units. Inside of a character it is that of its end.
    fn bytes(&self, unit: u32) -> u32 {
        let begun = self.wide.partition_point(|wide| wide.unit < unit);
        match begun.checked_sub(1).and_then(|at| self.wide.get(at)) {
            Some(wide) => wide.byte + wide.bytes + unit.saturating_sub(wide.unit + wide.units),
            None => unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use pcl::{Settings, Target, Workspace};
    use serde_json::json;

    use super::*;

    const TEXT: &str = "\u{e9} = 1 # \u{1d11e}\nx = lenght([\u{e9}])\n";

    fn analysis() -> (Analysis, FileId) {
        let workspace = Workspace::new(Settings::default());
        let analysis = Analysis::new(workspace.check(&Target::text("main.pp", TEXT)));
        let file = analysis.file("main.pp").unwrap();
        (analysis, file)
    }

    fn json(value: impl Serialize) -> serde_json::Value {
        serde_json::to_value(value).unwrap()
    }

    #[test]
    fn places_have_both_forms() {
        let (mut analysis, file) = analysis();
        let at = TEXT.rfind('\u{e9}').unwrap() as u32;
        let units = TEXT[..at as usize].encode_utf16().count() as u32;
        let at = FilePosition::new(file, at);
        assert_eq!(position_of_units(&analysis, file, units), at);
        let name = json!({ "file": "main.pp", "from": 0, "to": 1 });
        assert_eq!(json(definition::<Units>(&analysis, at)), name);
        let lines = json!({
            "start": { "byte": 0, "line": 1, "column": 1 },
            "end": { "byte": 2, "line": 1, "column": 2 },
        });
        let name = json!({ "file": "main.pp", "range": lines });
        assert_eq!(json(definition::<Lines>(&analysis, at)), name);
        let found = json(references::<Units>(&analysis, at));
        assert_eq!(found[1], json!({ "file": "main.pp", "from": units, "to": units + 1 }));
        let found = json(hover::<Units>(&mut analysis, at));
        assert_eq!((&found["from"], &found["to"]), (&json!(units), &json!(units + 1)));
    }

    #[test]
    fn diagnostics_have_fixes() {
        let (analysis, file) = analysis();
        let found = json(diagnostics::<Units>(&analysis, file));
        let edit = &found[0]["fixes"][0]["edits"][0];
        let start = TEXT[..TEXT.find("lenght").unwrap()].encode_utf16().count();
        let expected = json!({
            "file": "main.pp", "from": start, "to": start + 6, "insert": "length",
        });
        assert_eq!(*edit, expected);
        assert_eq!((&found[0]["from"], &found[0]["code"]), (&json!(start), &json!("PCL0601")));
    }

    #[test]
    fn completions_leave_out_what_only_editors_use() {
        let (mut analysis, file) = analysis();
        let at = FilePosition::new(file, TEXT.find("nght").unwrap() as u32);
        let found = json(complete::<Lines>(&mut analysis, at));
        let items = found["items"].as_array().unwrap();
        let length = items.iter().find(|item| item["label"] == "length").unwrap();
        let keys: Vec<&String> = length.as_object().unwrap().keys().collect();
        let expected =
            ["deprecated", "detail", "documentation", "kind", "label", "snippet", "text"];
        assert_eq!(keys, expected);
        assert_eq!(length["kind"], "function");
    }

    #[test]
    fn every_boundary_has_one_offset_of_each_kind() {
        for text in ["", "abc", "é", "aé𐍈b\r\n𐍈", "日本語 = \"x\"", "𐍈𐍈"] {
            let utf16 = Utf16::new(text);
            let mut units = 0;
            for (byte, one) in text.char_indices() {
                assert_eq!(utf16.units(byte as u32), units, "{text}");
                assert_eq!(utf16.bytes(units), byte as u32, "{text}");
                if one.len_utf16() == 2 {
                    let end = byte + one.len_utf8();
                    assert_eq!(utf16.bytes(units + 1), end as u32, "{text}");
                }
                units += one.len_utf16() as u32;
            }
            assert_eq!(utf16.units(text.len() as u32), units);
            assert_eq!(utf16.bytes(units), text.len() as u32);
        }
    }
}
