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
use crate::raw::Text;
use crate::scan::locate;
use crate::{ExternalReference, MemberId, ProblemKind, ProblemSeverity, SchemaProblem};

/// No more problems than this are noted of one member, since finding the place of each costs a walk over it.
const PROBLEM_LIMIT: usize = 50;

/// A place inside a member: keys from the member down, linked on the stack.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    key: &'a str,
}

impl Path<'static> {
    /// The member itself.
    const MEMBER: Path<'static> = Path {
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
    /// The member as it is written.
    text: &'p [u8],
    pub problems: Vec<SchemaProblem>,
    /// The members of the same package that the specs name, each once.
    pub references: IndexSet<MemberId, FxBuildHasher>,
    /// The references to other packages, each once.
    pub external: IndexSet<ExternalReference, FxBuildHasher>,
}

impl<'p> Lower<'p> {
    pub fn new(package: &'p Parts, member: MemberId, text: &'p [u8]) -> Self {
        Self {
            package,
            member,
            text,
            problems: Vec::new(),
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
        if self.problems.len() >= PROBLEM_LIMIT && decided {
            return;
        }
        let keys = path.keys();
        let start = self
            .package
            .value(self.member)
            .map_or(0, |place| place.start);
        let place = start + locate(self.text, keys.iter().copied()).start;
        let mut text = self.package.pointer(self.member);
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
