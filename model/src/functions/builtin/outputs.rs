//! Outputs: secrets, and outputs of other stacks.
//!
//! The rules, with examples: `tests/spec/functions/outputs.md`.

use super::row::{Area, Builtin, DYNAMIC, Rule, STRING, StaticType};
use crate::functions::function::CallContext;
use crate::functions::signature::{Parameter, Signature};
use crate::types::TypeId;

pub(super) const AREA: Area = Area {
    title: "Outputs and secrets",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "getOutput",
        rule: Rule::Fixed(
            &[("stackReference", DYNAMIC), ("outputName", STRING)],
            StaticType::Output(&DYNAMIC),
        ),
        summary: "an output of another stack",
        example: r#"getOutput(network, "vpcId")"#,
    },
    Builtin {
        name: "secret",
        rule: Rule::Generic {
            usage: "secret(value: T) -> output(T)",
            returns: "an output of the type of the value",
            rule: same_as_output,
        },
        summary: "a value that is kept encrypted",
        example: r#"secret("hunter2")"#,
    },
    Builtin {
        name: "unsecret",
        rule: Rule::Generic {
            usage: "unsecret(value: T) -> output(T)",
            returns: "an output of the type of the value",
            rule: same_as_output,
        },
        summary: "the value of a secret, which is then no longer secret",
        example: "unsecret(password)",
    },
];

fn same_as_output(call: &mut CallContext<'_, '_>) -> Signature {
    let value = match call.argument_count() {
        1 => call.argument_type(0),
        _ => TypeId::DYNAMIC,
    };
    let returns = call.types().output(value);
    Signature::new(vec![Parameter::new("value", value)], returns)
}
