//! Everything that is wrong with a schema, in one run: what the users of its members meet, and what only the authors of the package want to know.

mod collisions;
mod cycles;
mod doc_refs;
mod external;
mod header;
mod methods;
mod tokens;
mod walk;

use std::ops::Range;

use rustc_hash::FxHashMap;

use self::external::Others;
use crate::document::Document;
use crate::error::OpenError;
use crate::index::Index;
use crate::places::Places;
use crate::scan::{Bytes, Scanner};
use crate::yaml::place_of;
use crate::{
    DocumentError, DocumentErrorKind, Loader, MemberId, Package, ProblemKind, ProblemSeverity,
    Section, Syntax,
};

/// Something wrong with a schema, as [`validate`] tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What kind of mistake.
    pub kind: ProblemKind,
    /// Whether the schema is to be refused for it.
    pub severity: ProblemSeverity,
    /// Where, as a path of keys: `#/resources/pkg:mod:Name/inputProperties/size/type`.
    pub path: Box<str>,
    /// What is wrong, in terms of what is written.
    pub message: Box<str>,
    /// Where in the document, in bytes.
    pub range: Range<u32>,
    /// Other places that explain it, each with what is there.
    pub related: Vec<(Range<u32>, Box<str>)>,
}

/// Checks a schema as a whole; the findings are in the order of the document. Of references to other packages the form alone is checked.
///
/// ```
/// use pcl_schema::Syntax;
/// let document = br##"{"name": "zoo", "resources": {"zoo:a:Cage": {"required": ["bars"]}}}"##;
/// let findings = pcl_schema::validate(document, Syntax::Json);
/// assert_eq!(&*findings[0].path, "#/resources/zoo:a:Cage/required/0");
/// assert_eq!(&*findings[0].message, "there is no property `bars` that could be required");
/// ```
#[must_use]
pub fn validate(source: &[u8], syntax: Syntax) -> Vec<Finding> {
    validate_source(source, syntax, None)
}

/// The same, with the packages that the schema refers to.
///
/// ```
/// use pcl_schema::{MemoryLoader, ProblemKind, Syntax};
/// let document = br##"{"name": "zoo", "types": {"zoo:a:Cage": {"type": "object", "properties": {
///     "deck": {"$ref": "/ark/v1.0.0/schema.json#/types/ark:a:Deck"}}}}}"##;
/// let mut others = MemoryLoader::default();
/// let findings = pcl_schema::validate_among(document, Syntax::Json, &others);
/// assert_eq!(findings[0].kind, ProblemKind::MissingPackage);
///
/// others.add(r#"{"name": "ark", "version": "1.0.0", "types": {"ark:a:Deck": {"type": "object"}}}"#)?;
/// assert!(pcl_schema::validate_among(document, Syntax::Json, &others).is_empty());
/// # Ok::<(), pcl_schema::DocumentError>(())
/// ```
#[must_use]
pub fn validate_among(source: &[u8], syntax: Syntax, others: &dyn Loader) -> Vec<Finding> {
    validate_source(source, syntax, Some(others))
}

fn validate_source(source: &[u8], syntax: Syntax, others: Option<&dyn Loader>) -> Vec<Finding> {
    let document = match Document::of_source(source.to_vec(), syntax) {
        Ok(Document::Rewritten(document)) => document,
        Ok(_) => return validate_json(source, others),
        Err(error) => return vec![no_schema(&error)],
    };
    let mut findings = validate_json(&document.json, others);
    let in_source = |range: &Range<u32>| match place_of(&document.places, range.start as usize) {
        Some(place) => place.position.offset..place.end,
        None => 0..0,
    };
    for finding in &mut findings {
        finding.range = in_source(&finding.range);
        for (range, _) in &mut finding.related {
            *range = in_source(range);
        }
    }
    findings
}

fn no_schema(error: &DocumentError) -> Finding {
    let at = error.position.offset;
    Finding {
        kind: ProblemKind::NoSchema,
        severity: ProblemSeverity::Error,
        path: "#".into(),
        message: error.kind.to_string().into(),
        range: at..at,
        related: Vec::new(),
    }
}

fn validate_json(document: &[u8], others: Option<&dyn Loader>) -> Vec<Finding> {
    let memory = Document::Memory(document.to_vec());
    let opened = Index::build(&memory)
        .and_then(|index| Package::tolerant(memory, index).map_err(OpenError::from))
        .map_err(OpenError::of_memory);
    let (package, header) = match opened {
        Ok(opened) => opened,
        Err(error) => return vec![no_schema(&error)],
    };
    let mut check = Check {
        text: document,
        package: &package,
        top: top(document),
        allowed_names: Vec::new(),
        others: others.map(Others::new),
        places: FxHashMap::default(),
        findings: Vec::new(),
    };
    for problem in header {
        check.header_problem(&problem);
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
    let mut findings = check.findings;
    findings.sort_by_key(|finding| (finding.range.start, finding.range.end));
    findings.dedup();
    findings
}

/// A check on its way.
struct Check<'d> {
    text: &'d [u8],
    package: &'d Package,
    /// The values at the top of the document.
    top: Vec<(String, Bytes)>,
    /// The packages besides this one that tokens may name.
    allowed_names: Vec<String>,
    /// The packages that references lead to, if they are to be followed.
    others: Option<Others<'d>>,
    /// The places in the members that other members make findings about.
    places: FxHashMap<MemberId, Places>,
    findings: Vec<Finding>,
}

