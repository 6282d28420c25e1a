//! The known weaknesses of Pulumi's own checks of expressions, one by one: what happens here instead.
//!
//! Each test bears the number of the weakness; `docs/differences.md` has a line for each. Those of passes that are not part of this crate
//! are named at the end, with the reason; the last test sees to it that no number is left out.

mod support;

use pcl_binder::{NodeBody, NodeKind};
use pcl_model::expression::print;
use support::check;

/// Names of the types that come up again and again.
const SCOPE: &str = r#"
config c bool {}
config d any {}
config n int {}
config s string {}
config xs "list(int)" {}
config hidden "list(int)" { secret = true }
resource r "toy:index:Box" {}
"#;

/// Binds `x = expression`; the findings about it and its type.
#[track_caller]
fn bind(expression: &str) -> (Vec<String>, String) {
    let mut checked = check(&format!("x = {expression}\n{SCOPE}"));
    (checked.findings(), checked.ty(NodeKind::Local, "x"))
}

#[track_caller]
fn assert_type(expression: &str, ty: &str) {
    let (findings, found) = bind(expression);
    assert_eq!(findings, [""; 0], "{expression}");
    assert_eq!(found, ty, "{expression}");
}

#[track_caller]
fn assert_finding(expression: &str, expected: &str) {
    let (findings, _) = bind(expression);
    assert_eq!(findings, [expected], "{expression}");
}

#[test]
fn e01_an_index_as_large_as_the_tuple() {
    for expression in ["[1, 2][2]", "[1, 2].2", "[][0]"] {
        let (findings, ty) = bind(expression);
        assert!(findings[0].starts_with("error tuple-index-out-of-range"));
        assert_eq!(ty, "error");
    }
    let checked = check("config t \"tuple([string])\" {\n  default = [\"a\", \"b\"]\n}\n");
    assert_eq!(
        checked.findings(),
        ["error type-not-assignable main.pp:2:13"]
    );
}

#[test]
fn e02_null_as_a_key() {
    assert_finding(
        "{ a = 1 }[null]",
        "error property-name-not-string main.pp:1:14",
    );
    assert_finding(
        "{ a = 1 }[(null)]",
        "error property-name-not-string main.pp:1:16",
    );
    assert_finding("{ (null) = 1 }", "error object-key-not-string main.pp:1:8");
}

#[test]
fn e03_entries_of_nothing_and_lookup_in_nothing() {
    assert_finding("entries()", "error missing-argument main.pp:1:5");
    assert_type("lookup({}, \"k\")", "none");
}

#[test]
fn e04_a_resource_that_is_none() {
    for expression in [
        "pulumiResourceName(1)",
        "sha1(pulumiResourceType(1))",
        "pulumiResourceName(1) == \"x\"",
    ] {
        let (findings, _) = bind(expression);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].starts_with("error not-a-resource"));
    }
}

#[test]
fn e05_an_eventual_argument_beyond_the_parameters() {
    assert_type("max(n, 1, hidden[0])", "output(int)");
}

#[test]
fn e06_a_computed_key_where_an_object_is_needed() {
    let checked = check(&format!(
        "resource a \"toy:index:Box\" {{\n  holder = {{ \"k${{s}}\" = null }}\n}}\n{SCOPE}"
    ));
    assert_eq!(checked.findings(), [""; 0]);
}

/// The vectors for `invoke` and `call` have the methods and functions without inputs.
#[test]
fn e07_methods_and_functions_without_inputs() {
    assert_finding(
        "call(r, \"nothing\", {})",
        "error unknown-method main.pp:1:13",
    );
}

#[test]
fn e08_null_can_be_printed() {
    for text in ["null", "xs[null]", "[null, { a = null }]"] {
        let checked = check(&format!("x = {text}\n{SCOPE}"));
        let program = &checked.program;
        let node = program.module.node(checked.node(NodeKind::Local, "x"));
        let NodeBody::Local(value) = node.body else {
            panic!("a local has a value");
        };
        let printed = print(value, &program.exprs, &program.types, &program.scopes);
        assert_eq!(printed.replace("{a", "{ a").replace("l}", "l }"), text);
    }
}

#[test]
fn e09_a_name_in_parentheses() {
    assert_finding("(gone).x", "error undefined-variable main.pp:1:6");
}

#[test]
fn e10_what_comes_out_of_something_eventual_is_eventual() {
    assert_type("secret({ a = n })[*].a", "output(list(int))");
    assert_type("[for y in c ? hidden : null : y]", "output(list(int))");
    assert_type("(c ? hidden : null)[n]", "output(int)");
    assert_type("max(hidden...)", "output(int)");
    // As the reference: a promise, and an output inside of a value, can be looked at in part.
    assert_type("can(hidden)", "output(bool)");
    assert_type("can([hidden])", "bool");
}

/// As the reference: a promise of an output is a type of its own.
#[test]
fn e11_promises_of_outputs() {
    let ty = "promise(output({ opened: bool? }))";
    assert_type(
        "invoke(\"toy:index:find\", { name = \"a\" }).name == s ? call(r, \"open\", {}) : call(r, \"open\", {})",
        ty,
    );
}

#[test]
fn e12_null_instead_of_a_collection() {
    assert_type("c ? s : null", "null | string");
    assert_type("[for y in c ? xs : null : y]", "list(int)");
    assert_type("(c ? xs : null)[n]", "int");
    assert_type("(c ? [{ a = n }] : null)[*].a", "list(int)");
    assert_type("length(c ? xs : null)", "int");
    assert_type("entries(c ? xs : null)", "list({ key: int, value: int })");
}

