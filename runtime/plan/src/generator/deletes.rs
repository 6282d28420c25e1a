//! The resources of the state that the program has no more.

use pcl_values::Urn;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Generator;
use crate::graph::Graph;
use crate::notice::Notice;
use crate::step::{DecidedBy, Op, Reason, Step, names_of_blocks};

/// The facts that the deletes of a plan share.
struct Rest<'r> {
    /// The names of the blocks whose ranges are not known: none of their resources is registered.
    unranged: &'r FxHashSet<&'r str>,
    /// The last step so far for each place of the state.
    last_steps: FxHashMap<usize, usize>,
}

impl Generator {
    /// Makes the steps for what the program has no more: deletes, each before what it needs.
    /// `unranged` has the names of the blocks whose ranges are not known.
    pub fn delete_rest(&mut self, unranged: &FxHashSet<&str>) {
        self.report_unknown_targets();
        if self.stopped {
            return;
        }
        let allowed = self.deletable();
        let kept = self.kept_by_plugins();
        let mut sames = Vec::new();
        let mut deletes: Vec<Step> = Vec::new();
        let steps = self.steps.iter().enumerate();
        let last_steps = steps.filter_map(|(step, it)| Some((it.prior?, step))).collect();
        let rest = Rest { unranged, last_steps };
        for at in 0..self.prior.resources().len() {
            let Some(resource) = self.prior.get(at) else { continue };
            if resource.view_of.is_some() {
                continue;
            }
            let urn = resource.urn.clone();
            let is_handled = self.is_operated_on(&urn);
            if !allowed.as_ref().is_none_or(|allowed| allowed.contains(&urn)) {
                if !is_handled && !resource.is_deleted {
                    sames.extend(self.prior_step(Op::Same, at, Reason::NotTargeted));
                }
                continue;
            }
            if let Some(component) = kept.get(&at).filter(|_| !is_handled && !resource.is_deleted) {
                let step = self.prior_step(Op::Same, at, Reason::Plugin(component.clone()));
                sames.extend(step.map(|step| Step { decided_by: DecidedBy::Provider, ..step }));
                continue;
            }
            deletes.extend(self.deletion(at, is_handled, &rest));
        }
        for step in sames {
            self.push(step);
        }
        self.schedule(deletes);
    }

    /// The step that deletes the resource at a place, if it goes.
    fn deletion(&mut self, at: usize, is_handled: bool, rest: &Rest<'_>) -> Option<Step> {
        let resource = self.prior.get(at)?;
        let is_replaced = self.replaced.contains(&at);
        let is_gone = resource.is_pending_replacement || self.deleted_first.contains(&at);
        if resource.is_deleted || is_replaced {
            if self.pending_deletes.contains(&at) {
                return None;
            }
            self.operated.deletes.insert(resource.urn.clone());
            let resource = self.prior.get(at)?;
            let op = match (is_gone, resource.is_external) {
                (true, _) => Op::RemovePendingReplace,
                (false, true) => Op::DiscardReplaced,
                (false, false) => Op::DeleteReplaced,
            };
            let of_replacement = rest.last_steps.get(&at).filter(|_| is_replaced);
            let (reason, decided_by, source) =
                match of_replacement.and_then(|it| self.steps.get(*it)) {
                    Some(step) => (step.reason.clone(), step.decided_by, step.source),
                    None => (Reason::Pending, DecidedBy::Program, None),
                };
            let step = self.prior_step(op, at, reason)?;
            return Some(Step { decided_by, source, ..step });
        }
        if is_handled {
            return None;
        }
        let op = match (is_gone, resource.is_external) {
            (true, _) => Op::RemovePendingReplace,
            (false, true) => Op::Discard,
            (false, false) => Op::Delete,
        };
        if resource.is_protected && op == Op::Delete {
            let (urn, source) = (resource.urn.clone(), resource.source);
            self.notices.push(Notice::ProtectedDeleted { urn, source });
        }
        let resource = self.prior.get(at)?;
        self.operated.deletes.insert(resource.urn.clone());
        let name = resource.urn.name().unwrap_or_default();
        let is_unranged = names_of_blocks(name).any(|block| rest.unranged.contains(block));
        let reason = if is_unranged { Reason::UnknownRange } else { Reason::Removed };
        self.prior_step(op, at, reason)
    }

    /// Adds deletes in lists of which each needs none of the lists before it.
    fn schedule(&mut self, deletes: Vec<Step>) {
        let places: Vec<usize> = deletes.iter().filter_map(|step| step.prior).collect();
        let mut by_place: FxHashMap<usize, Step> =
            deletes.into_iter().filter_map(|step| Some((step.prior?, step))).collect();
        for list in Graph::antichains(&self.prior, &places) {
            for at in list.into_iter().rev() {
                if let Some(step) = by_place.remove(&at) {
                    self.push(step);
                }
            }
        }
    }

    /// The resources of the state that belong to components that plugins make, with the component,
    /// and the providers that they use.
    fn kept_by_plugins(&self) -> FxHashMap<usize, Urn> {
        let mut kept = FxHashMap::default();
        if self.plugins.is_empty() {
            return kept;
        }
        let mut inside: FxHashMap<Urn, Urn> =
            self.plugins.iter().map(|urn| (urn.clone(), urn.clone())).collect();
        let mut used: FxHashSet<(Urn, Urn)> = FxHashSet::default();
        for (at, resource) in self.prior.resources().iter().enumerate() {
            let Some(parent) = &resource.parent else { continue };
            let parent = self.aliased.get(parent).unwrap_or(parent);
            let Some(component) = inside.get(parent).cloned() else { continue };
            if let Some((provider, _)) = &resource.provider {
                used.insert((provider.clone(), component.clone()));
            }
            inside.insert(resource.urn.clone(), component.clone());
            kept.insert(at, component);
        }
        for (provider, component) in used {
            if let Some(at) = self.prior.find(&provider) {
                kept.entry(at).or_insert(component);
            }
        }
        kept
    }
}
