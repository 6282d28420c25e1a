//! Functions that build types, in the type labels of config and output blocks. What such a call
//! gives *is* the type.
//!
//! The rules, with examples: `tests/spec/functions/labels.md`.

use pcl_diagnostics::{Code, Diagnostic};

use crate::functions::function::{CallContext, Parameter, Signature};
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
    itself(
        call,
        "attributeTypes",
        is_object,
        "`object` takes an object of types",
        "name the properties, as in `object({ name = string })`",
    )
}

pub(super) fn tuple(call: &mut CallContext<'_, '_>) -> Signature {
    let ty = call.argument_type(0);
    let is_tuple = matches!(call.types().get(ty), Type::Tuple(_));
    itself(
        call,
        "elementTypes",
        is_tuple,
        "`tuple` takes a list of types",
        "name the types of the elements, as in `tuple([string, int])`",
    )
}

/// The type of the argument, which must be of the right kind, as `message` and `help` say.
fn itself(
    call: &mut CallContext<'_, '_>,
    parameter: &'static str,
    is_right: bool,
    message: &str,
    help: &str,
) -> Signature {
    let ty = call.argument_type(0);
    if let Some(argument) = call.argument(0).filter(|_| !is_right)
        && ty != TypeId::ERROR
    {
        let span = call.span(argument.range);
        call.report_misuse(Diagnostic::error(Code::BadArgument, span, message).help(help));
    }
    let returns = if is_right && call.argument_count() == 1 { ty } else { TypeId::ERROR };
    Signature::new(vec![Parameter::new(parameter, ty)], returns)
}
