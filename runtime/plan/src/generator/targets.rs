//! Targets: the resources that a deployment is about, if the caller names some.

use std::collections::BTreeSet;

use pcl_values::Urn;
use rustc_hash::FxHashSet;

use super::{Generator, Goal};
use crate::notice::Notice;
use crate::step::{Op, Reason};

impl Generator {
    /// Returns true if a resource is a target, or none is named.
    pub(super) fn is_included(&self, goal: &Goal) -> bool {
        let options = &self.options;
        if options.targets.is_constrained() {
            return self.is_target(goal);
        }
        !(options.excludes.is_constrained() && self.is_excluded(goal))
    }

    fn is_target(&self, goal: &Goal) -> bool {
        let targets = &self.options.targets;
        targets.is_constrained() && targets.contains(&goal.urn)
            || self.options.target_dependents && needs_one(goal, &self.options.targets)
    }

    fn is_excluded(&self, goal: &Goal) -> bool {
        self.options.excludes.contains(&goal.urn)
            || self.options.exclude_dependents && needs_one(goal, &self.options.excludes)
    }

    /// Makes what depends on a target a target, if the caller asks for it: what a resource needs is
    /// registered before it.
    pub(super) fn record_target(&mut self, is_targeted: bool, goal: &Goal) {
        if self.options.excludes.is_constrained() && !is_targeted && self.is_excluded(goal) {
            if self.options.exclude_dependents {
                self.options.excludes.add(&goal.urn);
            }
        } else if is_targeted && self.options.target_dependents && self.is_target(goal) {
            self.options.targets.add(&goal.urn);
        }
    }

    /// Keeps a resource that is no target, after what it needs.
    pub(super) fn keep_untargeted(&mut self, goal: &Goal, at: usize) {
        self.keep_needs(Some(at), &[]);
        self.operated.sames.insert(goal.urn.clone());
        if let Some(old) = self.prior.get(at) {
            self.operated.sames.insert(old.urn.clone());
        }
        let step = self.step(Op::Same, goal, Some(at), Reason::NotTargeted);
        self.push(step);
    }

    /// Keeps what a target needs, and only the state has.
    pub(super) fn queue_needs(&mut self, goal: &Goal) {
        if self.options.targets.is_constrained() {
            let needs: Vec<Urn> = goal.needs().cloned().collect();
            self.keep_needs(None, &needs);
        }
    }

    /// Keeps the resources of the state that the one at a place needs, or that have these URNs, and
    /// all that they need, in the order of the state.
    fn keep_needs(&mut self, root: Option<usize>, urns: &[Urn]) {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut pending: Vec<usize> = root.into_iter().collect();
        let find = |urn: &Urn| {
            let is_done = self.operated.has_step(urn) || self.is_operated_on(urn);
            self.prior.find(urn).filter(|_| !is_done)
        };
        let first = urns.iter().filter_map(find);
        pending.extend(first.filter(|at| found.insert(*at)));
        while let Some(at) = pending.pop() {
            let Some(resource) = self.prior.get(at) else { continue };
            let provider = resource.provider.iter().map(|(urn, _)| urn);
            let needs = resource.parent.iter().chain(resource.needs()).chain(provider);
            pending.extend(needs.filter_map(find).filter(|at| found.insert(*at)));
        }
        for at in found {
            if let Some(step) = self.prior_step(Op::Same, at, Reason::NotTargeted) {
                self.seen.insert(step.urn.clone());
                self.kept.insert(step.urn.clone());
                self.operated.sames.insert(step.urn.clone());
                self.push(step);
            }
        }
    }

