//! Errors whose mistake their body repeats.

use pcl_diagnostics::{Applicability, Code, Fix};

use super::draft::Draft;
use super::site::Site;
use crate::error::SyntaxError;

/// The most further places that have a label.
const LABELS: usize = 12;

/// The draft of the error at `c`, extended by those of the further errors: a label for each, and
/// one fix for all.
pub(super) fn with_others(c: &Site<'_>, mut draft: Draft, others: &[SyntaxError]) -> Draft {
    let fixes = others
        .iter()
        .filter_map(|error| super::draft(&c.beside(error))?.fix);
    draft.fix = draft.fix.map(|fix| fixes.fold(fix, join));
    let labels = others.iter().take(LABELS).map(|error| {
        let sign = error
            .related()
            .filter(|_| error.code() == Code::BodyItemIncomplete);
        (sign.unwrap_or(error.range()), "and here")
    });
    draft.labels.extend(labels);
    let hidden = others.len().saturating_sub(LABELS);
    if hidden > 0 {
        let lines = if hidden == 1 { "line" } else { "lines" };
        draft.note = Some(format!("and on {hidden} more {lines} of this body"));
    }
    draft
}

/// A fix that does what both do; it is safe if both are.
fn join(mut fix: Fix, other: Fix) -> Fix {
    fix.edits.extend(other.edits);
    if other.applicability != Applicability::Safe {
        fix.applicability = other.applicability;
    }
    fix
}
