//! Texts and values in other encodings.
//!
//! The rules, with examples: `tests/spec/functions/encoding.md`.

use super::row::{Area, Builtin, Rule, STRING, output_if_eventual};
use crate::functions::function::CallContext;
use crate::functions::signature::{Parameter, Signature};
use crate::types::TypeId;

pub(super) const AREA: Area = Area {
    title: "Encoding",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "fromBase64",
        rule: Rule::Fixed(&[("value", STRING)], STRING),
        summary: "the string that a Base64 string encodes",
        example: r#"fromBase64("aGk=")"#,
    },
    Builtin {
        name: "toBase64",
        rule: Rule::Fixed(&[("value", STRING)], STRING),
        summary: "a string, encoded in Base64",
        example: r#"toBase64("hi")"#,
    },
    Builtin {
        name: "toJSON",
        rule: Rule::Generic {
            usage: "toJSON(value: dynamic) -> string",
            returns: "a string, in an output if any part of the value is eventual",
            rule: to_json,
        },
        summary: "a value, encoded as JSON",
        example: r#"toJSON({ Version = "2012-10-17" })"#,
    },
];

fn to_json(call: &mut CallContext<'_, '_>) -> Signature {
    let value = call.argument_type(0);
    if let Some(argument) = call.argument(0) {
        call.checker.warn_of_resource_as_json(argument.expr);
    }
    let returns = output_if_eventual(call.types(), TypeId::STRING, &[value]);
    Signature::new(vec![Parameter::new("value", TypeId::DYNAMIC)], returns)
}