impl Check<'_> {
    fn header_problem(&mut self, error: &DocumentError) {
        let (field, message) = match &error.kind {
            DocumentErrorKind::Header { field, problem } => (*field, problem.clone()),
            other => ("", other.to_string()),
        };
        let place = error.position.offset as usize;
        self.error(
            ProblemKind::BadHeader,
            &format!("#/{field}"),
            place,
            message,
        );
    }

    /// What is wrong with a member itself.
    fn member(&mut self, member: MemberId) {
        let slot = self.package.parts.read(member, true);
        let key = self.key_of(member);
        for problem in slot.problems {
            let place = problem.offset as usize;
            self.report(
                problem.kind,
                problem.severity,
                &problem.path,
                place,
                problem.message,
            );
        }
        if slot.left_out > 0 {
            let key = self.range(key);
            let message = format!("{} more are left out in this member", slot.left_out);
            if let Some(last) = self.findings.last_mut() {
                last.related.push((key, message.into()));
            }
        }
    }

    fn error(
        &mut self,
        kind: ProblemKind,
        path: &str,
        place: usize,
        message: impl Into<Box<str>>,
    ) -> &mut Finding {
        self.report(kind, ProblemSeverity::Error, path, place, message)
    }

    fn report(
        &mut self,
        kind: ProblemKind,
        severity: ProblemSeverity,
        path: &str,
        place: usize,
        message: impl Into<Box<str>>,
    ) -> &mut Finding {
        let range = match kind {
            // Where reading stopped, which may be inside of a value.
            ProblemKind::Unreadable => {
                let end = self.text.len();
                place.min(end) as u32..(place + 1).min(end) as u32
            }
            _ => self.range(place),
        };
        self.findings.push(Finding {
            kind,
            severity,
            path: path.into(),
            message: message.into(),
            range,
            related: Vec::new(),
        });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// The value that begins at a place. Of what has brackets just the first one.
    fn range(&self, place: usize) -> Range<u32> {
        let rest = self.text.get(place..).unwrap_or_default();
        let length = match rest.first() {
            None => 0,
            Some(b'{' | b'[') => 1,
            Some(_) => Scanner::new(rest).value().map_or(1, |value| value.end),
        };
        // A value that is no JSON may go on for long.
        let line = memchr::memchr(b'\n', &rest[..length]).unwrap_or(length);
        let place = place.min(self.text.len());
        place as u32..(place + line) as u32
    }

    /// Where the key of a member stands.
    fn key_of(&self, member: MemberId) -> usize {
        let Some(value) = self.package.parts.value(member) else {
            return 0;
        };
        let before = self.text.get(..value.start).unwrap_or_default();
        let Some(end) = memchr::memrchr(b'"', before) else {
            return value.start;
        };
        let mut key = &before[..end];
        while let Some(quote) = memchr::memrchr(b'"', key) {
            let backslashes = key[..quote]
                .iter()
                .rev()
                .take_while(|b| **b == b'\\')
                .count();
            if backslashes % 2 == 0 {
                return quote;
            }
            key = &key[..quote];
        }
        value.start
    }

    /// A place inside a member, as far as the path goes.
    fn place_in<'k>(&mut self, member: MemberId, path: impl IntoIterator<Item = &'k str>) -> usize {
        let value = self.package.parts.value(member).unwrap_or_default();
        let text = self.text.get(value.clone()).unwrap_or_default();
        let places = self.places.entry(member).or_default();
        value.start + places.locate(text, path).start
    }
}

impl<'d> Check<'d> {
    /// The tokens of a section with their members, in the order of the tokens.
    fn sorted(&self, section: Section) -> Vec<(&'d str, MemberId)> {
        let members = self.package.members(section);
        let mut members: Vec<_> = members.map(|id| (self.package.token(id), id)).collect();
        members.sort();
        members
    }
}

/// The values at the top of a document; of several with one key the last.
fn top(text: &[u8]) -> Vec<(String, Bytes)> {
    let mut fields: Vec<(String, Bytes)> = Vec::new();
    let walked = Scanner::new(text).object(|scanner, key| {
        let value = scanner.value()?;
        let key = crate::scan::unescape(key).unwrap_or_default().into_owned();
        fields.retain(|(known, _)| *known != key);
        fields.push((key, value));
        Ok::<_, crate::scan::ScanError>(())
    });
    debug_assert!(walked.is_ok(), "the document was indexed");
    fields
}
