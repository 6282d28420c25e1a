//! Everything that a member leads to, checked once.
//!
//! Types are built when they are asked for, which may be never, so what is wrong with them would show up late or not at all. Pulumi refuses a member
//! when anything that it reaches is wrong; so does whoever asks here first.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::{
    ExternalReference, ExternalTarget, LoadError, Loader, MemberId, Package, ProblemSeverity,
    SchemaProblem, Section,
};

/// What a member reaches inside its package.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reach {
    /// What is wrong with the member and with those that it reaches, in the order in which they are reached.
    pub problems: Vec<SchemaProblem>,
    /// The references to other packages in all these, each once.
    pub external: Vec<ExternalReference>,
}

impl Reach {
    /// Walks from a member, past none that is known to be in order; gives the members that were visited, too.
    pub(crate) fn walk(package: &Package, root: MemberId) -> (Self, FxHashSet<MemberId>) {
        let mut problems = Vec::new();
        let mut external: IndexSet<ExternalReference, FxBuildHasher> = IndexSet::default();
        let mut visited = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if package.is_clean(id) || !visited.insert(id) {
                continue;
            }
            let Some(slot) = package.slot(id) else {
                continue;
            };
            problems.extend_from_slice(&slot.problems);
            external.extend(slot.external.iter().cloned());
            stack.extend(slot.references.iter().rev());
        }
        (
            Self {
                problems,
                external: external.into_iter().collect(),
            },
            visited,
        )
    }
}

/// Something wrong with what a member reaches, in its own package or in another one.
#[derive(Debug, Clone)]
pub struct ReachProblem {
    /// The package whose document says it.
    pub package: Arc<Package>,
    /// What is wrong.
    pub kind: ReachProblemKind,
}

/// What can be wrong with what a member reaches.
#[derive(Debug, Clone)]
pub enum ReachProblemKind {
    /// A mistake in a member.
    Schema(SchemaProblem),
    /// A reference to a package that does not load.
    Package(ExternalReference, LoadError),
    /// A reference to a member that the other package does not have.
    Missing(ExternalReference),
}

impl ReachProblem {
    /// Whether Pulumi refuses the member because of it.
    pub fn severity(&self) -> ProblemSeverity {
        match &self.kind {
            ReachProblemKind::Schema(problem) => problem.severity,
            ReachProblemKind::Package(..) | ReachProblemKind::Missing(_) => ProblemSeverity::Error,
        }
    }
}

impl fmt::Display for ReachProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "package `{}`, ", self.package.name())?;
        match &self.kind {
            ReachProblemKind::Schema(problem) => problem.fmt(f),
            ReachProblemKind::Package(reference, error) => {
                write!(f, "reference `{}`: {error}", reference.written)
            }
            ReachProblemKind::Missing(reference) => {
                write!(
                    f,
                    "reference `{}`: package `{}` has no such member",
                    reference.written, reference.package
                )
            }
        }
    }
}

/// Checks a member and all that it reaches, through other packages, too. Costs nothing where all is in order and was asked before.
pub fn check_reach(
    loader: &dyn Loader,
    package: &Arc<Package>,
    member: MemberId,
) -> Vec<ReachProblem> {
    let mut problems = Vec::new();
    let mut visited: FxHashSet<(*const Package, MemberId)> = FxHashSet::default();
    let mut seen: FxHashSet<(*const Package, u32, Box<str>)> = FxHashSet::default();
    let mut queue = std::collections::VecDeque::from([(package.clone(), member)]);
    while let Some((package, member)) = queue.pop_front() {
        if !visited.insert((Arc::as_ptr(&package), member)) {
            continue;
        }
        let reach = package.reach(member);
        for problem in &reach.problems {
            if seen.insert((Arc::as_ptr(&package), problem.offset, problem.path.clone())) {
                problems.push(ReachProblem {
                    package: package.clone(),
                    kind: ReachProblemKind::Schema(problem.clone()),
                });
            }
        }
        for reference in &reach.external {
            match package.resolve_external(loader, reference) {
                Ok(Some(target)) => queue.push_back(target),
                Ok(None) => problems.push(ReachProblem {
                    package: package.clone(),
                    kind: ReachProblemKind::Missing(reference.clone()),
                }),
                Err(error) => problems.push(ReachProblem {
                    package: package.clone(),
                    kind: ReachProblemKind::Package(reference.clone(), error),
                }),
            }
        }
    }
    problems
}

impl Package {
    /// Where an external reference of this package leads; `None` when the other package has no such member.
    pub fn resolve_external(
        &self,
        loader: &dyn Loader,
        reference: &ExternalReference,
    ) -> Result<Option<(Arc<Package>, MemberId)>, LoadError> {
        let package = loader.load(&self.external_request(reference))?;
        let member = match &reference.target {
            ExternalTarget::Type(token) => package.find_reference(Section::Types, token),
            ExternalTarget::Resource(token) if package.find(Section::Provider, token).is_some() => {
                package.provider_id()
            }
            ExternalTarget::Resource(token) => package.find_reference(Section::Resources, token),
            ExternalTarget::Provider => package.provider_id(),
        };
        Ok(member.map(|member| (package, member)))
    }

    /// The member of exactly this token, else the only one of the same canonical form.
    fn find_reference(&self, section: Section, token: &str) -> Option<MemberId> {
        let by_form = || {
            self.by_canonical(section, token)
                .filter(|found| found.hidden.is_empty())
                .map(|found| found.member)
        };
        self.find(section, token).or_else(by_form)
    }
}
