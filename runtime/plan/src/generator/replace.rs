//! Replacements, and the resources that are replaced because they need one that is deleted first.

use pcl_values::{PropertyPath, Urn};
use rustc_hash::FxHashSet;

use super::{Answer, Comparison, Generator, Goal};
use crate::notice::Notice;
use crate::paths;
use crate::prior::PriorResource;
use crate::step::{Op, Reason, Step};

/// A resource that is replaced with another one.
struct Dependent {
    at: usize,
    keys: Vec<String>,
}

impl Generator {
    /// Makes the steps of a replacement.
    pub(super) fn replace(
        &mut self,
        goal: &Goal,
        at: usize,
        old: &PriorResource,
        found: Comparison,
    ) -> Answer {
        if goal.is_protected && old.is_protected {
            let (urn, source) = (goal.urn.clone(), goal.source);
            self.notices.push(Notice::ProtectedReplaced { urn, source });
        }
        if !goal.options.import_id.is_empty() {
            let (urn, source) = (goal.urn.clone(), goal.source);
            self.notices.push(Notice::ImportReplaced { urn, source });
        }
        self.operated.replaces.insert(goal.urn.clone());
        let reason = match &found.replacement {
            Some((reason, _)) => reason.clone(),
            None => Reason::Interrupted,
        };
        let step = |op| -> Step {
            let mut step = self.step(op, goal, Some(at), reason.clone());
            found.set(&mut step);
            step
        };
        let (create, replace) = (step(Op::CreateReplacement), step(Op::Replace));
        let mut delete = self.prior_step(Op::DeleteReplaced, at, reason.clone());
        if let Some(delete) = &mut delete {
            found.set(delete);
            delete.changes.clear();
            delete.source = goal.source;
        }
        if goal.options.delete_before_replace == Some(true) {
            if !self.delete_dependents(goal, at) {
                return Answer::New;
            }
            if !old.is_pending_replacement {
                self.operated.deletes.insert(old.urn.clone());
                self.deleted_first.insert(at);
                if let Some(delete) = delete {
                    self.push(delete);
                }
            }
            self.push(replace);
            self.push(create);
            return Answer::New;
        }
        if old.is_pending_replacement {
            self.push(replace);
            self.push(create);
            return Answer::New;
        }
        self.replaced.insert(at);
        self.push(create);
        self.push(replace);
        Answer::New
    }

    /// Makes the steps that delete what needs a resource that is deleted before its replacement is
    /// created, and would be replaced because of that. The result is false if the engine ends the
    /// deployment.
    fn delete_dependents(&mut self, goal: &Goal, at: usize) -> bool {
        let mut dependents = self.dependent_replacements(at);
        let cascades = self.graph.cascades(&goal.urn).iter();
        dependents.extend(cascades.map(|at| Dependent { at: *at, keys: Vec::new() }));
        for Dependent { at, keys } in dependents.into_iter().rev() {
            let Some(resource) = self.prior.get(at) else { continue };
            if resource.is_pending_replacement || self.pending_deletes.contains(&at) {
                continue;
            }
            let urn = resource.urn.clone();
            self.dependent_keys.insert(urn.clone(), keys);
            self.dependent_of.insert(urn.clone(), goal.urn.clone());
            if resource.is_protected && !resource.is_deleted {
                let (needs, source) = (goal.urn.clone(), goal.source);
                self.notices.push(Notice::ProtectedDependent { urn, needs, source });
                self.stopped = true;
                return false;
            }
            let op = match (resource.is_deleted, resource.is_external) {
                (true, true) => Op::Discard,
                (true, false) => Op::Delete,
                (false, true) => Op::DiscardReplaced,
                (false, false) => Op::DeleteReplaced,
            };
            if !resource.is_deleted {
                self.deleted_first.insert(at);
            }
            let reason = Reason::Dependent(goal.urn.clone());
            if let Some(step) = self.prior_step(op, at, reason) {
                self.push(step);
            }
            self.operated.deletes.insert(urn);
            self.pending_deletes.insert(at);
        }
        true
    }

    /// The resources that are replaced if the one at a place is deleted.
    fn dependent_replacements(&self, root: usize) -> Vec<Dependent> {
        let Some(resource) = self.prior.get(root) else { return Vec::new() };
        let mut replaced: FxHashSet<Urn> = FxHashSet::from_iter([resource.urn.clone()]);
        let mut dependents = Vec::new();
        let is_ignored = |urn: &Urn| self.operated.has_step(urn);
        for at in self.graph.dependents(&self.prior, &[root], is_ignored, false) {
            let Some(resource) = self.prior.get(at) else { continue };
            if let Some(keys) = self.replacing_keys(resource, &replaced) {
                replaced.insert(resource.urn.clone());
                dependents.push(Dependent { at, keys });
            }
        }
        dependents
    }

    /// The inputs that replace a resource if others are replaced; `None` if it stays.
    fn replacing_keys(
        &self,
        resource: &PriorResource,
        replaced: &FxHashSet<Urn>,
    ) -> Option<Vec<String>> {
        if !resource.is_custom || resource.is_external {
            return None;
        }
        let provider = resource.provider.iter().map(|(urn, _)| urn);
        if provider.chain(&resource.deleted_with).any(|urn| replaced.contains(urn)) {
            return Some(Vec::new());
        }
        if resource.is_provider() {
            return None;
        }
        let ignored: Vec<PropertyPath> = paths::parsed(&resource.ignore_changes);
        let mut replacing = paths::parsed(&resource.replace_on_changes);
        if let Some(facts) = self.facts(resource.kind()) {
            replacing.extend(facts.will_replace.iter().cloned());
        }
        let is_changed = |name: &str| {
            let needs = resource.property_dependencies.get(name);
            needs.is_some_and(|needs| needs.iter().any(|urn| replaced.contains(urn)))
        };
        let names = resource.inputs.keys().filter(|name| is_changed(name));
        let keys = names.filter(|name| {
            let path: PropertyPath = [(&***name).into()].into_iter().collect();
            replacing.iter().any(|it| paths::contains(it, &path))
                && !ignored.iter().any(|it| paths::contains(it, &path))
        });
        let keys: Vec<String> = keys.map(|name| name.to_string()).collect();
        (!keys.is_empty()).then_some(keys)
    }
}
