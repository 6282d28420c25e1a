//! The step generator: registrations and a state become steps, by the rules of Pulumi's engine.

mod deletes;
mod read;
mod register;
mod replace;
mod targets;

use std::sync::Arc;

use pcl_diagnostics::Span;
use pcl_eval::monitor::ResourceOptions;
use pcl_values::{PropertyMap, ProviderReference, Urn};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diff::Diff;
use crate::facts::{ResourceFacts, Schemas};
use crate::graph::Graph;
use crate::names::{Aliased, Names};
use crate::notice::Notice;
use crate::options::Options;
use crate::prior::{Prior, PriorResource};
use crate::step::{DecidedBy, Op, Reason, Step};

/// A resource as the program registers it, with what it inherits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goal {
    pub urn: Urn,
    /// The URN as people see it, if it has a secret key of a range.
    pub shown_urn: Option<Urn>,
    pub kind: Arc<str>,
    pub name: Arc<str>,
    pub parent: Option<Urn>,
    pub is_custom: bool,
    /// A plugin makes the component and what is in it.
    pub is_plugin: bool,
    /// The inputs without dependencies.
    pub inputs: PropertyMap,
    /// All resources that it depends on, also by its inputs.
    pub dependencies: Vec<Urn>,
    /// The provider; `None` for components and providers.
    pub provider: Option<ProviderReference>,
    pub options: Arc<ResourceOptions>,
    pub is_protected: bool,
    pub is_retained: bool,
    pub deleted_with: Option<Urn>,
    pub replace_with: Vec<Urn>,
    pub source: Option<Span>,
}

impl Goal {
    pub fn is_provider(&self) -> bool {
        self.kind.starts_with("pulumi:providers:")
    }

    /// All that the resource needs, but its provider.
    pub fn needs(&self) -> impl Iterator<Item = &Urn> {
        let of_options = self.deleted_with.iter().chain(&self.replace_with);
        self.parent.iter().chain(&self.dependencies).chain(of_options)
    }
}

/// The answer to a program about one of its resources.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// The resource is new: what is not an input is unknown.
    New,
    /// The resource at a place of the state is as it was.
    Same(usize),
    /// The resource at a place of the state changes.
    Updated(usize),
}

/// The URNs of resources by what happens to them.
#[derive(Debug, Default)]
pub(crate) struct Operated {
    pub creates: FxHashSet<Urn>,
    pub sames: FxHashSet<Urn>,
    pub updates: FxHashSet<Urn>,
    pub replaces: FxHashSet<Urn>,
    pub deletes: FxHashSet<Urn>,
    pub reads: FxHashSet<Urn>,
    /// The creations that do not happen because the resource is not a target.
    pub skipped: FxHashSet<Urn>,
}

impl Operated {
    /// Returns true if a step was made for a resource.
    pub fn has_step(&self, urn: &Urn) -> bool {
        self.is_handled(urn) || self.creates.contains(urn) || self.deletes.contains(urn)
    }

    /// Returns true if a resource of the state is taken care of.
    fn is_handled(&self, urn: &Urn) -> bool {
        [&self.sames, &self.updates, &self.replaces, &self.reads]
            .into_iter()
            .any(|set| set.contains(urn))
    }
}

/// The step generator of a deployment.
pub(crate) struct Generator {
    pub prior: Arc<Prior>,
    graph: Graph,
    pub names: Names,
    options: Options,
    schemas: Arc<dyn Schemas>,
    pub steps: Vec<Step>,
    pub notices: Vec<Notice>,
    pub operated: Operated,
    /// The resources that the program has.
    seen: FxHashSet<Urn>,
    /// New URNs by former ones, and former ones by new ones.
    aliased: FxHashMap<Urn, Urn>,
    aliases: FxHashMap<Urn, Urn>,
    /// The places of resources that steps so far delete for others.
    pending_deletes: FxHashSet<usize>,
    /// The places of resources that have been replaced and are deleted in the end.
    replaced: FxHashSet<usize>,
    /// The places of resources that have been deleted before their replacement.
    deleted_first: FxHashSet<usize>,
    /// The inputs that replace resources that depend on one that is deleted first.
    dependent_keys: FxHashMap<Urn, Vec<String>>,
    /// The resource because of which a dependent one is deleted.
    dependent_of: FxHashMap<Urn, Urn>,
    /// The new inputs of providers.
    providers: FxHashMap<Urn, PropertyMap>,
    /// The components that plugins make.
    pub plugins: FxHashSet<Urn>,
    /// The resources that steps so far keep for others that needed them.
    kept: FxHashSet<Urn>,
    /// The engine would end the deployment.
    stopped: bool,
}

