//! From the records of a document to specs: references are resolved, and what is wrong is noted beside the member.
//!
//! A mistake in a type gives [`TypeKind::Invalid`](crate::TypeKind::Invalid) and one problem, and never fails the member.

mod constant;
mod member;
mod property;
mod ty;

use std::fmt::Write as _;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::package::Parts;
use crate::places::Places;
use crate::raw::Text;
use crate::{ExternalReference, MemberId, ProblemKind, ProblemSeverity, SchemaProblem, Section};

/// No more problems than this are noted of one member, since finding the place of each costs a walk over it.
const PROBLEM_LIMIT: usize = 50;
const STRICT_LIMIT: usize = 1_000;

/// A place inside a member: keys from the member down, linked on the stack.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    key: &'a str,
}

impl Path<'static> {
    /// The member itself.
    pub const MEMBER: Path<'static> = Path {
        parent: None,
        key: "",
    };
}

impl<'a> Path<'a> {
    fn key(&'a self, key: &'a str) -> Path<'a> {
        Path {
            parent: Some(self),
            key,
        }
    }

    fn keys(&self) -> Vec<&'a str> {
        let mut keys = Vec::new();
        let mut here = *self;
        while let Some(parent) = here.parent {
            keys.push(here.key);
            here = *parent;
        }
        keys.reverse();
        keys
    }
}

/// Lowers one member and gathers what is said about it.
pub(crate) struct Lower<'p> {
    package: &'p Parts,
    member: MemberId,
    /// What is lowered, as it is written.
    text: &'p [u8],
    /// Where that is, in the document and as a path.
    start: usize,
    pointer: String,
    places: Places,
    /// Whether all that is wrong is looked for, and not only what matters to the users of the member.
    strict: bool,
    pub problems: Vec<SchemaProblem>,
    /// The members of the same package that the specs name, each once.
    pub references: IndexSet<MemberId, FxBuildHasher>,
    /// The references to other packages, each once.
    pub external: IndexSet<ExternalReference, FxBuildHasher>,
    /// The number of problems beyond those that are noted.
    pub left_out: usize,
}

impl<'p> Lower<'p> {
    /// For a member of the package.
    pub fn new(package: &'p Parts, member: MemberId, text: &'p [u8], strict: bool) -> Self {
        let start = package.value(member).map_or(0, |place| place.start);
        Self::at(
            package,
            member,
            text,
            start,
            package.pointer(member),
            strict,
        )
    }

    /// For a part of the document that is no member.
    pub fn at(
        package: &'p Parts,
        member: MemberId,
        text: &'p [u8],
        start: usize,
        pointer: String,
        strict: bool,
    ) -> Self {
        Self {
            package,
            member,
            text,
            start,
            pointer,
            places: Places::default(),
            strict,
            problems: Vec::new(),
            left_out: 0,
            references: IndexSet::default(),
            external: IndexSet::default(),
        }
    }

    fn removed(&mut self, key: &str, path: Path<'_>) {
        let message = format!(
            "a list `{key}` no longer means anything; each property says `plain` for itself"
        );
        self.error(ProblemKind::RemovedKey, path.key(key), message);
    }

    /// The end of a message about a name that is not there: which one may be meant. Looked for by a strict reader alone.
    fn meant<'c>(&self, name: &str, candidates: impl ExactSizeIterator<Item = &'c str>) -> String {
        let may = self.strict && self.package.may_compare(name, candidates.len());
        let near = may.then(|| pcl_diagnostics::suggest(name, candidates));
        let near = near.flatten();
        near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
    }

    /// The same for a token: the same name in another module, else a name alike.
    fn meant_token(&self, section: Section, token: &str) -> String {
        let name_of = |token: &'p str| token.rsplit(':').next().unwrap_or_default();
        let name = token.rsplit(':').next().unwrap_or_default();
        let ids = self.package.index().ids(section);
        if !self.strict || !self.package.may_compare(name, ids.len()) {
            return String::new();
        }
        let tokens = || {
            let ids = self.package.index().ids(section);
            ids.map(|id| self.package.token(MemberId(id)))
        };
        let same: Vec<&str> = tokens().filter(|token| name_of(token) == name).collect();
        if let Some(first) = same.first() {
            let near = pcl_diagnostics::suggest(token, same.iter().copied());
            return format!("; did you mean `{}`?", near.unwrap_or(first));
        }
        let near = pcl_diagnostics::suggest(name, tokens().map(name_of));
        match near.and_then(|near| tokens().find(|token| name_of(token) == near)) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        }
    }

    /// What only a check of the whole schema tells, since the member can be used all the same.
    fn strict(
        &mut self,
        kind: ProblemKind,
        severity: ProblemSeverity,
        path: Path<'_>,
        message: impl FnOnce() -> String,
    ) {
        if self.strict {
            self.report(kind, severity, path, message());
        }
    }

    fn error(&mut self, kind: ProblemKind, path: Path<'_>, message: String) {
        self.report(kind, ProblemSeverity::Error, path, message);
    }

    fn report(
        &mut self,
        kind: ProblemKind,
        severity: ProblemSeverity,
        path: Path<'_>,
        message: String,
    ) {
        // The first error is always noted: it decides whether the member can be used.
        let is_error = |severity| severity == ProblemSeverity::Error;
        let decided = !is_error(severity)
            || self
                .problems
                .iter()
                .any(|problem| is_error(problem.severity));
        let limit = if self.strict {
            STRICT_LIMIT
        } else {
            PROBLEM_LIMIT
        };
        if self.problems.len() >= limit && decided {
            self.left_out += 1;
            return;
        }
        let keys = path.keys();
        let place = self.start + self.places.locate(self.text, keys.iter().copied()).start;
        let mut text = self.pointer.clone();
        for key in keys {
            let _ = write!(text, "/{key}");
        }
        self.problems.push(SchemaProblem {
            kind,
            severity,
            member: self.member,
            path: text.into(),
            message: message.into(),
            offset: u32::try_from(place).unwrap_or(u32::MAX),
        });
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

/// What serde_json says, without the place: that is counted in the member and not in the document.
pub(crate) fn json_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}
