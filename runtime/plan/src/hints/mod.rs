//! Hints: the diagnostics about a plan, which tell people what they need to hear.

mod notices;
mod provider;
mod rename;
mod stateful;
mod unranged;

use pcl_diagnostics::{Diagnostic, Span};

use crate::plan::Plan;

impl Plan {
    /// The diagnostics of the plan. Those that belong to no block of the program are at `start`.
    pub fn diagnostics(&self, start: Span) -> Vec<Diagnostic> {
        let mut hints = notices::hints(self, start);
        hints.extend(rename::hints(self, start));
        hints.extend(stateful::hints(self, start));
        hints.extend(provider::hints(self, start));
        hints.extend(unranged::hints(self));
        hints
    }
}