impl Generator {
    pub fn new(
        prior: Arc<Prior>,
        names: Names,
        options: Options,
        schemas: Arc<dyn Schemas>,
    ) -> Self {
        Self {
            graph: Graph::of(&prior),
            prior,
            names,
            options,
            schemas,
            steps: Vec::new(),
            notices: Vec::new(),
            operated: Operated::default(),
            seen: FxHashSet::default(),
            aliased: FxHashMap::default(),
            aliases: FxHashMap::default(),
            pending_deletes: FxHashSet::default(),
            replaced: FxHashSet::default(),
            deleted_first: FxHashSet::default(),
            dependent_keys: FxHashMap::default(),
            dependent_of: FxHashMap::default(),
            providers: FxHashMap::default(),
            plugins: FxHashSet::default(),
            kept: FxHashSet::default(),
            stopped: false,
        }
    }

    pub fn facts(&self, kind: &str) -> Option<Arc<ResourceFacts>> {
        self.schemas.resource(kind)
    }

    /// The place of the resource of the state that a resource of the program is, also under a
    /// former name.
    fn find(&mut self, goal: &Goal) -> Option<usize> {
        if self.aliased.contains_key(&goal.urn) {
            self.notices.push(Notice::Claimed { urn: goal.urn.clone(), source: goal.source });
        }
        if let Some(at) = self.prior.find(&goal.urn) {
            return Some(at);
        }
        let resource = Aliased {
            kind: &goal.kind,
            name: &goal.name,
            parent: goal.parent.as_ref(),
            aliases: &goal.options.aliases,
        };
        let former = self.names.former(&resource, &self.aliases);
        let mut found = former.into_iter();
        let (urn, at) =
            found.find_map(|urn| Some((self.prior.find(&urn)?, urn))).map(|(at, urn)| (urn, at))?;
        if self.seen.contains(&urn) || self.aliased.contains_key(&urn) {
            self.notices.push(Notice::Claimed { urn: urn.clone(), source: goal.source });
        }
        self.aliased.insert(urn.clone(), goal.urn.clone());
        self.aliases.insert(goal.urn.clone(), urn);
        Some(at)
    }

    /// Returns true if a resource of the state is taken care of, under its name or a new one.
    fn is_operated_on(&self, urn: &Urn) -> bool {
        self.operated.is_handled(self.aliased.get(urn).unwrap_or(urn))
    }

    /// Returns true if the resource is to be replaced whatever else is the case.
    fn is_replacement_asked(&self, urn: &Urn, old: Option<&PriorResource>) -> Option<Reason> {
        let replaces = &self.options.replaces;
        if replaces.is_constrained() && replaces.contains(urn) {
            return Some(Reason::Requested);
        }
        old.filter(|old| old.is_tainted).map(|_| Reason::Tainted)
    }

    /// A step for a resource of the program.
    fn step(&self, op: Op, goal: &Goal, old: Option<usize>, reason: Reason) -> Step {
        let prior = old.and_then(|at| self.prior.get(at));
        let old_urn = prior.map(|old| old.urn.clone()).filter(|old| *old != goal.urn);
        Step {
            op,
            urn: goal.shown_urn.clone().unwrap_or_else(|| goal.urn.clone()),
            old_urn,
            parent: goal.parent.clone(),
            provider: goal.provider.as_ref().map(|provider| provider.urn.clone()),
            is_custom: goal.is_custom,
            is_protected: goal.is_protected,
            is_retained: goal.is_retained,
            reason,
            decided_by: DecidedBy::Program,
            changes: Vec::new(),
            replace_keys: Vec::new(),
            incomparable: Vec::new(),
            source: goal.source,
            prior: old,
        }
    }

    /// A step for a resource that only the state has.
    fn prior_step(&self, op: Op, at: usize, reason: Reason) -> Option<Step> {
        let old = self.prior.get(at)?;
        Some(Step {
            op,
            urn: old.urn.clone(),
            old_urn: None,
            parent: old.parent.clone(),
            provider: old.provider.as_ref().map(|(urn, _)| urn.clone()),
            is_custom: old.is_custom,
            is_protected: old.is_protected,
            is_retained: old.is_retained,
            reason,
            decided_by: DecidedBy::Program,
            changes: Vec::new(),
            replace_keys: Vec::new(),
            incomparable: Vec::new(),
            source: None,
            prior: Some(at),
        })
    }

    fn push(&mut self, step: Step) {
        if !self.stopped {
            self.steps.push(step);
        }
    }
}

/// The changes of a step, as they are compared.
#[derive(Clone, Debug, Default)]
struct Comparison {
    diff: Diff,
    /// Something changes, even if no input does.
    is_changed: bool,
    /// The reason and the inputs or options of a replacement.
    replacement: Option<(Reason, Vec<String>)>,
    reason: Option<Reason>,
    decided_by: Option<DecidedBy>,
}

impl Comparison {
    /// A replacement that no input causes.
    fn replaced(reason: Reason, key: &str) -> Self {
        Self {
            is_changed: true,
            replacement: Some((reason, vec![key.to_owned()])),
            ..Self::default()
        }
    }

    fn set(&self, step: &mut Step) {
        step.changes.clone_from(&self.diff.changes);
        step.incomparable.clone_from(&self.diff.incomparable);
        if let Some((_, keys)) = &self.replacement {
            step.replace_keys.clone_from(keys);
        }
        if let Some(decided_by) = self.decided_by {
            step.decided_by = decided_by;
        }
    }
}
