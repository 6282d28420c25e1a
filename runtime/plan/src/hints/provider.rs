//! Providers whose configuration changes under the resources that they manage.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::plan::Plan;
use crate::step::{Op, Step};

pub(super) fn hints(plan: &Plan, start: Span) -> Vec<Diagnostic> {
    let changes = |step: &&Step| {
        matches!(step.op, Op::Update | Op::Replace)
            && step.kind().starts_with("pulumi:providers:")
            && step.changes.iter().any(|change| change.property() != "version")
    };
    let changed = plan.steps.iter().filter(changes);
    let hints = changed.filter_map(|step| {
        let users = plan.steps.iter().filter(|user| {
            user.provider.as_ref() == Some(&step.urn) && !user.op.is_part_of_replacement()
        });
        let count = users.count();
        (count > 0).then(|| reconfigured(step, count, start))
    });
    hints.collect()
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
