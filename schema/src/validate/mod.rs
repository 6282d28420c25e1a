//! All diagnostics about a schema, in one run: those that the users of its members get, and those
//! that matter to the authors of the package alone.

mod doc_refs;
mod external;
mod header;
mod members;
mod tokens;
mod walk;

use pcl_diagnostics::{Code, Diagnostic, Label, Span};
use rustc_hash::FxHashMap;

use self::external::OtherPackages;
use crate::diagnostic::{ValueRanges, shown, span};
use crate::error::OpenError;
use crate::index::Index;
use crate::scan::{Bytes, Scanner};
use crate::source::SchemaSource;
use crate::yaml::place_of;
use crate::{
    DocumentError, DocumentErrorKind, Loader, MemberId, Package, SchemaDiagnostic, Section, Syntax,
    diagnostic,
};

/// Checks a schema as a whole. Of references to other packages, only the form is checked.
///
/// The diagnostics are in the order of the document, which is the first file of their source map.
///
/// ```
/// use pcl_schema::Syntax;
/// let document = br##"{"name": "zoo", "resources": {"zoo:a:Cage": {"required": ["bars"]}}}"##;
/// let diagnostics = pcl_schema::validate(document, Syntax::Json);
/// assert_eq!(diagnostics[0].message, "the required property `bars` does not exist");
/// assert_eq!(diagnostics[0].notes, ["at #/resources/zoo:a:Cage/required/0"]);
/// ```
pub fn validate(source: &[u8], syntax: Syntax) -> Vec<Diagnostic> {
    validate_source(source, syntax, None)
}

/// Checks a schema as [`validate`] does, including its references to other packages.
///
/// ```
/// use pcl_diagnostics::Code;
/// use pcl_schema::{MemoryLoader, Syntax};
/// let document = br##"{"name": "zoo", "types": {"zoo:a:Cage": {"type": "object", "properties": {
///     "deck": {"$ref": "/ark/v1.0.0/schema.json#/types/ark:a:Deck"}}}}}"##;
/// let mut others = MemoryLoader::default();
/// let diagnostics = pcl_schema::validate_among(document, Syntax::Json, &others);
/// assert_eq!(diagnostics[0].code, Code::UnknownPackage);
///
/// others.add(r#"{"name": "ark", "version": "1.0.0", "types": {"ark:a:Deck": {"type": "object"}}}"#)?;
/// assert!(pcl_schema::validate_among(document, Syntax::Json, &others).is_empty());
/// # Ok::<(), pcl_schema::DocumentError>(())
/// ```
pub fn validate_among(source: &[u8], syntax: Syntax, others: &dyn Loader) -> Vec<Diagnostic> {
    validate_source(source, syntax, Some(others))
}

/// Checks a schema in JSON as [`validate`] does. The diagnostics have the paths of their values
/// beside them, for a schema that was made of something else.
///
/// ```
/// let document = br##"{"name": "zoo", "resources": {"zoo:a:Cage": {"required": ["bars"]}}}"##;
/// let diagnostics = pcl_schema::validate_paths(document);
/// assert_eq!(&*diagnostics[0].path, "#/resources/zoo:a:Cage/required/0");
/// ```
pub fn validate_paths(document: &[u8]) -> Vec<SchemaDiagnostic> {
    validate_json(document, None)
}

fn validate_source(source: &[u8], syntax: Syntax, others: Option<&dyn Loader>) -> Vec<Diagnostic> {
    in_source(source, syntax, |document| {
        validate_json(document, others).into_iter().map(with_path).collect()
    })
}

/// The diagnostics that `judge` gives about a schema as JSON, in the places of its source.
pub(crate) fn in_source(
    source: &[u8],
    syntax: Syntax,
    judge: impl FnOnce(&[u8]) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let document = match SchemaSource::of_source(source.to_vec(), syntax) {
        Ok(SchemaSource::Rewritten(document)) => document,
        Ok(_) => return judge(source),
        Err(error) => return vec![with_path(no_schema(&error))],
    };
    let mut diagnostics = judge(&document.json);
    let in_source = |written: Span| match place_of(&document.places, written.range.to_usize().start)
    {
        Some(place) => span(place.start as usize..place.end as usize),
        None => span(0..0),
    };
    for diagnostic in &mut diagnostics {
        diagnostic.primary = in_source(diagnostic.primary);
        for label in &mut diagnostic.labels {
            label.span = in_source(label.span);
        }
    }
    diagnostics
}

/// The diagnostic about a document that cannot be read as a schema.
pub(crate) fn no_schema(error: &DocumentError) -> SchemaDiagnostic {
    let at = error.offset as usize;
    let diagnostic = not_a_schema(span(at..at), &error.kind);
    SchemaDiagnostic { path: "#".into(), diagnostic }
}

/// A diagnostic with the path of keys that leads to the value.
pub(crate) fn with_path(found: SchemaDiagnostic) -> Diagnostic {
    let note = at_path(&found.path);
    found.diagnostic.note(note)
}

