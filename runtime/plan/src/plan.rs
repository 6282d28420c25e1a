//! Plans: what a deployment would do.

use std::sync::Arc;

use pcl_eval::UnknownRange;

use crate::notice::Notice;
use crate::prior::Prior;
use crate::step::{DecidedBy, Op, Step};

/// The steps that a deployment of a program would take on the resources of a state.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The steps, in the order in which the engine would take them one at a time.
    pub steps: Vec<Step>,
    /// The notices that people need to hear besides the steps.
    pub notices: Vec<Notice>,
    /// The state.
    pub prior: Arc<Prior>,
    /// The blocks whose ranges are unknown: none of their resources is registered.
    pub unknown_ranges: Vec<UnknownRange>,
    /// The program was evaluated to its end. Otherwise, steps are missing, above all deletes.
    pub is_complete: bool,
}

/// The numbers of steps by what they do. Parts of replacements and default providers do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The resources that are created.
    pub create: usize,
    /// The resources that are changed in place.
    pub update: usize,
    /// The resources that are replaced.
    pub replace: usize,
    /// The resources that are deleted.
    pub delete: usize,
    /// The resources that nothing happens to.
    pub same: usize,
    /// The resources that are read.
    pub read: usize,
    /// The resources that are taken over.
    pub import: usize,
    /// The resources that were read, and are read no more.
    pub discard: usize,
    /// The inputs that cannot be compared, because the state has them encrypted.
    pub incomparable: usize,
    /// The steps for which only the provider can tell whether they are right.
    pub provider_decides: usize,
}

impl Totals {
    /// The totals with their names.
    pub fn named(self) -> [(&'static str, usize); 10] {
        [
            ("create", self.create),
            ("update", self.update),
            ("replace", self.replace),
            ("delete", self.delete),
            ("same", self.same),
            ("read", self.read),
            ("import", self.import),
            ("discard", self.discard),
            ("incomparable", self.incomparable),
            ("provider_decides", self.provider_decides),
        ]
    }
}

impl Plan {
    /// The totals.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for step in self.steps.iter().filter(|step| !step.is_default_provider()) {
            let count = match step.op {
                Op::Same => &mut totals.same,
                Op::Create => &mut totals.create,
                Op::Update => &mut totals.update,
                Op::Delete => &mut totals.delete,
                Op::Replace => &mut totals.replace,
                Op::Read => &mut totals.read,
                Op::Import => &mut totals.import,
                Op::Discard => &mut totals.discard,
                _ => continue,
            };
            *count += 1;
            totals.incomparable += step.incomparable.len();
            totals.provider_decides += usize::from(step.decided_by == DecidedBy::Provider);
        }
        totals
    }

    /// Returns true if the deployment would change the stack.
    pub fn has_changes(&self) -> bool {
        self.steps.iter().any(|step| !matches!(step.op, Op::Same | Op::Read))
    }
}
