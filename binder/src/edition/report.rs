//! The diagnostics about constructs that the oldest Pulumi to support does not have.
//!
//! The rules, with examples: `tests/spec/editions/report.md`.

use super::block_range;
use super::collect::{of_module, to_report};
use super::oldest::{OldestPulumi, SetBy};
use super::table::find;
use super::view::Use;
use crate::messages::edition as messages;
use crate::program::Module;
use crate::session::Session;
use crate::source::Sources;

/// The oldest Pulumi that a module has to work with: the one in the options, or else the newest of
/// those that the `pulumi` blocks of the module and of the programs around it say.
pub(crate) fn oldest(session: &Session<'_>, sources: &Sources) -> Option<OldestPulumi> {
    if session.options.oldest.is_some() {
        return session.options.oldest.clone();
    }
    let files = sources.files.iter();
    let own = block_range::oldest(files.map(|source| (source.file, &*source.tree)));
    match (own, &session.oldest) {
        (Some(own), Some(outer)) if own.version < outer.version => Some(outer.clone()),
        (Some(own), _) => Some(own),
        (None, outer) => outer.clone(),
    }
}

/// Reports what a module uses and the oldest Pulumi does not have.
pub(crate) fn report(session: &mut Session<'_>, module: &Module) {
    let Some(oldest) = session.oldest.clone() else {
        return;
    };
    let (exprs, types) = (&session.exprs, &mut session.types);
    let uses = of_module(module, exprs, types, &session.scopes, &session.schemas);
    for mut used in to_report(uses, |used| is_wrong(used, &oldest)) {
        used.fix = used.fix.filter(|_| helps(used.row.construct, &oldest));
        let diagnostic = messages::not_supported(&used, &oldest);
        session.reporter.report(diagnostic);
    }
}

/// Returns whether a fix makes a construct one that the oldest Pulumi has: a label helps where
/// there are `package` blocks at all.
fn helps(construct: &str, oldest: &OldestPulumi) -> bool {
    let needed = match construct {
        "label.package.none" => find("block.package"),
        _ => None,
    };
    needed.is_none_or(|row| !oldest.is_before(row.since))
}

/// Returns whether the oldest Pulumi is older than a use needs. The `pulumi` block is no use of
/// itself: releases that do not know it cannot read its range either.
fn is_wrong(used: &Use, oldest: &OldestPulumi) -> bool {
    let construct = used.row.construct;
    let is_own = matches!(
        construct,
        "block.pulumi" | "attr.pulumi.requiredVersionRange"
    ) && matches!(oldest.set_by, SetBy::Block(_));
    !is_own && oldest.is_before(used.needs())
}

/// Returns whether the oldest Pulumi takes the name of a package from the label of its block, and
/// from nowhere else.
pub(crate) fn takes_package_labels(oldest: &OldestPulumi) -> bool {
    find("label.package.none").is_some_and(|row| oldest.is_before(row.since))
}