fn validate_json(document: &[u8], others: Option<&dyn Loader>) -> Vec<SchemaDiagnostic> {
    let memory = SchemaSource::Memory(document.to_vec());
    let opened = Index::build(&memory)
        .and_then(|index| Package::tolerant(memory, index).map_err(OpenError::from))
        .map_err(OpenError::of_memory);
    let (package, header) = match opened {
        Ok(opened) => opened,
        Err(error) => return vec![no_schema(&error)],
    };
    let mut check = Validation {
        text: document,
        package: &package,
        top: top(document),
        allowed_names: Vec::new(),
        others: others.map(OtherPackages::new),
        ranges: FxHashMap::default(),
        diagnostics: Vec::new(),
    };
    for error in header {
        check.header_error(&error);
    }
    check.header();
    for section in Section::ALL {
        for member in package.members(section) {
            check.token(section, member);
            check.member(member);
        }
    }
    check.methods();
    check.cycles();
    check.collisions();
    check.walk();
    let mut diagnostics = check.diagnostics;
    let place = |it: &SchemaDiagnostic| it.diagnostic.primary.range;
    diagnostics.sort_by_key(|it| (place(it).start(), place(it).end()));
    diagnostics.dedup();
    diagnostics
}

/// A running check.
struct Validation<'d> {
    text: &'d [u8],
    package: &'d Package,
    /// The values at the top of the document.
    top: FxHashMap<String, Bytes>,
    /// The packages besides this one that tokens may name.
    allowed_names: Vec<String>,
    /// The packages that references lead to, if they are to be followed.
    others: Option<OtherPackages<'d>>,
    /// The values in the members that other members cause diagnostics about.
    ranges: FxHashMap<MemberId, ValueRanges>,
    diagnostics: Vec<SchemaDiagnostic>,
}

impl Validation<'_> {
    fn header_error(&mut self, error: &DocumentError) {
        let field = match &error.kind {
            DocumentErrorKind::Header { field, .. } => *field,
            _ => "",
        };
        self.report(&format!("#/{field}"), error.offset as usize, |at| {
            unusable_field(at, &error.kind)
        });
    }

    /// Reports the diagnostics about a member itself.
    fn member(&mut self, member: MemberId) {
        let decoded = self.package.parts.decode(member, true);
        self.add(decoded.diagnostics);
        if decoded.left_out > 0 {
            let key = self.span(self.key_of(member));
            if let Some(last) = self.diagnostics.last_mut() {
                last.diagnostic
                    .labels
                    .push(Label { span: key, message: more_in_member(decoded.left_out) });
            }
        }
    }

    /// Reports a diagnostic about the value that begins at an offset.
    fn report(&mut self, path: &str, offset: usize, message: impl FnOnce(Span) -> Diagnostic) {
        let diagnostic = message(self.span(offset));
        self.diagnostics.push(SchemaDiagnostic { path: path.into(), diagnostic });
    }

    /// Adds the diagnostics of the reader.
    fn add(&mut self, diagnostics: impl IntoIterator<Item = SchemaDiagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// The span of the value that begins at an offset.
    fn span(&self, offset: usize) -> Span {
        span(shown(self.text, offset))
    }

    /// The offset of the key of a member.
    fn key_of(&self, member: MemberId) -> usize {
        match self.package.parts.value(member) {
            Some(value) => key_before(self.text, value.start),
            None => 0,
        }
    }

    /// The offset of a value inside a member, as far as the path goes.
    fn offset_in<'k>(
        &mut self,
        member: MemberId,
        path: impl IntoIterator<Item = &'k str>,
    ) -> usize {
        let value = self.package.parts.value(member).unwrap_or_default();
        let text = self.text.get(value.clone()).unwrap_or_default();
        let ranges = self.ranges.entry(member).or_default();
        value.start + ranges.locate(text, path).start
    }
}

impl<'d> Validation<'d> {
    /// The tokens of a section with their members, in the order of the tokens.
    fn sorted(&self, section: Section) -> Vec<(&'d str, MemberId)> {
        let members = self.package.members(section);
        let mut members: Vec<_> = members.map(|id| (self.package.token(id), id)).collect();
        members.sort();
        members
    }
}

/// The offset of the key of the value that begins at an offset.
pub(crate) fn key_before(text: &[u8], value: usize) -> usize {
    let before = text.get(..value).unwrap_or_default();
    let is_escaped = |quote: &usize| {
        let before = before.get(..*quote).unwrap_or_default().iter();
        before.rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
    };
    // The last one ends the key.
    let mut quotes = memchr::memrchr_iter(b'"', before).skip(1);
    quotes.find(|quote| !is_escaped(quote)).unwrap_or(value)
}

/// The values at the top of a document; of several with one key the last.
fn top(text: &[u8]) -> FxHashMap<String, Bytes> {
    let mut fields = FxHashMap::default();
    let walked = Scanner::new(text).object(|scanner, key| {
        let value = scanner.value()?;
        let key = crate::scan::unescape(key).unwrap_or_default().into_owned();
        fields.insert(key, value);
        Ok::<_, crate::scan::ScanError>(())
    });
    debug_assert!(walked.is_ok(), "the document was indexed");
    fields
}

/// The document is not a schema at all.
fn not_a_schema(at: Span, error: &DocumentErrorKind) -> Diagnostic {
    Diagnostic::error(Code::SchemaDocument, at, error.to_string())
        .help("a schema is one JSON or YAML object with at least a `name`")
}

/// The note with the path of keys to the value.
fn at_path(path: &str) -> String {
    format!("at {path}")
}

/// The label of the last diagnostic about a member that has more.
fn more_in_member(count: usize) -> String {
    format!("{count} more in this member are not shown")
}

/// A field cannot be used.
fn unusable_field(at: Span, error: &DocumentErrorKind) -> Diagnostic {
    match error {
        DocumentErrorKind::Header { reason, .. } => diagnostic::bad_header(at, reason),
        other => diagnostic::bad_header(at, other.to_string()),
    }
}
