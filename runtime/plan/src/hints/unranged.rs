//! Resources that a block with an unknown range hides.

use pcl_diagnostics::{Code, Diagnostic};
use pcl_eval::UnknownRange;

use rustc_hash::FxHashMap;

use crate::plan::Plan;
use crate::step::{Reason, names_of_blocks};

pub(super) fn hints(plan: &Plan) -> Vec<Diagnostic> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for step in plan.steps.iter().filter(|step| step.reason == Reason::UnknownRange) {
        for block in names_of_blocks(step.name()) {
            *counts.entry(block).or_default() += 1;
        }
    }
    let ranges = plan.unknown_ranges.iter();
    ranges.filter_map(|range| Some(unranged(range, *counts.get(&*range.name)?))).collect()
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
