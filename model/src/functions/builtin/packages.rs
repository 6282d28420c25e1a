//! Functions that reach into packages. Only the binder knows the function or method that a call
//! means, and with it the signature.
//!
//! The rules, with examples: `tests/spec/invoke/invoke.md` and `tests/spec/invoke/call.md`.

use super::row::{Area, Builtin, Rule};

pub(super) const AREA: Area = Area {
    title: "Packages",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "call",
        rule: Rule::Elsewhere {
            usage: "call(self: resource, method: string, args: object) -> output(T)",
            returns: "the result of the method, in an output unless the schema marks the method as plain",
        },
        summary: "calls a method of a resource",
        example: r#"call(bucket, "sign", { name = "a" })"#,
    },
    Builtin {
        name: "invoke",
        rule: Rule::Elsewhere {
            usage: "invoke(token: string, args: object, invokeOptions?: object) -> promise(T)",
            returns: "the result of the function, in a promise, or in an output if an argument contains one",
        },
        summary: "calls a function of a package",
        example: r#"invoke("toy:index:find", { name = "a" })"#,
    },
];
