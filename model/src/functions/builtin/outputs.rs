//! Outputs: secrets, and outputs of other stacks.

use super::{Builtin, CallContext, Parameter, Rule, Signature};
use crate::types::TypeId;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "getOutput",
        rule: Rule::Generic(get_output),
        summary: "an output of another stack",
        example: r#"getOutput(network, "vpcId")"#,
    },
    Builtin {
        name: "secret",
        rule: Rule::Generic(same_as_output),
        summary: "a value that is kept encrypted",
        example: r#"secret("hunter2")"#,
    },
    Builtin {
        name: "unsecret",
        rule: Rule::Generic(same_as_output),
        summary: "a secret value as one that is not",
        example: "unsecret(password)",
    },
];

fn get_output(call: &mut CallContext<'_, '_>) -> Signature {
    let returns = call.types().output(TypeId::DYNAMIC);
    let parameters = vec![
        Parameter::new("stackReference", TypeId::DYNAMIC),
        Parameter::new("outputName", TypeId::STRING),
    ];
    Signature::new(parameters, returns)
}

fn same_as_output(call: &mut CallContext<'_, '_>) -> Signature {
    let value = match call.argument_count() {
        1 => call.argument_type(0),
        _ => TypeId::DYNAMIC,
    };
    let returns = call.types().output(value);
    Signature::new(vec![Parameter::new("value", value)], returns)
}
