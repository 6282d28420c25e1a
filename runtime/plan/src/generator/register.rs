//! Resources and components that the program registers.

use std::sync::Arc;

use pcl_language::ResourceOption;
use pcl_values::{PropertyMap, PropertyValue, ProviderReference};

use super::{Answer, Comparison, Generator, Goal};
use crate::diff::{Diff, has_unknown, without_dependencies};
use crate::facts::ResourceFacts;
use crate::filled::Filler;
use crate::notice::Notice;
use crate::paths;
use crate::prior::PriorResource;
use crate::step::{DecidedBy, Op, Reason};

/// The path that stands for a creation that failed in part.
const INIT_ERROR: &str = "#initerror";

impl Generator {
    /// Makes the steps for a resource, and the answer to the program.
    pub fn register(&mut self, goal: &Goal) -> Answer {
        if self.kept.contains(&goal.urn) && !self.stopped {
            let (urn, source) = (goal.urn.clone(), goal.source);
            self.notices.push(Notice::KeptBefore { urn, source });
            self.stopped = true;
        }
        let at = self.find(goal);
        self.seen.insert(goal.urn.clone());
        let prior = Arc::clone(&self.prior);
        let old = at.and_then(|at| prior.get(at));
        let pair = at.zip(old);
        if goal.is_provider() {
            self.providers.insert(goal.urn.clone(), goal.inputs.clone());
        }
        let is_recreated = self.operated.deletes.contains(&goal.urn);
        if goal.is_custom && !goal.options.import_id.is_empty() && imports(goal, old) {
            return self.import(goal, at.filter(|_| !is_recreated));
        }
        let is_implicit = goal.is_provider() || goal.urn.is_stack();
        let is_targeted = is_implicit || self.is_included(goal);
        if is_targeted {
            self.queue_needs(goal);
        }
        if is_recreated && let Some(at) = at {
            return self.recreate(goal, at);
        }
        if let Some((at, _)) = pair.filter(|(_, old)| old.is_external) {
            return self.take_over(goal, at);
        }
        self.record_target(is_targeted, goal);
        let answer = match pair {
            Some((at, _)) if !is_targeted => {
                self.keep_untargeted(goal, at);
                Answer::Same(at)
            }
            Some((at, old)) => self.update(goal, at, old),
            None if !is_targeted => {
                self.operated.sames.insert(goal.urn.clone());
                self.operated.skipped.insert(goal.urn.clone());
                let step = self.step(Op::Same, goal, None, Reason::NotTargeted);
                self.push(step);
                return Answer::New;
            }
            None => {
                self.operated.creates.insert(goal.urn.clone());
                let mut step = self.step(Op::Create, goal, None, Reason::New);
                step.changes = Diff::of(&PropertyMap::new(), &goal.inputs).changes;
                self.push(step);
                Answer::New
            }
        };
        if is_targeted {
            self.check_targets_of(goal);
        }
        answer
    }

    fn import(&mut self, goal: &Goal, replaced: Option<usize>) -> Answer {
        match replaced {
            Some(at) => {
                self.replaced.insert(at);
                for op in [Op::ImportReplacement, Op::Replace] {
                    let step = self.step(op, goal, Some(at), Reason::Import);
                    self.push(step);
                }
                self.operated.replaces.insert(goal.urn.clone());
            }
            None => {
                let step = self.step(Op::Import, goal, None, Reason::Import);
                self.push(step);
            }
        }
        // What was imported is not deleted.
        self.operated.sames.insert(goal.urn.clone());
        Answer::New
    }

    /// A resource that steps so far delete because it needs one that is deleted first.
    fn recreate(&mut self, goal: &Goal, at: usize) -> Answer {
        self.operated.deletes.remove(&goal.urn);
        self.operated.replaces.insert(goal.urn.clone());
        let needs = self.dependent_of.get(&goal.urn).cloned().unwrap_or_default();
        for op in [Op::Replace, Op::CreateReplacement] {
            let mut step = self.step(op, goal, Some(at), Reason::Dependent(needs.clone()));
            if op == Op::CreateReplacement {
                step.replace_keys = self.dependent_keys.get(&goal.urn).cloned().unwrap_or_default();
            }
            self.push(step);
        }
        Answer::New
    }

