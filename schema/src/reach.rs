//! Everything that a member refers to, checked once.
//!
//! Types are built on demand, which may be never, so their errors would appear late or not at all.
//! Pulumi refuses a member if anything that it reaches is wrong; callers of this module do the
//! same.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::{ExternalReference, ExternalTarget, MemberId, Package, SchemaDiagnostic, Section};

/// The members that a member reaches inside its package.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reach {
    /// The diagnostics about the member and those that it reaches, in the order in which they are
    /// reached.
    pub diagnostics: Vec<SchemaDiagnostic>,
    /// The references to other packages in all these, each once.
    pub external: Vec<ExternalReference>,
}

impl Reach {
    /// Walks from a member, past none that is known to be in order; gives the members that were
    /// visited, too.
    pub(crate) fn walk(package: &Package, root: MemberId) -> (Self, FxHashSet<MemberId>) {
        let mut diagnostics = Vec::new();
        let mut external: IndexSet<ExternalReference, FxBuildHasher> = IndexSet::default();
        let mut visited = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if package.is_clean(id) || !visited.insert(id) {
                continue;
            }
            let Some(decoded) = package.decoded(id) else {
                continue;
            };
            diagnostics.extend_from_slice(&decoded.diagnostics);
            external.extend(decoded.external.iter().cloned());
            stack.extend(decoded.references.iter().rev());
        }
        (Self { diagnostics, external: external.into_iter().collect() }, visited)
    }
}

impl Package {
    /// The member of this package that another one refers to by an external reference, and its
    /// section: the one with exactly this token, else the only member of the same canonical form.
    pub fn external_member(&self, target: &ExternalTarget) -> (Section, Option<MemberId>) {
        let (section, token) = match target {
            ExternalTarget::Provider => return (Section::Provider, self.provider_id()),
            ExternalTarget::Resource(token) if self.find(Section::Provider, token).is_some() => {
                return (Section::Provider, self.provider_id());
            }
            ExternalTarget::Resource(token) => (Section::Resources, token),
            ExternalTarget::Type(token) => (Section::Types, token),
        };
        let by_form = || {
            self.by_canonical(section, token)
                .filter(|found| found.hidden.is_empty())
                .map(|found| found.member)
        };
        (section, self.find(section, token).or_else(by_form))
    }
}
