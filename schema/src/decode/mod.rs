//! Decodes the records of a document to specs: references are resolved, and diagnostics are
//! collected beside the member.
//!
//! An error in a type gives [`TypeKind::Invalid`](crate::TypeKind::Invalid) and one diagnostic, and
//! never fails the member.

mod constant;

pub(crate) mod decoded;
mod member;
mod property;
mod ty;

use std::borrow::Cow;
use std::fmt::Write as _;

use indexmap::IndexSet;
use pcl_diagnostics::{Diagnostic, Span};
use rustc_hash::FxBuildHasher;

use crate::diagnostic::ValueRanges;
use crate::diagnostic::{shown, span};
use crate::json::Text;
use crate::parts::PackageParts;
use crate::{ExternalReference, MemberId, SchemaDiagnostic, Section};

/// The most diagnostics about one member, since locating each costs a walk over it.
const LIMIT: usize = 50;
const STRICT_LIMIT: usize = 1_000;

/// A place inside a member: keys from the member down, linked on the stack.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl Path<'static> {
    /// The member itself.
    pub const MEMBER: Path<'static> = Path { parent: None, step: Step::Key("") };
}

impl<'a> Path<'a> {
    fn key(&'a self, key: &'a str) -> Path<'a> {
        Path { parent: Some(self), step: Step::Key(key) }
    }

    fn index(&'a self, index: usize) -> Path<'a> {
        Path { parent: Some(self), step: Step::Index(index) }
    }

    fn keys(&self) -> Vec<Cow<'a, str>> {
        let mut keys = Vec::new();
        let mut here = *self;
        while let Some(parent) = here.parent {
            keys.push(match here.step {
                Step::Key(key) => Cow::Borrowed(key),
                Step::Index(index) => Cow::Owned(index.to_string()),
            });
            here = *parent;
        }
        keys.reverse();
        keys
    }
}

/// Decodes one member and collects the diagnostics about it.
pub(crate) struct Decoder<'p> {
    package: &'p PackageParts,
    member: MemberId,
    /// The JSON of the value.
    text: &'p [u8],
    /// The offset of the value in the document.
    start: usize,
    ranges: ValueRanges,
    /// Set for all diagnostics; else only those that matter to the users of the member are
    /// reported.
    strict: bool,
    pub diagnostics: Vec<SchemaDiagnostic>,
    /// The members of the same package that the specs name, each once.
    pub references: IndexSet<MemberId, FxBuildHasher>,
    /// The references to other packages, each once.
    pub external: IndexSet<ExternalReference, FxBuildHasher>,
    /// The number of diagnostics beyond the limit.
    pub left_out: usize,
}

impl<'p> Decoder<'p> {
    /// For a member of the package.
    pub fn new(package: &'p PackageParts, member: MemberId, text: &'p [u8], strict: bool) -> Self {
        let start = package.value(member).map_or(0, |place| place.start);
        Self::at(package, member, text, start, strict)
    }

    /// For a value that begins at `start`: of the configuration, if the package has no such member.
    pub fn at(
        package: &'p PackageParts,
        member: MemberId,
        text: &'p [u8],
        start: usize,
        strict: bool,
    ) -> Self {
        Self {
            package,
            member,
            text,
            start,
            ranges: ValueRanges::default(),
            strict,
            diagnostics: Vec::new(),
            left_out: 0,
            references: IndexSet::default(),
            external: IndexSet::default(),
        }
    }

    /// The name that is probably meant by an unknown one. Looked for by a strict reader alone.
    fn meant<'c>(
        &self,
        name: &str,
        candidates: impl ExactSizeIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        let may = self.strict && self.package.may_compare(name, candidates.len());
        may.then(|| pcl_diagnostics::suggest(name, candidates))?
    }

    /// The token that is probably meant: the same name in another module, else a similar name.
    fn meant_token(&self, section: Section, token: &str) -> Option<&'p str> {
        let package = self.package;
        let name_of = |token: &'p str| token.rsplit(':').next().unwrap_or_default();
        let name = token.rsplit(':').next().unwrap_or_default();
        let ids = package.index.ids(section);
        if !self.strict || !package.may_compare(name, ids.len()) {
            return None;
        }
        let tokens = || ids.clone().map(|id| package.token(MemberId(id)));
        let same: Vec<&str> = tokens().filter(|token| name_of(token) == name).collect();
        if let Some(first) = same.first() {
            let near = pcl_diagnostics::suggest(token, same.iter().copied());
            return near.or(Some(first));
        }
        let near = pcl_diagnostics::suggest(name, tokens().map(name_of))?;
        tokens().find(|token| name_of(token) == near)
    }

    /// Reports what only a check of the whole schema looks for: the member can be used all the
    /// same.
    fn strict(&mut self, path: Path<'_>, message: impl FnOnce(Span) -> Diagnostic) {
        if self.strict {
            self.report(path, message);
        }
    }

    /// Reports a diagnostic at the value that the path leads to.
    fn report(&mut self, path: Path<'_>, message: impl FnOnce(Span) -> Diagnostic) {
        let limit = if self.strict { STRICT_LIMIT } else { LIMIT };
        let is_full = self.diagnostics.len() >= limit;
        let is_error = |reported: &SchemaDiagnostic| reported.diagnostic.is_error();
        if is_full && self.diagnostics.iter().any(is_error) {
            self.left_out += 1;
            return;
        }
        let keys = path.keys();
        let at = self.ranges.locate(self.text, keys.iter().map(|key| &**key)).start;
        let range = shown(self.text, at);
        let diagnostic = message(span(self.start + range.start..self.start + range.end));
        // The first error is always reported: it decides whether the member can be used.
        if is_full && !diagnostic.is_error() {
            self.left_out += 1;
            return;
        }
        let mut path = self.package.pointer(self.member);
        for key in keys {
            let _ = write!(path, "/{key}");
        }
        self.diagnostics.push(SchemaDiagnostic { path: path.into(), diagnostic });
    }
}

fn boxed_text(text: Text<'_>) -> Box<str> {
    text.0.into()
}

fn boxed(text: Option<Text<'_>>) -> Option<Box<str>> {
    text.map(boxed_text)
}

fn non_empty(text: Option<Text<'_>>) -> Option<Box<str>> {
    boxed(text).filter(|text| !text.is_empty())
}