#[test]
fn e13_the_order_of_properties_is_that_of_their_names() {
    let mut types = Vec::new();
    for object in ["{ a = c, b = n, d = 1.5 }", "{ d = 1.5, b = n, a = c }"] {
        types.push(bind(&format!("[for y in {object} : y]")).1);
        types.push(bind(&format!("[{object}[s]]")).1);
    }
    assert_eq!(types[0], types[2]);
    assert_eq!(types[1], types[3]);
}

#[test]
fn e14_numbers_that_need_not_be_whole() {
    assert_type("max(1.5, 2)", "number");
    assert_type("max(1, 2)", "int");
    // As the reference: a number written out has a type of its own, and is no plain int.
    assert_type("n + 1", "number");
    assert_type("n + n", "int");
}

/// As the reference: an enum takes what its underlying type takes, and a step into one gives the enum. A value that is not listed is a
/// warning of ours.
#[test]
fn e15_enums() {
    let checked =
        check("resource a \"toy:index:Box\" {\n  colour = \"green\"\n}\nx = a.colour.shade\n");
    assert_eq!(checked.errors(), [""; 0]);
    assert!(checked.findings()[0].starts_with("warning value-not-listed main.pp:2:12"));
}

#[test]
fn e16_the_items_of_a_splat_are_what_the_list_holds() {
    let mut checked =
        check("resource a \"toy:index:Box\" {}\nx = a.shape[*]\ny = [a, a][*].name\n");
    assert_eq!(checked.errors(), [""; 0]);
    assert_eq!(checked.ty(NodeKind::Local, "y"), "list(output(string))");
}

#[test]
fn e17_inner_names_and_functions_make_no_circles() {
    assert_type("[for x in xs : x]", "list(int)");
    let checked = check("length = length([1])\nrange = [for range in range(2) : range]\n");
    assert_eq!(checked.findings(), [""; 0]);
}

#[test]
fn e21_inputs_one_by_one() {
    assert_type("invoke(\"mathx:index:clamp\", d)", "promise(number)");
    assert_type(
        "invoke(\"mathx:index:clamp\", [1, 2, 3]...)",
        "promise(number)",
    );
    assert_finding(
        "invoke(\"mathx:index:clamp\", { value = 1 })",
        "error positional-invoke main.pp:1:12",
    );
    assert_finding(
        "invoke(\"mathx:index:clamp\", 1, 2, 3, { parnt = r })",
        "warning ignored-key main.pp:1:44",
    );
}

#[test]
fn e22_labels_say_types() {
    for label in ["5", "true", "[string]", "{ a = string }"] {
        let checked = check(&format!("config x \"{label}\" {{}}\n"));
        assert_eq!(
            checked.findings(),
            ["warning invalid-type-expression main.pp:1:11"],
            "{label}"
        );
    }
    // As the reference: the properties of an object may be missing, and of one directly in a list or map; not deeper.
    let mut checked = check("config x \"object({ a = object({ b = int }) })\" {}\n");
    assert_eq!(checked.ty(NodeKind::Config, "x"), "{ a: { b: int }? }");
}

#[test]
fn e23_numbers_are_exact() {
    let long = "123456789012345678901234567890";
    assert_type(long, "1.2345678901234567890123456789e+29");
    assert_type(&format!("max({long}, n)"), "int");
    assert_finding("1e99999999999999999999", "error num-invalid main.pp:1:5");
}

/// Accepted without a word by the reference.
#[test]
fn e24_what_deserves_a_warning() {
    for (expression, code) in [
        ("\"${xs} \"", "type-not-assignable"),
        ("\"${r} \"", "type-not-assignable"),
        ("toJSON(r)", "type-not-assignable"),
        ("1 + \"x\"", "type-not-assignable"),
        ("!\"x\"", "type-not-assignable"),
        ("{ a = 1, a = 2 }", "duplicate-object-key"),
        ("[1, 2][-1]", "tuple-index-out-of-range"),
        ("[1, 2][(5)]", "tuple-index-out-of-range"),
        ("xs[\"a\"]", "list-index-not-number"),
        ("xs.length", "list-index-not-number"),
        (
            "invoke(\"toy:index:find\", { name = s, colour = 1 })",
            "ignored-key",
        ),
        (
            "invoke(\"toy:index:find\", { name = s }, { colour = 1 })",
            "ignored-key",
        ),
        ("call(r, \"open\", { colour = 1 })", "ignored-key"),
    ] {
        let (findings, _) = bind(expression);
        assert_eq!(findings.len(), 1, "{expression}: {findings:?}");
        assert!(
            findings[0].starts_with(&format!("warning {code} ")),
            "{findings:?}"
        );
    }
}

/// What cannot occur in this crate, and why.
const ELSEWHERE: &[(u8, &str)] = &[
    (18, "checking does not rewrite outputs to callbacks"),
    (19, "checking does not write conversions into expressions"),
    (
        20,
        "checking does not guard the uses of a resource that may be missing",
    ),
];

#[test]
fn every_weakness_has_a_test_or_a_reason() {
    let source = include_str!("expressions.rs");
    for number in 1..=24_u8 {
        let tested = source.contains(&format!("fn e{number:02}_"));
        let explained = ELSEWHERE.iter().any(|&(listed, _)| listed == number);
        assert!(tested != explained, "weakness {number}");
    }
}
