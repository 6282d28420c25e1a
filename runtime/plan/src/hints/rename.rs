//! Renames that delete a resource and create it again.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Urn;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diff::{Diff, map_without_dependencies};
use crate::plan::Plan;
use crate::prior::PriorResource;
use crate::step::{Op, Step};

/// The largest number of resources of a type among which pairs are looked for.
const MOST: usize = 64;

pub(super) fn hints(plan: &Plan, start: Span) -> Vec<Diagnostic> {
    let mut created: FxHashMap<&str, Vec<&Step>> = FxHashMap::default();
    for step in plan.steps.iter().filter(|step| step.op == Op::Create) {
        created.entry(step.kind()).or_default().push(step);
    }
    let mut hints = Vec::new();
    // The new URNs of resources that are seen as renamed: their children follow them.
    let mut renamed: FxHashSet<(Urn, Urn)> = FxHashSet::default();
    // Parents stand before their children in the state, and behind them among the deletes.
    for step in plan.steps.iter().rev().filter(|step| step.op == Op::Delete) {
        let Some(old) = step.prior.and_then(|at| plan.prior.get(at)) else { continue };
        let Some(news) = created.get_mut(step.kind()).filter(|news| news.len() <= MOST) else {
            continue;
        };
        let Some(at) = counterpart(old, news) else { continue };
        let new = news.remove(at);
        renamed.insert((old.urn.clone(), new.urn.clone()));
        let parents = old.parent.clone().zip(new.parent.clone());
        if !parents.is_some_and(|parents| renamed.contains(&parents)) {
            hints.push(rename(new.source.unwrap_or(start), old, new));
        }
    }
    hints.reverse();
    hints
}

/// The place of the new resource that an old one has become.
fn counterpart(old: &PriorResource, news: &[&Step]) -> Option<usize> {
    let name = old.urn.name();
    let is_same = |new: &&Step| {
        let given = new
            .changes
            .iter()
            .filter_map(|change| Some((change.property().into(), change.new.clone()?)));
        let given = map_without_dependencies(&given.collect());
        Diff::of(&old.inputs, &given).changes.iter().all(|change| change.new.is_none())
    };
    let by_name = news.iter().position(|new| new.urn.name() == name);
    let only = (news.len() == 1).then_some(0);
    by_name.or_else(|| news.iter().position(is_same)).or(only)
}

/// A resource is deleted and created under another name or parent.
fn rename(at: Span, old: &PriorResource, new: &Step) -> Diagnostic {
    let name = |urn: &Urn| urn.name().unwrap_or_default().to_owned();
    let (old_name, new_name) = (name(&old.urn), name(&new.urn));
    let kind = new.kind();
    let (message, help) = if old_name == new_name {
        (
            format!("`{new_name}` has another parent, so `{kind}` is deleted and created again"),
            format!("to keep it, add the option `aliases = [\"{}\"]`", old.urn),
        )
    } else if old.parent == new.parent {
        (
            format!(
                "`{new_name}` is created and `{old_name}` deleted, both of the type `{kind}`: this \
                 looks like a new name"
            ),
            format!(
                "to keep the resource, add the option `aliases = [{{ name = \"{old_name}\" }}]`, \
                 or write `__logicalName = \"{old_name}\"`"
            ),
        )
    } else {
        (
            format!(
                "`{new_name}` is created and `{old_name}` deleted, both of the type `{kind}`: this \
                 looks like a new name and parent"
            ),
            format!("to keep the resource, add the option `aliases = [\"{}\"]`", old.urn),
        )
    };
    Diagnostic::warning(Code::PlanRename, at, message).help(help)
}
