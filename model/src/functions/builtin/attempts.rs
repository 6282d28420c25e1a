//! Expressions that may fail.
//!
//! The rules, with examples: `tests/spec/functions/attempts.md`.

use pcl_diagnostics::{Code, Diagnostic};

use super::output_if_eventual;
use crate::functions::function::{CallContext, Parameter, Signature};
use crate::types::{Type, TypeId};
use crate::wording::in_words;

pub(super) fn can(call: &mut CallContext<'_, '_>) -> Signature {
    let value = call.argument_type(0);
    let single = call.argument_count() == 1;
    let types = call.types();
    let returns = if !single || value == TypeId::DYNAMIC || types.may_be_output(value) {
        types.output(TypeId::BOOL)
    } else {
        TypeId::BOOL
    };
    Signature::new(vec![Parameter::new("arg", value)], returns)
}

pub(super) fn recover(call: &mut CallContext<'_, '_>) -> Signature {
    let [value, recovery] = [call.argument_type(0), call.argument_type(1)];
    if let Some(argument) = call.argument(0).filter(|_| call.argument_count() == 2) {
        let types = call.types();
        if value != TypeId::ERROR && !matches!(types.get(value), Type::Output(_)) {
            let given = in_words(types, value);
            let message = format!("`recover` takes an output, found {given}");
            let span = call.span(argument.range);
            let diagnostic = Diagnostic::error(Code::BadArgument, span, message)
                .help("only an output can fail to be known: write the value itself");
            call.refuse(value, diagnostic);
        }
    }
    let types = call.types();
    let resolved = [types.resolve(value), types.resolve(recovery)];
    let unified = types.unify_safely(&resolved);
    let returns = types.output(unified);
    let parameters = vec![Parameter::new("value", value), Parameter::new("recovery", recovery)];
    Signature::new(parameters, returns)
}

pub(super) fn try_each(call: &mut CallContext<'_, '_>) -> Signature {
    let arguments: Vec<TypeId> = call.site.arguments.iter().map(|a| a.ty).collect();
    if arguments.is_empty() {
        let span = call.span(call.site.name_range);
        let message = "`try` needs at least one argument";
        let diagnostic = Diagnostic::error(Code::WrongArgumentCount, span, message);
        call.report_misuse(
            diagnostic.help("write the expressions to try in order, as in `try(a, b)`"),
        );
        return Signature::new(Vec::new(), TypeId::NONE);
    }
    let types = call.types();
    let returns = if arguments.contains(&TypeId::DYNAMIC) {
        types.output(TypeId::DYNAMIC)
    } else {
        let unified = types.unify_safely(&arguments);
        output_if_eventual(types, unified, &arguments)
    };
    let parameters = arguments
        .iter()
        .enumerate()
        .map(|(index, &ty)| Parameter::new(format!("arg{index}"), ty))
        .collect();
    Signature::new(parameters, returns)
}