    /// Reports a target that needs a resource which is not created, because it is none.
    pub(super) fn check_targets_of(&mut self, goal: &Goal) {
        let is_constrained =
            self.options.targets.is_constrained() || self.options.replaces.is_constrained();
        if !is_constrained || self.operated.skipped.contains(&goal.urn) {
            return;
        }
        let provider = goal.provider.iter().map(|provider| &provider.urn);
        let needs: Vec<Urn> = goal.needs().chain(provider).cloned().collect();
        for needs in needs {
            if self.operated.skipped.remove(&needs) {
                let (urn, source) = (goal.urn.clone(), goal.source);
                self.notices.push(Notice::NotCreated { urn, needs, source });
            }
        }
    }

    pub(super) fn report_unknown_targets(&mut self) {
        for urn in self.options.targets.named() {
            let is_prior = self.prior.resources().iter().any(|it| it.urn == *urn);
            if !is_prior && !self.seen.contains(urn) {
                self.notices.push(Notice::UnknownTarget { urn: urn.clone() });
            }
        }
    }

    /// The resources of the state that may be deleted; `None` for all.
    pub(super) fn deletable(&mut self) -> Option<FxHashSet<Urn>> {
        let resources = self.prior.resources().iter();
        if self.options.targets.is_constrained() {
            let targets = &self.options.targets;
            let named =
                resources.enumerate().filter(|(_, resource)| targets.contains(&resource.urn));
            let named: Vec<usize> = named.map(|(at, _)| at).collect();
            let mut places: FxHashSet<usize> = named.iter().copied().collect();
            places.extend(self.graph.dependents(&self.prior, &named, |_| false, true));
            let urns = places.iter().filter_map(|at| Some(&self.prior.get(*at)?.urn));
            let with: Vec<usize> = urns.flat_map(|urn| self.graph.cascades(urn)).copied().collect();
            places.extend(with);
            let mut places: Vec<usize> = places.into_iter().collect();
            places.sort_unstable();
            if !self.options.target_dependents {
                for at in &places {
                    let Some(resource) = self.prior.get(*at) else { continue };
                    let urn = &resource.urn;
                    let goes = resource.is_deleted || !self.is_operated_on(urn);
                    if goes && !self.options.targets.contains(urn) {
                        self.notices.push(Notice::NotATarget { urn: urn.clone() });
                    }
                }
            }
            let urns = places.into_iter().filter_map(|at| Some(self.prior.get(at)?.urn.clone()));
            return Some(urns.collect());
        }
        if self.options.excludes.is_constrained() {
            let kept = self.undeletable();
            let urns = resources.map(|resource| resource.urn.clone());
            return Some(urns.filter(|urn| !kept.contains(urn)).collect());
        }
        None
    }

    /// The excluded resources of the state with all that they need.
    fn undeletable(&self) -> FxHashSet<Urn> {
        let excludes = &self.options.excludes;
        let mut kept: FxHashSet<Urn> = FxHashSet::default();
        let excluded = self.prior.resources().iter().map(|resource| &resource.urn);
        let mut pending: Vec<Urn> =
            excluded.filter(|urn| excludes.contains(urn)).cloned().collect();
        while let Some(urn) = pending.pop() {
            if !kept.insert(urn.clone()) {
                continue;
            }
            let Some(at) = self.prior.find(&urn) else { continue };
            let Some(resource) = self.prior.get(at) else { continue };
            let provider = resource.provider.iter().map(|(urn, _)| urn);
            let needs = resource.parent.iter().chain(resource.needs()).chain(provider);
            pending.extend(needs.cloned());
            if self.options.exclude_dependents {
                // Their own ones follow, since each comes here as well.
                let behind = self.graph.behind(&resource.urn).filter_map(|it| self.prior.get(it));
                pending.extend(behind.map(|resource| resource.urn.clone()));
            }
        }
        kept
    }
}

/// Returns true if a resource needs one of a set.
fn needs_one(goal: &Goal, set: &crate::targets::Targets) -> bool {
    let provider = goal.provider.iter().map(|provider| &provider.urn);
    set.is_constrained() && goal.needs().chain(provider).any(|urn| set.contains(urn))
}
