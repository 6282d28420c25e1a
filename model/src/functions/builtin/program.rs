//! The program that runs: where, as what, and its resources.
//!
//! The rules, with examples: `tests/spec/functions/program.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::row::{Area, Builtin, DYNAMIC, Rule, STRING};
use crate::functions::function::CallContext;
use crate::functions::signature::{Parameter, Signature};
use crate::types::{TypeId, TypeStore};
use crate::wording::{in_words, optional};

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

/// An argument of the type `given` where one resource is needed.
fn not_a_resource(span: Span, types: &mut TypeStore, function: &str, given: TypeId) -> Diagnostic {
    let words = in_words(types, given);
    let resolved = types.resolve(given);
    let found = if !types.is_resource(types.strip(given)) {
        words
    } else if types.without_none(resolved).is_some() {
        optional(&words)
    } else {
        "an output".to_owned()
    };
    let message = format!("`{function}` takes a resource, found {found}");
    Diagnostic::error(Code::NotAResource, span, message)
}
