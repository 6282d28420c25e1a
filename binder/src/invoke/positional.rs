//! Invokes of functions whose inputs are given one by one: `invoke("token", first, second,
//! { .. })`.
//!
//! The rules, with examples: `tests/spec/invoke/positional.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::short_token;
use pcl_model::functions::{CallContext, Parameter, Signature};
use pcl_model::relations::Conversion;
use pcl_model::types::TypeId;
use pcl_schema::FunctionSpec;

use crate::invoke::{OPTIONS, Schema, unresolved};
use crate::schema_types::Found;

/// The signature of such a call. A single object in place of the values is reported.
pub(super) fn signature(
    schema: &Schema,
    call: &mut CallContext<'_, '_>,
    found: &Found,
    function: &FunctionSpec,
) -> Signature {
    if is_input_object(schema, call, found, function) {
        let values: Vec<&str> = function.multi_argument_inputs.iter().map(|name| &**name).collect();
        let values = values.join(", ");
        let token = &found.token;
        let span = call.span(call.argument_range(0));
        call.report(object_for_values(span, token, &values));
        return unresolved(call.types(), TypeId::ERROR);
    }
    let types = call.types();
    let mut parameters = vec![Parameter::new("token", TypeId::STRING)];
    for name in &function.multi_argument_inputs {
        let Some(property) = function.inputs.as_ref().and_then(|inputs| inputs.get(name)) else {
            continue;
        };
        let ty = schema.schemas.plain(types, found.package, &property.ty);
        let ty = if property.required { ty } else { types.optional(ty) };
        let role = format!("argument `{name}` of `{}`", short_token(&found.token));
        parameters.push(Parameter::new(String::from(&**name), ty).described(role));
    }
    let options = schema.check_options(call, parameters.len());
    parameters.push(Parameter::new("invokeOptions", options).described(OPTIONS));
    let types = call.types();
    let result = schema.schemas.function_result(types, found.package, found.member, function);
    let returns = if schema.options.prefer_output_versioned_invokes && function.returns.is_some() {
        types.output(result)
    } else {
        types.promise(result)
    };
    Signature {
        decided_by: Some(call.argument_range(0)),
        multi_argument: true,
        callee: Some(found.callee(false)),
        ..Signature::new(parameters, returns)
    }
}

/// Returns whether the one value that follows the token is the object of all inputs. A dynamic
/// value counts as the first input.
fn is_input_object(
    schema: &Schema,
    call: &mut CallContext<'_, '_>,
    found: &Found,
    function: &FunctionSpec,
) -> bool {
    let argument = call.argument_type(1);
    if matches!(argument, TypeId::DYNAMIC | TypeId::ERROR) {
        return false;
    }
    [false, true].into_iter().any(|with_outputs| {
        let inputs = schema.inputs(call.types(), found, function, with_outputs);
        call.types().convert(inputs, argument) != Conversion::No
    })
}

/// An object of all inputs for a function that takes them one by one: `values`.
fn object_for_values(span: Span, token: &str, values: &str) -> Diagnostic {
    let token = short_token(token);
    let message = format!("`{token}` takes its inputs one by one, not as an object");
    Diagnostic::error(Code::PositionalInvoke, span, message)
        .help(format!("write `invoke(\"{token}\", {values})`"))
}
