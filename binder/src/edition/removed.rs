//! Constructs that Pulumi had once. Where the oldest Pulumi to support is set, a use of one names
//! the release that removed it.
//!
//! The rules, with examples: `tests/spec/editions/removed.md`.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_language::{Construct, construct, constructs};
use pcl_model::functions::{CallContext, Callable, Signature};
use pcl_model::scope::{ScopeId, Scopes};
use pcl_model::types::TypeId;

use crate::edition::range::OldestPulumi;
use crate::edition::report::{filled, subject};

/// A function that Pulumi removed.
struct Removed {
    construct: &'static Construct,
    name: &'static str,
    oldest: OldestPulumi,
}

impl Callable for Removed {
    fn signature(&self, call: &mut CallContext<'_, '_>) -> Signature {
        let span = call.span(call.site.name_range);
        call.report(removed(span, Some(self.construct), self.name, &self.oldest));
        Signature { returns: TypeId::ERROR, ..Signature::unknown() }
    }
}

/// Makes the functions that were removed known in a scope.
pub(crate) fn define(scopes: &mut Scopes, scope: ScopeId, oldest: &OldestPulumi) {
    for construct in constructs().iter().filter(|it| it.removed.is_some()) {
        if let Some(name) = construct.name.strip_prefix("function.") {
            let removed = Removed { construct, name, oldest: oldest.clone() };
            scopes.define_function(scope, name, Arc::new(removed));
        }
    }
}

/// A string in place of the options of an `invoke`.
pub(crate) fn provider_string(span: Span, provider: &str, oldest: &OldestPulumi) -> Diagnostic {
    let construct = construct("invoke-argument.third-provider-string");
    removed(span, construct, provider, oldest)
}

/// A hook with one label, at its keyword.
pub(crate) fn hook_without_kind(span: Span, oldest: &OldestPulumi) -> Diagnostic {
    removed(span, construct("label.hook.name-only"), "hook", oldest)
}

/// A use of a construct that Pulumi removed.
pub(crate) fn removed(
    span: Span,
    construct: Option<&'static Construct>,
    name: &str,
    oldest: &OldestPulumi,
) -> Diagnostic {
    let Some((construct, (release, _))) = construct.and_then(|it| Some((it, it.removed?))) else {
        // The table has such rows for all that is removed.
        return Diagnostic::bug(span, format!("`{name}` was not removed"));
    };
    let message = format!("{} was removed in Pulumi {release}", subject(construct, name));
    let mut diagnostic = Diagnostic::error(Code::RemovedFromPulumi, span, message);
    if oldest.is_before(release) && !oldest.is_before(construct.since) {
        let oldest = &oldest.version;
        let note = format!("Pulumi {oldest}, the oldest version to support, still has it");
        diagnostic = diagnostic.note(note);
    }
    match construct.instead {
        Some(instead) => diagnostic.help(filled(instead, name)),
        None => diagnostic,
    }
}
