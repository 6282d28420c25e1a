//! Providers whose configuration changes under the resources that they manage.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Urn;
use rustc_hash::FxHashMap;

use crate::plan::Plan;
use crate::step::{Op, Step};

pub(super) fn hints(plan: &Plan, start: Span) -> Vec<Diagnostic> {
    let changes = |step: &&Step| {
        matches!(step.op, Op::Update | Op::Replace)
            && step.kind().starts_with("pulumi:providers:")
            && step.changes.iter().any(|change| change.property() != "version")
    };
    let mut users: FxHashMap<&Urn, usize> = FxHashMap::default();
    for user in plan.steps.iter().filter(|user| !user.op.is_part_of_replacement()) {
        if let Some(provider) = &user.provider {
            *users.entry(provider).or_default() += 1;
        }
    }
    let changed = plan.steps.iter().filter(changes);
    changed.filter_map(|step| Some(reconfigured(step, *users.get(&step.urn)?, start))).collect()
}

/// The configuration of a provider changes.
fn reconfigured(step: &Step, count: usize, start: Span) -> Diagnostic {
    let names: Vec<String> = step.changed().iter().map(|name| format!("`{name}`")).collect();
    let resources = match count {
        1 => "1 resource uses it".to_owned(),
        count => format!("{count} resources use it"),
    };
    let message = format!(
        "the configuration of the provider `{}` changes ({}): {resources}",
        step.name(),
        names.join(", ")
    );
    Diagnostic::warning(Code::PlanProvider, step.source.unwrap_or(start), message).help(
        "only the provider knows whether it still manages these resources: look at `pulumi preview`",
    )
}