    /// A resource that was read, and belongs to the stack now.
    fn take_over(&mut self, goal: &Goal, at: usize) -> Answer {
        self.operated.creates.insert(goal.urn.clone());
        self.replaced.insert(at);
        for op in [Op::CreateReplacement, Op::Replace] {
            let step = self.step(op, goal, Some(at), Reason::WasRead);
            self.push(step);
        }
        Answer::New
    }

    fn update(&mut self, goal: &Goal, at: usize, old: &PriorResource) -> Answer {
        if goal.is_plugin {
            return self.keep_plugin(goal, at, old);
        }
        self.notice_exposed(goal, old);
        let found = self.compare(goal, old);
        if found.is_changed || old.is_pending_replacement {
            if found.replacement.is_some() || old.is_pending_replacement {
                return self.replace(goal, at, old, found);
            }
            self.operated.updates.insert(goal.urn.clone());
            let reason = found.reason.clone().unwrap_or(Reason::Inputs);
            let mut step = self.step(Op::Update, goal, Some(at), reason);
            found.set(&mut step);
            self.push(step);
            return Answer::Updated(at);
        }
        if old.has_init_errors {
            self.operated.updates.insert(goal.urn.clone());
            let mut step = self.step(Op::Update, goal, Some(at), Reason::Incomplete);
            found.set(&mut step);
            self.push(step);
            return Answer::Updated(at);
        }
        self.operated.sames.insert(goal.urn.clone());
        let reason = found.reason.clone().unwrap_or(Reason::Unchanged);
        let mut step = self.step(Op::Same, goal, Some(at), reason);
        found.set(&mut step);
        self.push(step);
        self.keep_views(old);
        Answer::Same(at)
    }

    /// A component that a plugin makes: only the plugin knows what it registers.
    fn keep_plugin(&mut self, goal: &Goal, at: usize, old: &PriorResource) -> Answer {
        self.operated.sames.insert(goal.urn.clone());
        let mut step = self.step(Op::Same, goal, Some(at), Reason::Plugin(goal.urn.clone()));
        step.decided_by = DecidedBy::Provider;
        self.push(step);
        let diff = Diff::of(&old.inputs, &goal.inputs);
        if diff.is_empty() { Answer::Same(at) } else { Answer::Updated(at) }
    }

    /// The views of a resource stay with it.
    fn keep_views(&mut self, old: &PriorResource) {
        let views: Vec<usize> = self
            .graph
            .children_of(&old.urn)
            .iter()
            .copied()
            .filter(|at| {
                let view = self.prior.get(*at);
                view.is_some_and(|view| view.view_of.as_ref() == Some(&old.urn))
            })
            .collect();
        for at in views {
            if let Some(step) = self.prior_step(Op::Same, at, Reason::Unchanged) {
                self.operated.sames.insert(step.urn.clone());
                self.push(step);
            }
        }
    }

    /// Compares a resource with what the state has.
    fn compare(&self, goal: &Goal, old: &PriorResource) -> Comparison {
        if let Some(reason) = self.option_replaces(goal, old) {
            return reason;
        }
        let config = match self.provider_change(goal, old) {
            ProviderChange::None => None,
            ProviderChange::Replaces => return Comparison::replaced(Reason::Provider, "provider"),
            ProviderChange::Config => goal.provider.as_ref().map(|it| it.urn.clone()),
        };
        if !goal.is_custom {
            return compare_components(goal, old);
        }
        let facts = self.facts(&goal.kind);
        let ignored = goal.options.paths(ResourceOption::IgnoreChanges);
        let inputs = paths::reset(&goal.inputs, &old.inputs, ignored);
        let filler =
            Filler { name: &goal.name, is_provider: goal.is_provider(), facts: facts.as_deref() };
        let inputs = filler.fill(&old.inputs, &inputs);
        // Those of the state may have been changed with the old value of what is ignored.
        let mut found = Comparison { diff: Diff::of(&old.inputs, &inputs), ..<_>::default() };
        found.is_changed = !found.diff.is_empty();
        if found.is_changed {
            found.decided_by = Some(DecidedBy::Provider);
        } else if let Some(urn) = config {
            found.decided_by = Some(DecidedBy::Provider);
            found.reason = Some(Reason::ProviderConfig(urn));
        }
        if !goal.is_provider() {
            let names = goal.options.paths(ResourceOption::ReplaceOnChanges);
            replace_on_changes(&mut found, names, old.has_init_errors, facts.as_deref());
        }
        found
    }

