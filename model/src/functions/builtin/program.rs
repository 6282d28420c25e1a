//! The program that runs: where, as what, and its resources.
//!
//! The rules, with examples: `tests/spec/functions/program.md`.

use pcl_diagnostics::{Code, Diagnostic};

use crate::functions::function::{CallContext, Parameter, Signature};
use crate::types::TypeId;
use crate::wording::{in_words, optional};

/// One resource, not a list of them and not one that may be missing.
pub(super) fn of_resource(call: &mut CallContext<'_, '_>) -> Signature {
    let given = call.argument_type(0);
    if let Some(argument) = call.argument(0)
        && given != TypeId::ERROR
        && !call.types().is_resource(given)
    {
        let types = call.types();
        let words = in_words(types, given);
        let resolved = types.resolve(given);
        let found = if !types.is_resource(types.strip(given)) {
            words
        } else if types.without_none(resolved).is_some() {
            optional(&words)
        } else {
            "an output".to_owned()
        };
        let message = format!("`{}` takes a resource, found {found}", call.site.name);
        let span = call.span(argument.range);
        let diagnostic = Diagnostic::error(Code::NotAResource, span, message)
            .help("write the name of a resource of the program");
        call.refuse(given, diagnostic);
    }
    Signature::new(vec![Parameter::new("resource", given)], TypeId::STRING)
}
