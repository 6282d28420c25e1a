//! The program that runs: where, as what, and its resources.
//!
//! The rules, with examples: `tests/spec/functions/program.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::functions::function::CallContext;
use crate::functions::signature::{Parameter, Signature};
use crate::types::{TypeId, TypeStore};
use crate::wording::{in_words, optional};

/// One resource, not a list of them and not one that may be missing.
pub(super) fn of_resource(call: &mut CallContext<'_, '_>) -> Signature {
    let resource = call.argument_type(0);
    if let Some(argument) = call.argument(0)
        && resource != TypeId::ERROR
        && !call.types().is_resource(resource)
    {
        let (span, function) = (call.span(argument.range), call.site.name.clone());
        let diagnostic = not_a_resource(span, call.types(), &function, resource);
        call.refuse(resource, diagnostic);
    }
    Signature::new(vec![Parameter::new("resource", resource)], TypeId::STRING)
}

/// An argument of the type `given` where one resource is needed.
fn not_a_resource(span: Span, types: &mut TypeStore, function: &str, given: TypeId) -> Diagnostic {
    let words = in_words(types, given);
    let resolved = types.resolve(given);
    let found = if !types.is_resource(types.strip(given)) {
        words
    } else if types.without_none(resolved).is_some() {
        optional(&words)
    } else {
        "an output".to_owned()
    };
    let message = format!("`{function}` takes a resource, found {found}");
    Diagnostic::error(Code::NotAResource, span, message)
}
