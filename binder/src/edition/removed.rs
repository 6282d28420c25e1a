//! Constructs that Pulumi had once. Where the oldest Pulumi to support is set, a use of one names
//! the release that removed it.
//!
//! The rules, with examples: `tests/spec/editions/removed.md`.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::functions::{CallContext, Function, Signature};
use pcl_model::scope::{ScopeId, Scopes};
use pcl_model::types::TypeId;

use super::oldest::OldestPulumi;
use super::table::{Row, find, rows};
use crate::edition::report::{filled, subject};
use crate::messages::edition_words::words;

/// A function that Pulumi removed.
struct Removed {
    row: &'static Row,
    name: &'static str,
    oldest: OldestPulumi,
}

impl Function for Removed {
    fn signature(&self, call: &mut CallContext<'_, '_>) -> Signature {
        let span = call.span(call.site.name_range);
        call.report(removed(span, Some(self.row), self.name, &self.oldest));
        Signature {
            returns: TypeId::ERROR,
            ..Signature::unknown()
        }
    }
}

/// Makes the functions that were removed known in a scope.
pub(crate) fn define(scopes: &mut Scopes, scope: ScopeId, oldest: &OldestPulumi) {
    for row in rows().iter().filter(|row| row.removed.is_some()) {
        if let Some(name) = row.construct.strip_prefix("function.") {
            let oldest = oldest.clone();
            scopes.define_function(scope, name, Arc::new(Removed { row, name, oldest }));
        }
    }
}

/// A string in place of the options of an `invoke`.
pub(crate) fn provider_string(span: Span, provider: &str, oldest: &OldestPulumi) -> Diagnostic {
    let row = find("invoke-argument.third-provider-string");
    removed(span, row, provider, oldest)
}

/// A hook with one label, at its keyword.
pub(crate) fn hook_without_kind(span: Span, oldest: &OldestPulumi) -> Diagnostic {
    removed(span, find("label.hook.name-only"), "hook", oldest)
}

/// A use of a construct that Pulumi removed.
pub(crate) fn removed(
    span: Span,
    row: Option<&'static Row>,
    name: &str,
    oldest: &OldestPulumi,
) -> Diagnostic {
    let Some((row, (release, _))) = row.and_then(|row| Some((row, row.removed?))) else {
        // The table has such rows for all that is removed.
        return Diagnostic::bug(span, format!("`{name}` was not removed"));
    };
    let message = format!("{} was removed in Pulumi {release}", subject(row, name));
    let mut diagnostic = Diagnostic::error(Code::RemovedFromPulumi, span, message);
    if oldest.is_before(release) && !oldest.is_before(row.since) {
        let oldest = &oldest.version;
        let note = format!("Pulumi {oldest}, the oldest version to support, still has it");
        diagnostic = diagnostic.note(note);
    }
    let words = words(row.construct);
    match words.and_then(|words| words.instead) {
        Some(instead) => diagnostic.help(filled(instead, name)),
        None => diagnostic,
    }
}
