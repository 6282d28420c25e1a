//! Resources that a block with an unknown range hides.

use pcl_diagnostics::{Code, Diagnostic};
use pcl_eval::UnknownRange;

use crate::plan::Plan;
use crate::step::{Reason, Step};

pub(super) fn hints(plan: &Plan) -> Vec<Diagnostic> {
    let hidden = |step: &&Step| step.reason == Reason::UnknownRange;
    let hints = plan.unknown_ranges.iter().filter_map(|range| {
        let names = plan.steps.iter().filter(hidden).filter(|step| {
            let rest = step.name().strip_prefix(&*range.name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        let count = names.count();
        (count > 0).then(|| unranged(range, count))
    });
    hints.collect()
}

/// A range is not known, so that resources seem to go.
fn unranged(range: &UnknownRange, count: usize) -> Diagnostic {
    let resources = match count {
        1 => "a resource of the state is".to_owned(),
        count => format!("{count} resources of the state are"),
    };
    let message =
        format!("the range of `{}` is not known, so {resources} planned as deleted", range.name);
    Diagnostic::warning(Code::PlanHidden, range.span, message).help(
        "give the configuration of the stack with `--stack` or `--config`, and the answers of \
         functions with `--mock`",
    )
}
