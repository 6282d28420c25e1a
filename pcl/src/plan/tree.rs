//! The steps of a plan as a tree: one for each resource, children below their parents.

use std::collections::{BTreeMap, BTreeSet};

use pcl_plan::{DecidedBy, Op, Plan, Step};
use pcl_values::Urn;

/// The steps of a plan by their parents. A replacement is one step.
pub(super) struct Tree<'p> {
    pub steps: Vec<&'p Step>,
    children: BTreeMap<&'p str, Vec<usize>>,
    roots: Vec<usize>,
}

impl<'p> Tree<'p> {
    /// The steps that the totals count; of those that do nothing only the ones around others.
    /// With `with_sames`, every step, those of default providers included.
    pub fn of(plan: &'p Plan, with_sames: bool) -> Self {
        let steps: Vec<&Step> =
            plan.steps.iter().filter(|step| !step.op.is_part_of_replacement()).collect();
        let parents: BTreeMap<&str, Option<&Urn>> =
            steps.iter().map(|step| (step.urn.as_str(), step.parent.as_ref())).collect();
        let mut wanted: BTreeSet<&str> = BTreeSet::new();
        for step in &steps {
            let is_silent = step.op == Op::Same
                && step.incomparable.is_empty()
                && step.decided_by != DecidedBy::Provider;
            let is_wanted = with_sames || !(is_silent || step.is_default_provider());
            let mut urn = is_wanted.then_some(step.urn.as_str());
            while let Some(own) = urn.filter(|own| wanted.insert(own)) {
                urn = parents.get(own).copied().flatten().map(Urn::as_str);
            }
        }
        let steps: Vec<&Step> =
            steps.into_iter().filter(|step| wanted.contains(step.urn.as_str())).collect();
        let mut children: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut roots = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            match step.parent.as_ref().filter(|parent| parents.contains_key(parent.as_str())) {
                Some(parent) => children.entry(parent.as_str()).or_default().push(at),
                None => roots.push(at),
            }
        }
        Self { steps, children, roots }
    }

    /// The resources without a parent.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// The places of the children of a step.
    pub fn children(&self, step: &Step) -> &[usize] {
        self.children.get(step.urn.as_str()).map_or(&[], Vec::as_slice)
    }
}

/// The sign of a step, as Pulumi shows it.
pub(super) fn sign(op: Op) -> &'static str {
    match op {
        Op::Same => " ",
        Op::Create => "+",
        Op::Update => "~",
        Op::Delete | Op::Discard => "-",
        Op::Read => ">",
        Op::Import => "=",
        _ => "+-",
    }
}

/// The words behind a step: the operation and what there is to know about it.
pub(super) fn words(step: &Step) -> String {
    let mut words = String::from(step.op.name());
    let is_plain = matches!(step.op, Op::Create | Op::Same | Op::Read);
    let is_told = !is_plain || step.reason.name() != step.op.name();
    let usual = ["new", "unchanged", "inputs", "removed"];
    if is_told && !usual.contains(&step.reason.name()) {
        words.push_str(&format!(": {}", step.reason));
    }
    if let Some(old) = &step.old_urn {
        words.push_str(&format!("; was `{}`", old.name().unwrap_or_default()));
    }
    match step.decided_by {
        DecidedBy::Program => {}
        DecidedBy::Schema => words.push_str("; by the schema"),
        DecidedBy::Provider => words.push_str("; the provider decides"),
    }
    if step.is_protected && matches!(step.op, Op::Delete | Op::Replace) {
        words.push_str("; protected");
    }
    if step.is_retained && matches!(step.op, Op::Delete | Op::Replace) {
        words.push_str("; the real resource stays");
    }
    words
}

/// The totals of a plan in words.
pub(super) fn totals(plan: &Plan) -> String {
    let totals = plan.totals();
    let counts = [
        (totals.create, "to create"),
        (totals.import, "to import"),
        (totals.update, "to update"),
        (totals.replace, "to replace"),
        (totals.delete, "to delete"),
        (totals.discard, "to forget"),
        (totals.read, "to read"),
        (totals.same, "unchanged"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0);
    let mut told: Vec<String> = told.map(|(count, words)| format!("{count} {words}")).collect();
    if told.is_empty() {
        told.push(String::from("no resources"));
    }
    let mut text = told.join(", ");
    if totals.provider_decides > 0 {
        text.push_str(&format!("; the provider decides about {}", totals.provider_decides));
    }
    match totals.incomparable {
        0 => {}
        1 => text.push_str("; 1 secret input cannot be compared"),
        count => text.push_str(&format!("; {count} secret inputs cannot be compared")),
    }
    text
}
