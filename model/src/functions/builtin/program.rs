//! The program that runs: where, as what, and its resources.
//!
//! The rules, with examples: `tests/spec/functions/program.md`.

use super::row::{Area, Builtin, DYNAMIC, Rule, STRING};
use crate::functions::function::CallContext;
use crate::functions::signature::{Parameter, Signature};
use crate::messages::functions::not_a_resource;
use crate::types::TypeId;

pub(super) const AREA: Area = Area {
    title: "The running program",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "cwd",
        rule: Rule::Fixed(&[], STRING),
        summary: "the directory that the program runs in",
        example: "cwd()",
    },
    Builtin {
        name: "notImplemented",
        rule: Rule::Fixed(&[("errorMessage", STRING)], DYNAMIC),
        summary: "a value that a converter could not express; it fails when the program runs",
        example: r#"notImplemented("a for_each over a module")"#,
    },
    Builtin {
        name: "organization",
        rule: Rule::Fixed(&[], STRING),
        summary: "the organization that the stack belongs to",
        example: "organization()",
    },
    Builtin {
        name: "project",
        rule: Rule::Fixed(&[], STRING),
        summary: "the name of the project",
        example: "project()",
    },
    Builtin {
        name: "pulumiResourceName",
        rule: Rule::Generic {
            usage: "pulumiResourceName(resource: resource) -> string",
            returns: "a string",
            rule: of_resource,
        },
        summary: "the logical name of a resource",
        example: "pulumiResourceName(bucket)",
    },
    Builtin {
        name: "pulumiResourceType",
        rule: Rule::Generic {
            usage: "pulumiResourceType(resource: resource) -> string",
            returns: "a string",
            rule: of_resource,
        },
        summary: "the type token of a resource",
        example: "pulumiResourceType(bucket)",
    },
    Builtin {
        name: "rootDirectory",
        rule: Rule::Fixed(&[], STRING),
        summary: "the directory that contains the project",
        example: "rootDirectory()",
    },
    Builtin {
        name: "stack",
        rule: Rule::Fixed(&[], STRING),
        summary: "the name of the stack",
        example: "stack()",
    },
];

/// One resource, not a list of them and not one that may be missing.
fn of_resource(call: &mut CallContext<'_, '_>) -> Signature {
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