    /// The replacement that the options or the caller demand.
    fn option_replaces(&self, goal: &Goal, old: &PriorResource) -> Option<Comparison> {
        let trigger = goal.options.replacement_trigger.as_ref();
        if triggers(trigger, &old.replacement_trigger) {
            return Some(Comparison {
                is_changed: true,
                replacement: Some((Reason::Trigger, Vec::new())),
                ..Comparison::default()
            });
        }
        if let Some(reason) = self.is_replacement_asked(&goal.urn, Some(old)) {
            return Some(Comparison::replaced(reason, "id"));
        }
        let replaces = &self.operated.replaces;
        if let Some(with) = goal.replace_with.iter().find(|urn| replaces.contains(*urn)) {
            return Some(Comparison::replaced(Reason::ReplacedWith(with.clone()), "replaceWith"));
        }
        let with = goal.deleted_with.as_ref().filter(|urn| replaces.contains(*urn))?;
        Some(Comparison::replaced(Reason::DeletedWith(with.clone()), "deletedWith"))
    }

    fn provider_change(&self, goal: &Goal, old: &PriorResource) -> ProviderChange {
        let (old_urn, old_id) = match (&old.provider, &goal.provider) {
            (None, None) => return ProviderChange::None,
            (Some((urn, id)), Some(_)) => (urn, id),
            _ => return ProviderChange::Replaces,
        };
        let Some(ProviderReference { urn, id }) = &goal.provider else {
            return ProviderChange::Replaces;
        };
        let is_alias = self.aliased.get(old_urn) == Some(urn);
        if old_urn == urn && Some(old_id) == id.as_ref() || is_alias {
            return ProviderChange::None;
        }
        let empty = PropertyMap::new();
        let inputs = |inputs: &PropertyMap| -> PropertyMap {
            let inputs = inputs.iter();
            let inputs = inputs.filter(|(name, _)| !["version", "__internal"].contains(&&***name));
            inputs.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let before = inputs(self.prior.live(old_urn).map_or(&empty, |old| &old.inputs));
        let after = inputs(self.providers.get(urn).unwrap_or(&empty));
        let filler = Filler { name: "", is_provider: true, facts: None };
        let after = filler.fill(&before, &after);
        let diff = Diff::of(&before, &after);
        if diff.is_empty() { ProviderChange::None } else { ProviderChange::Config }
    }

    fn notice_exposed(&mut self, goal: &Goal, old: &PriorResource) {
        for (name, value) in &old.inputs {
            let is_plain = |value: &PropertyValue| !value.has_secrets() && !value.is_null();
            if matches!(value, PropertyValue::Secret(_))
                && goal.inputs.get(name).is_some_and(is_plain)
            {
                self.notices.push(Notice::SecretExposed {
                    urn: goal.urn.clone(),
                    path: [(&**name).into()].into_iter().collect(),
                    source: goal.source,
                });
            }
        }
    }
}

/// The change of the provider of a resource.
enum ProviderChange {
    /// None that concerns the resource.
    None,
    /// The new provider has another configuration.
    Config,
    /// The resource gets a provider, or loses it.
    Replaces,
}

/// Returns true if the option `import` takes over a resource.
fn imports(goal: &Goal, old: Option<&PriorResource>) -> bool {
    old.is_none_or(|old| {
        let id = if old.import_id.is_empty() { &old.id } else { &old.import_id };
        old.is_external || *id != goal.options.import_id
    })
}

/// Components are compared by the engine itself, to which a secret is another value.
fn compare_components(goal: &Goal, old: &PriorResource) -> Comparison {
    let ignored = goal.options.paths(ResourceOption::IgnoreChanges);
    let inputs = paths::reset(&goal.inputs, &old.inputs, ignored);
    let mut found = Comparison { diff: Diff::of(&old.inputs, &inputs), ..<_>::default() };
    let names = old.inputs.keys().chain(inputs.keys());
    let is_other = |name: &std::sync::Arc<str>| {
        let is_secret = |inputs: &PropertyMap| {
            inputs.get(name).is_some_and(|value| matches!(value, PropertyValue::Secret(_)))
        };
        is_secret(&old.inputs) != is_secret(&inputs)
    };
    found.is_changed = !found.diff.is_empty() || names.into_iter().any(is_other);
    found
}

/// Marks the changes that replace a resource.
fn replace_on_changes(
    found: &mut Comparison,
    names: &[String],
    has_init_errors: bool,
    facts: Option<&ResourceFacts>,
) {
    if !found.is_changed && !has_init_errors {
        return;
    }
    let parsed = paths::parsed(names);
    let mut keys: Vec<String> = Vec::new();
    let mut replacing: Vec<String> = Vec::new();
    for change in &mut found.diff.changes {
        if parsed.iter().any(|path| paths::contains(path, &change.path)) {
            change.replaces = true;
            replacing.push(change.path.to_string());
        }
        let key = [change.property().into()].into_iter().collect();
        if parsed.iter().any(|path| paths::contains(path, &key)) {
            keys.push(change.property().to_owned());
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let init_error = [INIT_ERROR.into()].into_iter().collect();
    if has_init_errors && parsed.iter().any(|path| paths::contains(path, &init_error)) {
        keys.push(INIT_ERROR.to_owned());
        found.is_changed = true;
    }
    if !replacing.is_empty() || !keys.is_empty() {
        let is_of_schema =
            facts.is_some_and(|facts| {
                found.diff.changes.iter().filter(|change| change.replaces).all(|change| {
                    facts.replaces.iter().any(|path| paths::contains(path, &change.path))
                })
            });
        found.decided_by = Some(if is_of_schema { DecidedBy::Schema } else { DecidedBy::Program });
        found.replacement = Some((Reason::ReplaceOnChanges(replacing), keys));
        return;
    }
    let Some(facts) = facts else { return };
    let mut foretold: Vec<String> = Vec::new();
    for change in &mut found.diff.changes {
        if facts.will_replace.iter().any(|path| paths::contains(path, &change.path)) {
            change.replaces = true;
            foretold.push(change.path.to_string());
        }
    }
    if !foretold.is_empty() {
        let changes = found.diff.changes.iter().filter(|change| change.replaces);
        let mut keys: Vec<String> = changes.map(|change| change.property().to_owned()).collect();
        keys.dedup();
        found.decided_by = Some(DecidedBy::Schema);
        found.replacement = Some((Reason::WillReplace(foretold), keys));
    }
}

/// Returns true if the value of `replacementTrigger` demands a replacement.
fn triggers(new: Option<&PropertyValue>, old: &PropertyValue) -> bool {
    let null = PropertyValue::Null;
    let new = without_dependencies(new.unwrap_or(&null));
    if has_unknown(&new) || has_unknown(old) {
        return true;
    }
    let single =
        |value: PropertyValue| -> PropertyMap { [("value".into(), value)].into_iter().collect() };
    let is_null = |value: &PropertyValue| match value {
        PropertyValue::Secret(inner) => inner.is_null(),
        value => value.is_null(),
    };
    !is_null(&new) && !is_null(old) && !Diff::of(&single(old.clone()), &single(new)).is_empty()
}
