//! Functions that build types, in the type labels of config and output blocks. What such a call
//! gives *is* the type.
//!
//! The rules, with examples: `tests/spec/functions/labels.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::functions::function::CallContext;
use crate::functions::signature::{Parameter, Signature};
use crate::types::{Type, TypeId, TypeStore};

pub(super) fn wrap(
    call: &mut CallContext<'_, '_>,
    make: fn(&mut TypeStore, TypeId) -> TypeId,
) -> Signature {
    let element = call.argument_type(0);
    let returns = match call.argument_count() {
        1 => make(call.types(), element),
        // The call is refused for its number of arguments.
        _ => TypeId::ERROR,
    };
    Signature::new(vec![Parameter::new("elementType", element)], returns)
}

pub(super) fn object(call: &mut CallContext<'_, '_>) -> Signature {
    let ty = call.argument_type(0);
    let is_object = call.types().properties(ty).is_some();
    itself(call, "attributeTypes", is_object, not_an_object_of_types)
}

pub(super) fn tuple(call: &mut CallContext<'_, '_>) -> Signature {
    let ty = call.argument_type(0);
    let is_tuple = matches!(call.types().get(ty), Type::Tuple(_));
    itself(call, "elementTypes", is_tuple, not_a_tuple_of_types)
}

/// The type of the argument, which must be of the right kind; `message` makes the diagnostic when
/// it is not.
fn itself(
    call: &mut CallContext<'_, '_>,
    parameter: &'static str,
    is_right: bool,
    message: fn(Span) -> Diagnostic,
) -> Signature {
    let ty = call.argument_type(0);
    if let Some(argument) = call.argument(0).filter(|_| !is_right)
        && ty != TypeId::ERROR
    {
        call.report_misuse(message(call.span(argument.range)));
    }
    let returns = if is_right && call.argument_count() == 1 { ty } else { TypeId::ERROR };
    Signature::new(vec![Parameter::new(parameter, ty)], returns)
}

/// An argument of `object` in a type label that is not an object of types.
fn not_an_object_of_types(span: Span) -> Diagnostic {
    let message = "`object` takes an object of types";
    Diagnostic::error(Code::BadArgument, span, message)
        .help("write the type of each property, as in `object({ name = string })`")
}

/// An argument of `tuple` in a type label that is not a list of types.
fn not_a_tuple_of_types(span: Span) -> Diagnostic {
    let message = "`tuple` takes a list of types";
    Diagnostic::error(Code::BadArgument, span, message)
        .help("write the type of each element, as in `tuple([string, int])`")
}
