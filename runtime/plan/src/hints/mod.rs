//! What people need to hear about a plan, as diagnostics.

mod notices;
mod provider;
mod rename;
mod stateful;
mod unranged;

use pcl_diagnostics::{Diagnostic, Span};

use crate::plan::Plan;

/// The diagnostics of a plan. Those that belong to no block are at `start`.
pub(crate) fn hints(plan: &Plan, start: Span) -> Vec<Diagnostic> {
    let mut hints = notices::hints(plan, start);
    hints.extend(rename::hints(plan, start));
    hints.extend(stateful::hints(plan, start));
    hints.extend(provider::hints(plan, start));
    hints.extend(unranged::hints(plan));
    hints
}
